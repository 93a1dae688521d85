import Glibc

/// The length that a FLAC file's header states, kept true while the file grows.
///
/// libFLAC writes 0, "unknown", and the length at the end; a file that never saw its end then seems
/// empty to libsndfile and to sox. Source: RFC 9639, section 8.2 (STREAMINFO).
struct FlacLength {
  /// Where the 36 bits of the length begin, in the lower half of this byte.
  private static let offset: Int64 = 21

  private let descriptor: FileDescriptor
  /// Where the FLAC file begins in the file.
  private let base: Int64
  /// Samples per channel that the encoder turns into one frame.
  private var blockLength: Int64?

  /// - Returns: nil where the header cannot be read again or not be changed.
  init?(_ descriptor: FileDescriptor, from base: Int64) {
    let mode = fcntl(descriptor.number, F_GETFL)
    guard descriptor.isPatchable, mode & O_ACCMODE == O_RDWR else { return nil }
    self.descriptor = descriptor
    self.base = base
  }

  /// How many of the sample frames given to the encoder are in the file: whole blocks, and libFLAC
  /// encodes a block when it sees the first sample behind it.
  mutating func storedSampleFrames(of given: Int64) throws(AudioError) -> Int64 {
    let length = try lengthOfBlock()
    return length == 0 ? 0 : max(0, given - 1) / length * length
  }

  /// States `length` samples per channel.
  func state(_ length: Int64) throws(AudioError) {
    let shared = try descriptor.bytes(1, at: base + Self.offset)
    guard length > 0, length < 1 << 36, let first = shared.first else { return }
    var bytes = [first & 0xF0 | UInt8(length >> 32)]
    bytes.append(length & 0xFFFF_FFFF, 4, .big)
    try descriptor.write(bytes, at: base + Self.offset)
  }

  /// 0 before the header is there.
  private mutating func lengthOfBlock() throws(AudioError) -> Int64 {
    if let blockLength { return blockLength }
    let head = try descriptor.bytes(12, at: base)
    guard head.count == 12, head.has("fLaC", at: 0) else { return 0 }
    let length = Int64(head.integer(at: 10, 2, .big))
    blockLength = length
    return length
  }
}
