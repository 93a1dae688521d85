# SPDX-License-Identifier: Apache-2.0
"""What rawaudio promises of its rate conversions, and whether a measurement keeps it.

The promises are those of AudioCore's `ResamplerQuality`, written down a second time: neither the code nor
this program can change them alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from rate_quality import Measurement, PassedTone, StoppedTone

# In samples of the output. A linear-phase filter that is compensated for delay has none. A residual of
# −100 dB can turn the phase by 10⁻⁵, which is 4·10⁻⁴ samples for the lowest tone at six times the rate.
LARGEST_DELAY = 1e-3


@dataclass(frozen=True)
class Promise:
    """`floor` in dB for residual and alias; within ±`ripple` dB to `edge` of the lower Nyquist.

    The beginning of the stop band at Nyquist is in the places at which aliases and, through the images of
    tones close to it, residuals are measured.
    """

    floor: float
    ripple: float
    edge: Fraction

    def broken_by(self, measurement: Measurement) -> Iterator[str]:
        """A line for everything that was promised otherwise."""
        for tone in measurement.passed:
            where = self._where(measurement, tone)
            if not tone.residual <= self.floor:
                yield f"{where}: residual {tone.residual:.1f} dB, promised {self.floor} dB at most"
            if tone.place <= self.edge and not abs(tone.gain) <= self.ripple:
                yield f"{where}: level {tone.gain:+.5f} dB, promised within ±{self.ripple} dB"
            if tone.place <= self.edge and not abs(tone.delay) <= LARGEST_DELAY:
                yield f"{where}: {tone.delay:+.6f} samples late, promised ±{LARGEST_DELAY} at most"
        for tone in measurement.stopped:
            if not tone.level <= self.floor:
                where = self._where(measurement, tone)
                yield f"{where}: alias {tone.level:.1f} dB, promised {self.floor} dB at most"

    @staticmethod
    def _where(measurement: Measurement, tone: PassedTone | StoppedTone) -> str:
        frequency = float(measurement.conversion.frequency(tone.place))
        return (
            f"{measurement.program.name}, {measurement.conversion}, "
            f"channel {tone.channel + 1} of {measurement.channels}, "
            f"{frequency:.1f} Hz ({float(tone.place):.4g} of Nyquist)"
        )


PROMISES = {
    "fast": Promise(floor=-100, ripple=0.1, edge=Fraction("0.80")),
    "high": Promise(floor=-140, ripple=0.01, edge=Fraction("0.91")),
    "best": Promise(floor=-180, ripple=0.001, edge=Fraction("0.93")),
}
