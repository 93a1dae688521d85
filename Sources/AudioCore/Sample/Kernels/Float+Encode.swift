extension Float {
  /// Encodes `count` samples at any alignment; returns how many were out of range. The pointer form of
  /// the public kernel, for which the compiler proves that it neither allocates nor locks.
  @_noAllocation @_noLocks
  static func encode(
    _ source: UnsafePointer<Float>, count: Int, as storage: SampleLayout.Storage, swapped: Bool,
    to target: UnsafeMutableRawPointer
  ) -> Int {
    switch storage {
    case .s8:
      return unsafe encodeNarrow(source, count, 1, 0x1p7, target) {
        unsafe Signed8.store($0, to: $1)
      }
    case .u8:
      return unsafe encodeNarrow(source, count, 1, 0x1p7, target) {
        unsafe Unsigned8.store($0, to: $1)
      }
    case .s16:
      return unsafe encodeNarrow(source, count, 2, 0x1p15, target) {
        unsafe Signed16.store($0, to: $1, swapped: swapped)
      }
    case .s24:
      return unsafe encodeWide(count, 3, 0x1p23, target) {
        unsafe Double(source[$0])
      } _: {
        unsafe Packed24.store($0, to: $1, swapped: swapped)
      }
    case .s24In32:
      return unsafe encodeWide(count, 4, 0x1p23, target) {
        unsafe Double(source[$0])
      } _: {
        unsafe Padded24.store($0, to: $1, swapped: swapped)
      }
    case .s32:
      return unsafe encodeWide(count, 4, 0x1p31, target) {
        unsafe Double(source[$0])
      } _: {
        unsafe Signed32.store($0, to: $1, swapped: swapped)
      }
    case .f32:
      for index in 0..<count {
        let word = unsafe source[index].bitPattern
        unsafe target.storeBytes(
          of: swapped ? word.byteSwapped : word, toByteOffset: index &* 4, as: UInt32.self)
      }
      return 0
    case .f64:
      for index in 0..<count {
        let word = unsafe Double(source[index]).bitPattern
        unsafe target.storeBytes(
          of: swapped ? word.byteSwapped : word, toByteOffset: index &* 8, as: UInt64.self)
      }
      return 0
    case .ulaw:
      return unsafe encodeCodes(count, target) {
        unsafe Double(source[$0])
      } _: {
        MuLaw.encode($0)
      }
    case .alaw:
      return unsafe encodeCodes(count, target) {
        unsafe Double(source[$0])
      } _: {
        ALaw.encode($0)
      }
    }
  }
}
