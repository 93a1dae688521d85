// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// Encoding with triangular noise.
func ditherRows(_ stopwatch: Stopwatch) -> [Row] {
  [SampleLayout(.s16), SampleLayout(.s24)].map { layout in
    Row(
      name: "encode \(layout.storage), tpdf", float: time(Float.self, layout, stopwatch),
      double: time(Double.self, layout, stopwatch))
  }
}

private func time<Sample: AudioSample>(
  _: Sample.Type, _ layout: SampleLayout, _ stopwatch: Stopwatch
) -> Double {
  let samples = Material.noise(Stopwatch.blockLength, Sample.self)
  var quantiser = Quantiser(layout: layout, dither: .tpdf(seed: 1))
  var bytes = [UInt8](repeating: 0, count: samples.count * layout.bytesPerSample)
  return stopwatch.nanoseconds {
    var span = bytes.mutableSpan
    var target = unsafe span.mutableBytes
    quantiser.encode(samples.span, into: &target)
  }
}
