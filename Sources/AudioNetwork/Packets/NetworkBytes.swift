// SPDX-License-Identifier: Apache-2.0
/// Integers of a packet, which are big endian at any alignment.
extension RawSpan {
  /// Nil if the integer does not lie within the bytes.
  func word<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int, as: Word.Type) -> Word? {
    let size = MemoryLayout<Word>.size
    guard offset >= 0, byteCount >= size, offset <= byteCount - size else { return nil }
    return Word(bigEndian: unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self))
  }

  func byte(at offset: Int) -> UInt8? { word(at: offset, as: UInt8.self) }
}

extension [UInt8] {
  init(_ bytes: RawSpan) { self = unsafe bytes.withUnsafeBytes { unsafe Array($0) } }
}
