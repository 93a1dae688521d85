// SPDX-License-Identifier: Apache-2.0
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

  /// How many bytes ``emptyFile(_:significantBits:)`` has: a mark and a block of metadata.
  static var emptySize: Int64 { 42 }

  /// A FLAC file without a sample. libFLAC writes its header with the first block, and so none here.
  static func emptyFile(_ format: StreamFormat, significantBits: Int) -> [UInt8] {
    var bytes = Array("fLaC".utf8)
    // The last block of metadata, which is STREAMINFO and has 34 bytes.
    bytes.append(0x8000_0022, 4, .big)
    // The largest block and the smallest.
    bytes.append(4_096, 2, .big)
    bytes.append(4_096, 2, .big)
    // The sizes of frames, which are not known.
    bytes += [UInt8](repeating: 0, count: 6)
    // 20 bits of rate, 3 of channels, 5 of bits, 36 of length.
    bytes.append(
      UInt64(format.sampleRate) << 44 | UInt64(format.channelCount - 1) << 41
        | UInt64(significantBits - 1) << 36, 8, .big)
    // The MD5 sum of no bytes.
    return bytes + [
      0xD4, 0x1D, 0x8C, 0xD9, 0x8F, 0x00, 0xB2, 0x04, 0xE9, 0x80, 0x09, 0x98, 0xEC, 0xF8, 0x42,
      0x7E,
    ]
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

/// Where an AIFF header that libsndfile wrote states the file's length.
///
/// libsndfile 1.2.0 counts the byte that makes an odd number of sample bytes even among them (`aiff_close`
/// writes the header after `aiff_write_tailer` has moved the end), so that one sample too many is read.
/// Source: Audio Interchange File Format AIFF-C (Apple, 1991), the common chunk and the sound data chunk.
struct AiffLength {
  private let header: [UInt8]
  private var common = 0
  private var sound = 0

  /// - Parameter header: the file's first bytes, to the samples at least.
  /// - Returns: nil where that is no such header.
  init?(header: [UInt8]) {
    self.header = header
    var offset = 12
    while offset + 8 <= header.count, sound == 0 {
      if header.has("COMM", at: offset) { common = offset }
      if header.has("SSND", at: offset) { sound = offset }
      let size = Int(header.integer(at: offset + 4, 4, .big))
      offset += 8 + size + size % 2
    }
    guard common > 0, sound > 0 else { return nil }
  }

  /// States `sampleFrames` of `bytesPerFrame` bytes where they are odd; otherwise it is true already.
  func state(
    _ sampleFrames: Int64, of bytesPerFrame: Int, in descriptor: FileDescriptor, from base: Int64
  ) throws(AudioError) {
    let byteCount = sampleFrames * Int64(bytesPerFrame)
    // Before the samples stand an offset and a block size.
    guard byteCount % 2 == 1, header.integer(at: sound + 4, 4, .big) == byteCount + 8 + 1 else {
      return
    }
    var count: [UInt8] = []
    count.append(sampleFrames, 4, .big)
    try descriptor.write(count, at: base + Int64(common) + 10)
    var size: [UInt8] = []
    size.append(byteCount + 8, 4, .big)
    try descriptor.write(size, at: base + Int64(sound) + 4)
  }
}

/// A file whose samples are all written, for its container to state their number.
struct WrittenSamples {
  let descriptor: FileDescriptor
  /// Where in the file the container begins.
  let base: Int64
  /// The container's first bytes, to the samples at least.
  let header: [UInt8]
  let encoding: SampleEncoding
  let channelCount: Int
  let bytesPerSample: Int
  let sampleFrames: Int64

  var bytesPerFrame: Int { bytesPerSample * channelCount }

  /// Writes a little-endian number into the header, at `offset` from the container's beginning.
  func state(_ number: Int64, byteCount: Int, at offset: Int64) throws(AudioError) {
    var bytes: [UInt8] = []
    bytes.append(number, byteCount, .little)
    try descriptor.write(bytes, at: base + offset)
  }
}
