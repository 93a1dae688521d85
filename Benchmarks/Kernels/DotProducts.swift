// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// The inner step of the resampler; a sample here is a coefficient times a sample of one channel.
func dotProductRows(_ stopwatch: Stopwatch) -> [Row] {
  [32, 64, 192, 512].flatMap { length in
    [
      Row(
        name: "dot product of \(length)", float: oneTime(Float.self, length, stopwatch),
        double: oneTime(Double.self, length, stopwatch)),
      Row(
        name: "dot product of \(length), two channels",
        float: twoTime(Float.self, length, stopwatch),
        double: twoTime(Double.self, length, stopwatch)),
    ]
  }
}

/// How many products are asked for in one call of the stopwatch, each at another place.
private let places = 256

private func oneTime<Sample: AudioSample>(
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

private func twoTime<Sample: AudioSample>(
  _: Sample.Type, _ length: Int, _ stopwatch: Stopwatch
) -> Double {
  let coefficients = Material.noise(length, Sample.self)
  let samples = Material.noise(length + places, Sample.self)
  return stopwatch.nanoseconds(per: places * length * 2) {
    for place in 0..<places {
      _ = Sample.dotProducts(coefficients.span, samples.span, samples.span, from: place)
    }
  }
}
