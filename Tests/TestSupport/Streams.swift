// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs `input` through `stage`, cut before each of `cuts`, and returns the whole output.
package func run<Stage: StreamStage>(
  _ stage: Stage, on input: [Stage.Sample], cuts: [Int] = []
) throws -> [Stage.Sample] {
  let queue = SampleQueue<Stage.Sample>()
  var start = 0
  for end in cuts + [input.count] {
    try stage.process(input.span.extracting(start..<end), into: queue)
    start = end
  }
  try stage.finish(into: queue)
  return (0..<queue.count).map { queue.readable[$0] }
}

/// Returns a sine of amplitude 1 with a frequency of `cycles` per sample.
package func sine(_ cycles: Double, count: Int) -> [Double] {
  (0..<count).map { sin(2 * Double.pi * cycles * Double($0)) }
}

/// Returns the power of `samples` in dB; 0 dB is a sine of amplitude 1.
package func decibels(_ samples: some Collection<Double>) -> Double {
  10 * log10(2 * samples.reduce(1e-40) { $0 + $1 * $1 } / Double(samples.count))
}

/// Returns the gain and the residual of the least-squares fit of a sine of known frequency, both in dB.
package func fit(_ samples: [Double], _ cycles: Double) -> (gain: Double, residual: Double) {
  var (cc, ss, cs, yc, ys) = (0.0, 0.0, 0.0, 0.0, 0.0)
  let waves = samples.indices.map { index in
    let angle = 2 * Double.pi * cycles * Double(index)
    return (cosine: cos(angle), sine: sin(angle))
  }
  for (sample, wave) in zip(samples, waves) {
    cc += wave.cosine * wave.cosine
    ss += wave.sine * wave.sine
    cs += wave.cosine * wave.sine
    yc += sample * wave.cosine
    ys += sample * wave.sine
  }
  let determinant = cc * ss - cs * cs
  let a = (yc * ss - ys * cs) / determinant
  let b = (ys * cc - yc * cs) / determinant
  let rest = zip(samples, waves).map { $0 - a * $1.cosine - b * $1.sine }
  return (20 * log10((a * a + b * b).squareRoot()), decibels(rest))
}
