// SPDX-License-Identifier: Apache-2.0
extension KernelSample {
  /// Decodes `count` samples at any alignment.
  @inline(__always)
  static func decode(
    _ source: UnsafeRawPointer, count: Int, as storage: SampleStorage, swapped: Bool,
    to target: UnsafeMutablePointer<Self>
  ) {
    switch storage {
    case .s8: unsafe integers(source, count, 1, 0x1p-7, target) { unsafe Signed8.load($0) }
    case .u8: unsafe integers(source, count, 1, 0x1p-7, target) { unsafe Unsigned8.load($0) }
    case .s16:
      unsafe integers(source, count, 2, 0x1p-15, target) {
        unsafe Signed16.load($0, swapped: swapped)
      }
    case .s24:
      unsafe integers(source, count, 3, 0x1p-23, target) {
        unsafe Packed24.load($0, swapped: swapped)
      }
    case .s24In32:
      unsafe integers(source, count, 4, 0x1p-23, target) {
        unsafe Padded24.load($0, swapped: swapped)
      }
    case .s32:
      unsafe integers(source, count, 4, 0x1p-31, target) {
        unsafe Signed32.load($0, swapped: swapped)
      }
    case .f32:
      for index in 0..<count {
        let word = unsafe source.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        let sample = Float(bitPattern: swapped ? word.byteSwapped : word)
        unsafe (target + index).initialize(to: Self(sample))
      }
    case .f64:
      for index in 0..<count {
        let word = unsafe source.loadUnaligned(fromByteOffset: index &* 8, as: UInt64.self)
        let sample = Double(bitPattern: swapped ? word.byteSwapped : word)
        unsafe (target + index).initialize(to: Self(sample))
      }
    case .ulaw:
      for index in 0..<count {
        let code = unsafe source.load(fromByteOffset: index, as: UInt8.self)
        unsafe (target + index).initialize(to: Self(MuLaw.decode(code)))
      }
    case .alaw:
      for index in 0..<count {
        let code = unsafe source.load(fromByteOffset: index, as: UInt8.self)
        unsafe (target + index).initialize(to: Self(ALaw.decode(code)))
      }
    }
  }
}

/// `load` is inlined: each storage gets a loop of its own, which LLVM vectorises.
@inline(__always)
private func integers<Sample: KernelSample>(
  _ source: UnsafeRawPointer, _ count: Int, _ stride: Int, _ scale: Sample,
  _ target: UnsafeMutablePointer<Sample>, _ load: (UnsafeRawPointer) -> Int32
) {
  for index in 0..<count {
    let value = unsafe load(source + index &* stride)
    unsafe (target + index).initialize(to: Sample(integer: value) * scale)
  }
}
