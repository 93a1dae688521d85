/// The bytes of a WAVE header in order: from a regular file, or from a pipe, whose bytes are kept for a
/// codec that has to see them again.
final class WaveHeaderInput {
  /// The most bytes of a pipe that are kept; a header that is longer than this is not one.
  private static let keptLimit = 1 << 20

  let descriptor: FileDescriptor
  /// The file's end; nil for a pipe.
  let end: Int64?
  /// Offset of the next byte, from the start of the file or of what the pipe delivers.
  private(set) var position: Int64
  /// What was taken from a pipe so far.
  private(set) var kept: [UInt8] = []

  init(_ descriptor: FileDescriptor) throws(AudioError) {
    self.descriptor = descriptor
    end = descriptor.isRegular ? try descriptor.size() : nil
    position = descriptor.isRegular ? descriptor.position : 0
  }

  /// The next `byteCount` bytes; fewer at the end.
  func next(_ byteCount: Int) throws(AudioError) -> [UInt8] {
    let bytes: [UInt8]
    if end != nil {
      bytes = try descriptor.bytes(byteCount, at: position)
    } else {
      bytes = try descriptor.nextBytes(byteCount)
      kept += bytes
    }
    position += Int64(bytes.count)
    return bytes
  }

  /// Passes over `byteCount` bytes.
  ///
  /// - Returns: whether there were so many.
  func skip(_ byteCount: Int64) throws(AudioError) -> Bool {
    if let end {
      guard byteCount <= end - position else { return false }
      position += byteCount
      return true
    }
    guard byteCount <= Int64(Self.keptLimit - kept.count) else { return false }
    return try next(Int(byteCount)).count == Int(byteCount)
  }
}
