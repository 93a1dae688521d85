// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// From the bytes of every layout to samples, and back.
func encodingRows(_ stopwatch: Stopwatch) -> [Row] {
  var layouts = SampleLayout.Storage.allCases.map { SampleLayout($0) }
  layouts += [SampleLayout(.s16, .big), SampleLayout(.s24, .big)]
  let decoding = layouts.map { layout in
    Row(
      name: "decode \(name(layout))", float: decodeTime(Float.self, layout, stopwatch),
      double: decodeTime(Double.self, layout, stopwatch))
  }
  let encoding = layouts.map { layout in
    Row(
      name: "encode \(name(layout))", float: encodeTime(Float.self, layout, stopwatch),
      double: encodeTime(Double.self, layout, stopwatch))
  }
  return decoding + encoding
}

private func name(_ layout: SampleLayout) -> String {
  "\(layout.storage)" + (layout.byteOrder == .native ? "" : ", bytes swapped")
}

private func decodeTime<Sample: AudioSample>(
  _: Sample.Type, _ layout: SampleLayout, _ stopwatch: Stopwatch
) -> Double {
  let bytes = Material.noise(Stopwatch.blockLength, as: layout)
  var samples = [Sample](repeating: 0, count: Stopwatch.blockLength)
  return stopwatch.nanoseconds {
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      Sample.decode(unsafe bytes.span.bytes, as: layout, into: &output)
      _ = unsafe output.finalize(for: buffer)
    }
  }
}

private func encodeTime<Sample: AudioSample>(
  _: Sample.Type, _ layout: SampleLayout, _ stopwatch: Stopwatch
) -> Double {
  let samples = Material.noise(Stopwatch.blockLength, Sample.self)
  var bytes = [UInt8](repeating: 0, count: samples.count * layout.bytesPerSample)
  return stopwatch.nanoseconds {
    var span = bytes.mutableSpan
    var target = unsafe span.mutableBytes
    _ = Sample.encode(samples.span, as: layout, into: &target)
  }
}
