// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// What the mixer and a gain do.
func arithmeticRows(_ stopwatch: Stopwatch) -> [Row] {
  [
    Row(
      name: "add", float: addTime(Float.self, stopwatch),
      double: addTime(Double.self, stopwatch)),
    Row(
      name: "scale", float: scaleTime(Float.self, stopwatch),
      double: scaleTime(Double.self, stopwatch)),
  ]
}

private func addTime<Sample: AudioSample>(_: Sample.Type, _ stopwatch: Stopwatch) -> Double {
  let samples = Material.noise(Stopwatch.blockLength, Sample.self)
  var total = [Sample](repeating: 0, count: samples.count)
  return stopwatch.nanoseconds {
    var target = total.mutableSpan
    Sample.add(samples.span, to: &target)
  }
}

private func scaleTime<Sample: AudioSample>(_: Sample.Type, _ stopwatch: Stopwatch) -> Double {
  var samples = Material.noise(Stopwatch.blockLength, Sample.self)
  return stopwatch.nanoseconds {
    var target = samples.mutableSpan
    // Not less than one: the samples would become denormal in the end.
    Sample.scale(&target, by: 1)
  }
}
