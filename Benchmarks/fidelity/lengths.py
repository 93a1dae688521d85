# SPDX-License-Identifier: Apache-2.0
"""Is a converted file exactly ⌈n × output rate / input rate⌉ samples long?"""

from collections.abc import Iterator

import numpy

from programs import Program
from rate_quality import Conversion

# Nothing, a sample or two, primes, and a second and a sample.
LENGTHS = (0, 1, 2, 997, 44_101, 65_537)


def broken(program: Program, conversion: Conversion) -> Iterator[str]:
    """A line for each length that is not as promised."""
    for length in LENGTHS:
        samples = numpy.full((length, 1), 0.25)
        output = program.convert(samples, conversion.input_rate, conversion.output_rate)
        expected = -(-length * conversion.output_rate // conversion.input_rate)
        if len(output) != expected:
            yield (
                f"{program.name}, {conversion}: {length} samples became {len(output)}, "
                f"promised {expected}"
            )
