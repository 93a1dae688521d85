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
