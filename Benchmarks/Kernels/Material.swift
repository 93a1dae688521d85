// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// What the kernels work on.
enum Material {
  /// White noise at −6 dBFS, the same in every run.
  static func noise<Sample: AudioSample>(_ count: Int, _: Sample.Type = Sample.self) -> [Sample] {
    var state: UInt32 = 1
    return (0..<count).map { _ in
      // The constants of "Numerical Recipes", 2nd edition, 7.1.
      state = state &* 1_664_525 &+ 1_013_904_223
      return Sample(Int32(bitPattern: state)) / 0x1p32
    }
  }

  /// Noise as the bytes of `layout`.
  static func noise(_ count: Int, as layout: SampleLayout) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count * layout.bytesPerSample)
    var span = bytes.mutableSpan
    var target = unsafe span.mutableBytes
    _ = Double.encode(noise(count, Double.self).span, as: layout, into: &target)
    return bytes
  }
}
