// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// The inner step of the resampler; a sample here is a coefficient times a sample of one channel.
func dotProductRows(_ stopwatch: Stopwatch) -> [Row] {
  [32, 64, 192, 512].map { length in
    Row(
      name: "dot product of \(length)", float: time(Float.self, length, stopwatch),
      double: time(Double.self, length, stopwatch))
  }
}

/// How many products are asked for in one call of the stopwatch, each at another place.
private let places = 256

private func time<Sample: AudioSample>(
  _: Sample.Type, _ length: Int, _ stopwatch: Stopwatch
) -> Double {
  let coefficients = Material.noise(length, Sample.self)
  let samples = Material.noise(length + places, Sample.self)
  return stopwatch.nanoseconds(per: places * length) {
    for place in 0..<places {
      _ = Sample.dotProduct(coefficients.span, samples.span, from: place)
    }
  }
}
