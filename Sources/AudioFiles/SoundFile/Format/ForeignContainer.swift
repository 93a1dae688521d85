// SPDX-License-Identifier: Apache-2.0
/// Sound containers that libsndfile cannot read, recognised by their first bytes.
///
/// Sources: the "magic" numbers of file(1), and RFC 3533 for Ogg.
enum ForeignContainer: String, CaseIterable {
  case mpeg4 = "MPEG-4 (m4a, mp4, mov)"
  case adts = "AAC (ADTS)"
  case wavPack = "WavPack"
  case monkeysAudio = "Monkey's Audio (ape)"
  case trueAudio = "True Audio (tta)"
  case tak = "TAK"
  case musepack = "Musepack"
  case speex = "Speex"
  case oggFLAC = "FLAC in Ogg"
  case asf = "Windows Media (wma, asf)"
  case matroska = "Matroska or WebM"
  case avi = "AVI"
  case flash = "Flash video"
  case mpegProgram = "MPEG video"
  case ac3 = "AC-3"
  case dts = "DTS"
  case dsd = "DSD"
  case amr = "AMR"
  case realMedia = "RealMedia"

  /// - Parameter bytes: the beginning of a file, behind tags.
  init?(_ bytes: [UInt8]) {
    let kind = Self.beginnings.first { beginning in
      bytes.count >= beginning.offset + beginning.bytes.count
        && bytes[beginning.offset...].starts(with: beginning.bytes)
    }?.kind
    guard let kind else { return nil }
    self = kind
  }

  /// Whether the first bytes are too long to occur by chance.
  var isLikeNothingElse: Bool { self != .adts && self != .ac3 }

  var reason: String { Self.reason(rawValue) }

  static func reason(_ kind: String) -> String { "it is \(kind), \(refusal)" }

  /// Whether `error` reports one of these containers.
  static func isReason(of error: AudioError) -> Bool { error.reason.hasSuffix(refusal) }

  private static let refusal = "which libsndfile does not read"

  private static let beginnings: [(kind: ForeignContainer, offset: Int, bytes: [UInt8])] = [
    (.mpeg4, 4, Array("ftyp".utf8)), (.mpeg4, 4, Array("moov".utf8)),
    (.adts, 0, [0xFF, 0xF1]), (.adts, 0, [0xFF, 0xF9]), (.adts, 0, Array("ADIF".utf8)),
    (.wavPack, 0, Array("wvpk".utf8)), (.monkeysAudio, 0, Array("MAC ".utf8)),
    (.trueAudio, 0, Array("TTA1".utf8)), (.trueAudio, 0, Array("TTA2".utf8)),
    (.tak, 0, Array("tBaK".utf8)), (.musepack, 0, Array("MPCK".utf8)),
    (.musepack, 0, Array("MP+".utf8)),
    // A first page has one segment: 28 bytes before its packet.
    (.speex, 28, Array("Speex   ".utf8)), (.oggFLAC, 28, [0x7F] + Array("FLAC".utf8)),
    (.asf, 0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11]),
    (.matroska, 0, [0x1A, 0x45, 0xDF, 0xA3]), (.avi, 8, Array("AVI ".utf8)),
    (.flash, 0, Array("FLV".utf8)), (.mpegProgram, 0, [0x00, 0x00, 0x01, 0xBA]),
    (.ac3, 0, [0x0B, 0x77]), (.dts, 0, [0x7F, 0xFE, 0x80, 0x01]),
    (.dsd, 0, Array("DSD ".utf8)), (.dsd, 0, Array("FRM8".utf8)), (.amr, 0, Array("#!AMR".utf8)),
    (.realMedia, 0, Array(".RMF".utf8)), (.realMedia, 0, Array(".ra".utf8) + [0xFD]),
  ]
}

extension Container {
  /// Extensions of files that ffmpeg writes, but this library does not.
  private static let foreignExtensions: Set<String> = [
    "m4a", "m4b", "mp4", "mov", "aac", "wv", "tta", "spx", "wma", "asf", "mka", "mkv", "webm",
    "avi", "flv", "ac3", "dts", "amr", "ra", "ts",
  ]

  /// The extensions of files with moving pictures.
  private static let videoExtensions: Set<String> = [
    "mp4", "mov", "asf", "mkv", "webm", "avi", "flv", "ts",
  ]

  /// The advice for an output whose extension names a container that cannot be written; nil for an unknown extension.
  ///
  /// - Parameter film: the only input, if it has moving pictures.
  package static func advice(forOutput path: String, film: String? = nil) -> String? {
    guard let end = path.fileExtension, foreignExtensions.contains(end) else { return nil }
    if let film, videoExtensions.contains(end) {
      let film = shellWord(film)
      return
        "the pictures go along with: rawaudio convert \(film) -o - | ffmpeg -i \(film) -i - -map 0:v"
        + " -map 1:a -c:v copy \(shellWord(path))"
    }
    return
      "write a WAV stream to standard output and let ffmpeg encode it: | ffmpeg -i - -c:v copy '\(path)'"
  }

  /// A path as one shell word, which no program mistakes for an option or an address.
  private static func shellWord(_ path: String) -> String {
    let isPlain = path.hasPrefix("/") || !(path.hasPrefix("-") || path.contains(":"))
    let parts = (isPlain ? path : "./" + path).split(
      separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }
}

extension AudioError {
  /// The advice if the use of ffmpeg was not allowed.
  package static let ffmpegWouldDecode = "ffmpeg would decode it"
}

/// The frames of a stream of AC-3 or Enhanced AC-3.
///
/// Source: ATSC A/52:2018, sections 5.3, 5.4.1 and E.1.2.
enum AC3Frames {
  /// The frames in a row that distinguish a stream from bytes that look like one.
  private static let likelyCount = 8

  /// Whether a file begins with several frames, or consists of a single one.
  static func fill(_ window: FileWindow) throws(AudioError) -> Bool {
    var position = window.range.lowerBound
    var count = 0
    while count < likelyCount, let size = size(try window.bytes(6, at: position)),
      position + Int64(size) <= window.range.upperBound
    {
      count += 1
      position += Int64(size)
    }
    return count > 1 || count == 1 && position == window.range.upperBound
  }

  private static let kilobits = [
    32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384, 448, 512, 576, 640,
  ]

  /// The bytes of the frame that begins with `head`; nil if `head` is no frame's.
  private static func size(_ head: [UInt8]) -> Int? {
    guard head.count == 6, head[0] == 0x0B, head[1] == 0x77 else { return nil }
    let version = head[5] >> 3
    guard version <= 16 else { return nil }
    if version > 10 { return 2 * (Int(head.integer(at: 2, 2, .big) & 0x7FF) + 1) }
    let code = Int(head[4] & 0x3F)
    guard code < 2 * kilobits.count else { return nil }
    let rate = kilobits[code / 2]
    switch head[4] >> 6 {
    case 0: return 4 * rate
    // 1,536 samples at 44,100 Hz, in words of 16 bits.
    case 1: return 2 * (rate * 1_000 * 1_536 / 44_100 / 16 + code % 2)
    case 2: return 6 * rate
    default: return nil
    }
  }
}
