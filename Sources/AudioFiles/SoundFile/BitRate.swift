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

/// The bit rate of a stream of MPEG audio: the mean that the encoder's header states, else that of the first frame.
///
/// Source of the header: the "Xing" header as in LAME's `VbrTag.c`.
private enum MpegBitRate {
  private static let hasFrames: UInt64 = 0x01
  private static let hasBytes: UInt64 = 0x02

  /// - Parameter start: the first byte behind the tags in front.
  /// - Returns: bits per second; nil if no frame begins there.
  static func read(_ file: FileWindow, from start: Int64) throws(AudioError) -> Int? {
    let bytes = try file.bytes(256, at: start)
    guard let header = MpegFrameHeader(bytes) else { return nil }
    let place = header.encoderHeaderOffset
    guard bytes.count >= place + 16, bytes.has("Xing", at: place) else { return header.bitRate }
    let flags = bytes.integer(at: place + 4, 4, .big)
    let frames = bytes.integer(at: place + 8, 4, .big)
    let size = bytes.integer(at: place + 12, 4, .big)
    guard flags & hasFrames != 0, flags & hasBytes != 0, frames > 0 else { return header.bitRate }
    return Int(
      clamping: UInt64(size) * 8 * UInt64(header.sampleRate) / (frames * UInt64(header.sampleCount))
    )
  }
}
