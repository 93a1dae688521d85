// SPDX-License-Identifier: Apache-2.0
/// The four bytes at the start of every MPEG audio frame.
///
/// Source: ISO/IEC 11172-3, section 2.4.1.3, and 13818-3, section 2.4.2.3; MPEG-2.5 follows the decoders.
struct MpegFrameHeader {
  /// The bits that stay constant within a stream: version, layer and rate.
  private static let lasting: UInt32 = 0xFFFE_0C00

  private let word: UInt32

  /// The size of the whole frame in bytes.
  let byteCount: Int
  /// In samples per channel.
  let sampleCount: Int
  /// In hertz.
  let sampleRate: Int
  /// In bits per second.
  let bitRate: Int

  /// - Parameter bytes: at least the first four of a frame.
  /// - Returns: nil if the bytes are no header, or the header does not state the frame's size ("free format").
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 4, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
    word = UInt32(bytes.integer(at: 0, 4, .big))
    let version = Int(word >> 19 & 3)
    let layer = 4 - Int(word >> 17 & 3)
    let rateIndex = Int(word >> 10 & 3)
    let bitRateIndex = Int(word >> 12 & 15)
    guard version != 1, layer != 4, rateIndex != 3, bitRateIndex != 15, bitRateIndex != 0 else {
      return nil
    }
    let isFirst = version == 3
    let row = isFirst ? layer - 1 : layer == 1 ? 3 : 4
    bitRate = Self.kilobits[row][bitRateIndex - 1] * 1_000
    let rate = [44_100, 48_000, 32_000][rateIndex] >> (isFirst ? 0 : version == 2 ? 1 : 2)
    sampleRate = rate
    let padding = Int(word >> 9 & 1)
    switch layer {
    case 1:
      sampleCount = 384
      byteCount = (12 * bitRate / rate + padding) * 4
    case 2:
      sampleCount = 1_152
      byteCount = 144 * bitRate / rate + padding
    default:
      sampleCount = isFirst ? 1_152 : 576
      byteCount = sampleCount / 8 * bitRate / rate + padding
    }
  }

  private static let kilobits = [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ]

  /// Returns the header of a frame of the same stream without a checksum: the smallest one that has so many bytes.
  ///
  /// - Parameter least: the bytes of the frame, of which the largest one has more than a kilobyte, or 500 in MPEG-2.
  func sized(atLeast least: Int) -> (bytes: [UInt8], header: Self)? {
    for index in 1..<UInt32(15) {
      var bytes: [UInt8] = []
      bytes.append(word & ~0xF200 | 1 << 16 | index << 12, 4, .big)
      if let header = Self(bytes), header.byteCount >= least { return (bytes, header) }
    }
    return nil
  }

  /// Whether a header can begin with these bytes. This test rejects most other bytes.
  static func mayBegin(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Bool {
    first == 0xFF && second & 0xE0 == 0xE0 && second & 0x18 != 0x08 && second & 0x06 != 0
      && third & 0xF0 != 0xF0 && third & 0xF0 != 0 && third & 0x0C != 0x0C
  }

  private var isMono: Bool { word >> 6 & 3 == 3 }

  var channelCount: Int { isMono ? 1 : 2 }

  /// Whether the header can belong to a frame of the same stream.
  func belongs(to other: Self) -> Bool {
    isRelated(to: other) && isMono == other.isMono
  }

  /// Whether the header differs at most in the channels from one of the same stream.
  func isRelated(to other: Self) -> Bool {
    word & Self.lasting == other.word & Self.lasting
  }

  /// The offset of an encoder's "Xing" or "Info" header in the frame, behind the side information.
  var encoderHeaderOffset: Int {
    4 + (isFirstVersion ? (isMono ? 17 : 32) : (isMono ? 9 : 17))
  }

  /// Whether the frame is of layer III. Only this layer has encoder headers, and a bit reservoir.
  var isLayer3: Bool { word >> 17 & 3 == 1 }

  /// Whether the frame is of MPEG-1: two granules of layer III, not one.
  var isFirstVersion: Bool { word >> 19 & 3 == 3 }

  /// The bytes of the side information of layer III.
  var sideInformationSize: Int { encoderHeaderOffset - 4 }

  /// The place of the side information of layer III in the frame, behind the header and its checksum.
  var sideInformation: Range<Int> {
    let start = word >> 16 & 1 == 0 ? 6 : 4
    return start..<start + sideInformationSize
  }
}

/// An encoder's description of its stream, in place of a first frame.
///
/// Source: the sources of LAME 3.100 (`VbrTag.c`, `lame.c`) and of mpg123 1.31 (`parse.c`). For the "VBRI" header,
/// which always begins 32 bytes behind the frame's header: ffmpeg 5.1 (`mp3dec.c`).
struct MpegEncoderHeader {
  /// The decoder's own delay in samples, which the encoder's delay does not include.
  static let decoderDelay = 529
  /// The offset of "VBRI" in a frame.
  private static let fixedOffset = 36
  /// The bytes of a frame that show whether it is an encoder's header.
  static let telltaleLength = 44

  /// The number of following frames; nil if not stated.
  private(set) var frameCount: Int64?
  /// The bytes of the stream with this frame; nil if not stated.
  private(set) var byteCount: Int64?
  /// Whether libmpg123 knows that the frame holds no sound.
  let isKnownToDecoder: Bool
  private var delay = 0
  private var padding = 0

  /// - Parameter frame: the whole first frame.
  /// - Returns: nil if the frame holds sound.
  init?(_ frame: [UInt8], _ header: MpegFrameHeader) {
    let start = header.encoderHeaderOffset
    if header.isLayer3, frame.has("VBRI", at: Self.fixedOffset),
      frame[6..<Self.fixedOffset].allSatisfy({ $0 == 0 })
    {
      isKnownToDecoder = false
      return
    }
    isKnownToDecoder = true
    guard header.isLayer3, frame.count >= start + 8,
      frame.has("Xing", at: start) || frame.has("Info", at: start),
      frame[6..<start].allSatisfy({ $0 == 0 })
    else { return nil }
    let flags = frame.integer(at: start + 4, 4, .big)
    var position = start + 8
    func next(_ flag: UInt64, _ size: Int) -> Int? {
      guard flags & flag != 0 else { return nil }
      defer { position += size }
      return position + size <= frame.count ? position : nil
    }
    if let place = next(1, 4) { frameCount = Int64(frame.integer(at: place, 4, .big)) }
    if let place = next(2, 4) { byteCount = Int64(frame.integer(at: place, 4, .big)) }
    _ = next(4, 100)
    _ = next(8, 4)
    if frameCount == 0 { frameCount = nil }
    // The encoder's name and other fields take 21 bytes; then delay and padding follow, 12 bits each.
    guard position + 24 <= frame.count, frame[position] != 0 else { return }
    let word = Int(frame.integer(at: position + 21, 3, .big))
    delay = word >> 12
    padding = word & 0xFFF
  }

  /// The samples per channel that a decoder drops at the start.
  var skipped: Int64 { Int64(delay + Self.decoderDelay) }

  /// The samples per channel that libmpg123 returns for the first `count` frames: without both delays and the padding.
  func sampleCount(of count: Int64, framesOf size: Int) -> Int64 {
    let all = count * Int64(size)
    guard let frameCount else { return all }
    let end = frameCount * Int64(size) - Int64(padding) + Int64(Self.decoderDelay)
    return max(0, min(all, end) - skipped)
  }
}
