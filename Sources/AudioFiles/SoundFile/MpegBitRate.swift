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
    if container == .mp3 {
      return try MpegBitRate.read(FileWindow(of: file), from: place.start)?.bitRate
    }
    return try meanBitRate(of: file, metadata)
  }

  private func meanBitRate(
    of file: FileDescriptor, _ metadata: Metadata
  ) throws(AudioError) -> Int? {
    guard let samplesPerChannel, samplesPerChannel > 0 else { return nil }
    let size = try file.size() - metadata.chunks.reduce(0) { $0 + Int64($1.content.count) }
    return Int(
      clamping: Int128(size) * 8 * Int128(format.sampleRate) / Int128(samplesPerChannel))
  }

  /// The codec and its bit rate; nil if the sound is lossless, or the file does not tell the rate before it is read.
  ///
  /// - Parameter metadata: of the file.
  func lossyCoding(_ metadata: Metadata) throws(AudioError) -> LossyCoding? {
    guard let codec = encoding.lossyCodec, let place else { return nil }
    let source: any ByteSource =
      switch place.bytes {
      case .file(let file): try FileWindow(of: file)
      case .held(let bytes): HeldBytes(bytes)
      }
    func coding(_ bitRate: Int, _ mode: LossyCoding.Mode = .average) -> LossyCoding {
      LossyCoding(codec, bitRate, mode, channelCount: format.channelCount)
    }
    if container == .mp3, let found = try MpegBitRate.read(source, from: place.start) {
      return coding(found.wanted, found.mode)
    }
    if let rate = try VorbisQuality.nominalRate(source, from: place.start) { return coding(rate) }
    // A stream of MPEG audio without a header still has whole frames, whose number is known.
    guard case .file(let file) = place.bytes, file.isRegular else { return nil }
    return try meanBitRate(of: file, metadata).map { coding($0) }
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
  /// - Returns: bits per second, as they are and as the encoder was told; nil if no frame begins there, or if frames differ
  ///   and no header states the mean.
  static func read(
    _ file: any ByteSource, from start: Int64
  ) throws(AudioError) -> (bitRate: Int, wanted: Int, mode: LossyCoding.Mode)? {
    let first = try file.bytes(256, at: start)
    guard let header = MpegFrameHeader(first) else { return nil }
    if let mean = mean(header, in: first) {
      let setting = setting(in: first, from: header.encoderHeaderOffset, mean: mean)
      return (mean, setting.bitRate, setting.mode)
    }
    if let mean = fraunhoferMean(header, in: first) { return (mean, mean, .average) }
    return constant(header, in: try file.bytes(compared, at: start)).map { ($0, $0, .constant) }
  }

  /// LAME's setting for a variable bit rate: V, or the wanted mean; otherwise the mean. Source: `VbrTag.c`: the methods 3
  /// to 5 go by V, the header's quality is 100 − 10 V − q, and a byte holds a wanted mean below 255 kbit/s.
  ///
  /// - Parameter place: the start of a "Xing" header.
  private static func setting(
    in bytes: [UInt8], from place: Int, mean: Int
  ) -> (bitRate: Int, mode: LossyCoding.Mode) {
    guard bytes.count > place + 140, bytes[place + 7] & 0xF == 0xF,
      bytes.has("LAME", at: place + 120)
    else { return (mean, .average) }
    let quality = Int(bytes.integer(at: place + 116, 4, .big))
    let wanted = Int(bytes[place + 140])
    switch bytes[place + 129] & 0xF {
    case 3...5 where (0...100).contains(quality):
      return (mean, .variable(quality: Double(10 - (100 - quality) / 10)))
    case 2 where (8..<255).contains(wanted): return (wanted * 1_000, .average)
    default: return (mean, .average)
    }
  }

  /// Source: ffmpeg's `mp3dec.c`.
  private static func fraunhoferMean(_ first: MpegFrameHeader, in bytes: [UInt8]) -> Int? {
    guard bytes.has("VBRI", at: 36), bytes.count >= 54 else { return nil }
    return mean(first, frames: bytes.integer(at: 50, 4, .big), size: bytes.integer(at: 46, 4, .big))
  }

  private static func mean(_ first: MpegFrameHeader, frames: UInt64, size: UInt64) -> Int? {
    guard frames > 0, size > 0 else { return nil }
    return Int(
      clamping: size * 8 * UInt64(first.sampleRate) / (frames * UInt64(first.sampleCount)))
  }

  private static func mean(_ first: MpegFrameHeader, in bytes: [UInt8]) -> Int? {
    let place = first.encoderHeaderOffset
    guard bytes.count >= place + 16, bytes.has("Xing", at: place) else { return nil }
    let flags = bytes.integer(at: place + 4, 4, .big)
    let frames = bytes.integer(at: place + 8, 4, .big)
    let size = bytes.integer(at: place + 12, 4, .big)
    guard flags & hasFrames != 0, flags & hasBytes != 0 else { return nil }
    return mean(first, frames: frames, size: size)
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
