// SPDX-License-Identifier: Apache-2.0
/// Decodes `bytes` into an array.
package func decode<Sample: AudioSample>(_ bytes: [UInt8], as layout: SampleLayout) -> [Sample] {
  [Sample](capacity: bytes.count / layout.bytesPerSample) { output in
    unsafe Sample.decode(bytes.span.bytes, as: layout, into: &output)
  }
}

/// Encodes `samples` into an array, and returns the number of samples out of range.
package func encode<Sample: AudioSample>(
  _ samples: [Sample], as layout: SampleLayout
) -> (bytes: [UInt8], clipped: Int) {
  var bytes = [UInt8](repeating: 0xAA, count: samples.count * layout.bytesPerSample)
  var span = bytes.mutableSpan
  var raw = unsafe span.mutableBytes
  let clipped = Sample.encode(samples.span, as: layout, into: &raw)
  return (bytes, clipped)
}

/// Runs the kernel on arrays.
package func dotProduct<Sample: AudioSample>(
  _ coefficients: [Sample], _ samples: [Sample], from offset: Int = 0
) -> Sample {
  Sample.dotProduct(coefficients.span, samples.span, from: offset)
}

extension SampleLayout {
  /// Every storage in both byte orders.
  package static let all = Storage.allCases.flatMap {
    [SampleLayout($0, .little), SampleLayout($0, .big)]
  }

  /// The integer layouts, with their significant bits.
  package static let integers: [(layout: SampleLayout, bits: Int)] = all.compactMap { layout in
    switch layout.storage {
    case .s8, .u8: (layout, 8)
    case .s16: (layout, 16)
    case .s24, .s24In32: (layout, 24)
    case .s32: (layout, 32)
    case .f32, .f64, .ulaw, .alaw: nil
    }
  }

  /// Returns the bytes of `value` in this layout, written independently of the kernels.
  package func bytes(ofInteger value: Int64) -> [UInt8] {
    let word = UInt64(bitPattern: storage == .u8 ? value + 128 : value)
    let little = (0..<bytesPerSample).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    return byteOrder == .little ? little : little.reversed()
  }
}
