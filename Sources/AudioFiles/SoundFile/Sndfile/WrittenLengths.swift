// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Keeps the length in a FLAC file's header true while the file grows.
///
/// libFLAC writes 0, "unknown", and the length only at the end. An unfinished file then seems empty to libsndfile and
/// sox. Source: RFC 9639, section 8.2 (STREAMINFO).
struct FlacLength {
  /// The 36 bits of the length begin in the lower half of this byte.
  private static let offset: Int64 = 21

  private let descriptor: FileDescriptor
  /// The start of the FLAC file within the file.
  private let base: Int64
  /// The samples per channel of one frame.
  private var blockLength: Int64?

  /// - Returns: nil if the header cannot be read again or changed.
  init?(_ descriptor: FileDescriptor, from base: Int64) {
    let mode = fcntl(descriptor.number, F_GETFL)
    guard descriptor.isPatchable, mode & O_ACCMODE == O_RDWR else { return nil }
    self.descriptor = descriptor
    self.base = base
  }

  /// The bytes of ``emptyFile(_:significantBits:)``: a mark and a metadata block.
  static var emptySize: Int64 { 42 }

  /// A FLAC file without a sample. libFLAC would write its header only with the first block.
  static func emptyFile(_ format: StreamFormat, significantBits: Int) -> [UInt8] {
    var bytes = Array("fLaC".utf8)
    // The last metadata block: STREAMINFO of 34 bytes.
    bytes.append(0x8000_0022, 4, .big)
    // The smallest block and the largest one.
    bytes.append(4_096, 2, .big)
    bytes.append(4_096, 2, .big)
    // The sizes of frames: unknown.
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

  /// The sample frames in the file, of those given to the encoder: whole blocks. libFLAC encodes a block when it gets
  /// the first sample behind it.
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

  /// Returns 0 before the header is written.
  private mutating func lengthOfBlock() throws(AudioError) -> Int64 {
    if let blockLength { return blockLength }
    let head = try descriptor.bytes(12, at: base)
    guard head.count == 12, head.has("fLaC", at: 0) else { return 0 }
    let length = Int64(head.integer(at: 10, 2, .big))
    blockLength = length
    return length
  }
}

/// Corrects the length in an AIFF header written by libsndfile.
///
/// libsndfile 1.2.0 counts the padding byte behind an odd number of sample bytes, so that readers find one sample too
/// many. The reason: `aiff_close` writes the header after `aiff_write_tailer` has moved the end. Source: Audio
/// Interchange File Format AIFF-C (Apple, 1991), the common chunk and the sound data chunk.
struct AiffLength {
  private let header: [UInt8]
  private var common = 0
  private var sound = 0

  /// - Parameter header: the file's first bytes, at least up to the samples.
  /// - Returns: nil if `header` is no AIFF header.
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

  /// States the length if its number of bytes is odd. Otherwise, the header is right.
  func state(
    _ sampleFrames: Int64, of bytesPerFrame: Int, in descriptor: FileDescriptor, from base: Int64
  ) throws(AudioError) {
    let byteCount = sampleFrames * Int64(bytesPerFrame)
    // An offset and a block size precede the samples.
    guard byteCount % 2 == 1, header.integer(at: sound + 4, 4, .big) == byteCount + 8 + 1 else {
      return
    }
    try descriptor.write(sampleFrames, 4, .big, at: base + Int64(common) + 10)
    try descriptor.write(byteCount + 8, 4, .big, at: base + Int64(sound) + 4)
  }
}

/// A file after its last sample, as the container's correction of the length needs it.
struct WrittenSamples {
  let descriptor: FileDescriptor
  /// The start of the container within the file.
  let base: Int64
  /// The container's first bytes, at least up to the samples.
  let header: [UInt8]
  let encoding: SampleEncoding
  let channelCount: Int
  let bytesPerSample: Int
  let sampleFrames: Int64

  var bytesPerFrame: Int { bytesPerSample * channelCount }

  /// The place of the length in the `fact` chunk of a RIFF file. Nil if there is none in front of the samples.
  var placeOfFact: Int64? {
    var offset = 12
    while header.has("RIFF", at: 0), offset + 12 <= header.count, !header.has("data", at: offset) {
      if header.has("fact", at: offset) { return Int64(offset + 8) }
      let size = Int(header.integer(at: offset + 4, 4, .little))
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// Writes a little-endian number into the header, at `offset` from the container's beginning.
  func state(_ number: Int64, byteCount: Int, at offset: Int64) throws(AudioError) {
    try descriptor.write(number, byteCount, .little, at: base + offset)
  }
}

extension FileDescriptor {
  func write(
    _ number: some BinaryInteger, _ size: Int, _ order: ByteOrder, at offset: Int64
  ) throws(AudioError) {
    var bytes: [UInt8] = []
    bytes.append(number, size, order)
    try write(bytes, at: offset)
  }
}
