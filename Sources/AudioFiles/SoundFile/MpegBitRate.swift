// SPDX-License-Identifier: Apache-2.0
extension OpenedSoundFile {
  /// The bits of the samples in a second: exact for plain samples, as its own header states it for MPEG audio, and for
  /// other codecs the file's size without its metadata by its length. Nil if that is unknown.
  ///
  /// - Parameter metadata: of the file.
  func bitRate(_ metadata: Metadata) throws(AudioError) -> Int? {
    if container.storesPlainSamples(encoding), let layout = SampleLayout(encoding, .little) {
      return format.samplesPerSecond * layout.bytesPerSample * 8
    }
    guard let place, case .file(let file) = place.bytes, file.isRegular else { return nil }
    if container == .mp3 { return try MpegBitRate.read(FileWindow(of: file), from: place.start) }
    guard let samplesPerChannel, samplesPerChannel > 0 else { return nil }
    let size = try file.size() - metadata.chunks.reduce(0) { $0 + Int64($1.content.count) }
    return Int(
      clamping: Int128(size) * 8 * Int128(format.sampleRate) / Int128(samplesPerChannel))
  }
}

/// The bit rate of a stream of MPEG audio: the mean that the encoder's header states, else that of its first frames if
/// all have one.
///
/// Source of the header: the "Xing" header as in LAME's `VbrTag.c`.
private enum MpegBitRate {
  private static let hasFrames: UInt64 = 0x01
  private static let hasBytes: UInt64 = 0x02
  /// The number of bytes in which frames are compared: some hundred frames.
  private static let compared = 1 << 16

  /// - Parameter start: the first byte behind the tags in front.
  /// - Returns: bits per second; nil if no frame begins there, or if frames differ and no header states the mean.
  static func read(_ file: FileWindow, from start: Int64) throws(AudioError) -> Int? {
    let first = try file.bytes(256, at: start)
    guard let header = MpegFrameHeader(first) else { return nil }
    if let mean = mean(header, in: first) { return mean }
    return constant(header, in: try file.bytes(compared, at: start))
  }

  private static func mean(_ first: MpegFrameHeader, in bytes: [UInt8]) -> Int? {
    let place = first.encoderHeaderOffset
    guard bytes.count >= place + 16, bytes.has("Xing", at: place) else { return nil }
    let flags = bytes.integer(at: place + 4, 4, .big)
    let frames = bytes.integer(at: place + 8, 4, .big)
    let size = bytes.integer(at: place + 12, 4, .big)
    guard flags & hasFrames != 0, flags & hasBytes != 0, frames > 0 else { return nil }
    return Int(
      clamping: size * 8 * UInt64(first.sampleRate) / (frames * UInt64(first.sampleCount)))
  }

  private static func constant(_ first: MpegFrameHeader, in bytes: [UInt8]) -> Int? {
    var place = first.byteCount
    while place + 4 <= bytes.count {
      guard let header = MpegFrameHeader(Array(bytes[place..<place + 4])) else { break }
      guard header.bitRate == first.bitRate else { return nil }
      place += header.byteCount
    }
    return first.bitRate
  }
}
