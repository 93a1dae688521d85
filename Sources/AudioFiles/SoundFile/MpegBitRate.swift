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
      return try MpegBitRate.read(FileWindow(of: file), from: place.start)
    }
    guard let samplesPerChannel, samplesPerChannel > 0 else { return nil }
    let size = try file.size() - metadata.chunks.reduce(0) { $0 + Int64($1.content.count) }
    return Int(
      clamping: Int128(size) * 8 * Int128(format.sampleRate) / Int128(samplesPerChannel))
  }

  /// The codec and the bit rate at which its encoder aimed; nil if the sound is lossless, or the file does not tell the
  /// rate before it is read.
  func lossyCoding() throws(AudioError) -> LossyCoding? {
    guard let codec = encoding.lossyCodec, let place else { return nil }
    let source: any ByteSource =
      switch place.bytes {
      case .file(let file): try FileWindow(of: file)
      case .held(let bytes): HeldBytes(bytes)
      }
    func coding(_ bitRate: Int, _ mode: LossyCoding.Mode = .average) -> LossyCoding {
      LossyCoding(codec, bitRate, mode, channelCount: format.channelCount)
    }
    switch codec {
    case "mp3": return try MpegBitRate.aim(source, from: place.start).map { coding($0, $1) }
    case "vorbis":
      return try VorbisQuality.nominalRate(source, from: place.start).map { coding($0) }
    default: return try PacketRate(ofOpus: source, from: place.start).bitRate.map { coding($0) }
    }
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
  /// The number of bytes that tell the rate of variable frames: about a minute.
  private static let measured = 1 << 20

  /// - Parameter start: the first byte behind the tags in front.
  /// - Returns: bits per second; nil if no frame begins there, or if frames differ and no header states the mean.
  static func read(_ file: any ByteSource, from start: Int64) throws(AudioError) -> Int? {
    let first = try file.bytes(256, at: start)
    guard let header = MpegFrameHeader(first) else { return nil }
    if let mean = mean(header, in: first) { return mean }
    return constant(header, in: try file.bytes(compared, at: start))
  }

  /// The bit rate at which the encoder aimed, in bits per second. LAME states its setting for a variable one: V, or the
  /// mean. Source: `VbrTag.c`: the methods 3 to 5 go by V, the header's quality is 100 − 10 V − q, and a byte holds a mean
  /// below 255 kbit/s.
  ///
  /// - Returns: nil if no frame begins at `start`.
  static func aim(
    _ file: any ByteSource, from start: Int64
  ) throws(AudioError) -> (bitRate: Int, mode: LossyCoding.Mode)? {
    let first = try file.bytes(256, at: start)
    guard let header = MpegFrameHeader(first) else { return nil }
    let place = header.encoderHeaderOffset
    if let mean = mean(header, in: first), first.count > place + 140,
      first[place + 7] & 0xF == 0xF, first.has("LAME", at: place + 120)
    {
      let quality = Int(first.integer(at: place + 116, 4, .big))
      let wanted = Int(first[place + 140])
      switch first[place + 129] & 0xF {
      case 3...5 where (0...100).contains(quality):
        return (mean, .variable(quality: Double(10 - (100 - quality) / 10)))
      case 2 where (8..<255).contains(wanted): return (wanted * 1_000, .average)
      default: break
      }
    } else if let constant = constant(header, in: try file.bytes(compared, at: start)) {
      return (constant, .constant)
    }
    var rate = PacketRate()
    let bytes = try file.bytes(measured, at: start)
    var next = 0
    while next + 4 <= bytes.count, let frame = MpegFrameHeader(Array(bytes[next..<next + 4])) {
      rate.add(frame.byteCount, seconds: Double(frame.sampleCount) / Double(frame.sampleRate))
      next += frame.byteCount
    }
    return rate.bitRate.map { ($0, .average) }
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
