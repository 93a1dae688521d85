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
  case severalInOgg = "Ogg with several sounds"
  case asf = "Windows Media (wma, asf)"
  case matroska = "Matroska or WebM"
  case avi = "AVI"
  case flash = "Flash video"
  case mpegProgram = "MPEG video"
  case mpegTransport = "an MPEG transport stream (ts, m2ts)"
  case ac3 = "AC-3"
  case dts = "DTS"
  case dsd = "DSD"
  case amr = "AMR"
  case realMedia = "RealMedia"
  case sbc = "SBC"

  /// - Parameter bytes: the beginning of a file, behind tags.
  init?(_ bytes: [UInt8]) {
    let kind = Self.beginnings.first { beginning in
      bytes.count >= beginning.offset + beginning.bytes.count
        && bytes[beginning.offset...].starts(with: beginning.bytes)
    }?.kind
    if let kind {
      self = kind
    } else if OggLinks.soundCount(bytes) > 1 {
      self = .severalInOgg
    } else if TransportPackets.size(bytes) != nil {
      self = .mpegTransport
    } else if SBCFrames.begin(bytes) {
      self = .sbc
    } else {
      return nil
    }
  }

  /// ffmpeg's demuxer where it knows such a file by its name only; nil otherwise.
  var demuxer: String? { self == .sbc ? "sbc" : nil }

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

  /// Further extensions of files with sound that ffmpeg reads.
  private static let decodedExtensions: Set<String> = [
    "3gp", "aa3", "ape", "dff", "dsf", "eac3", "m2ts", "m4v", "mlp", "mpc", "mpg", "mts", "ogv",
    "rm", "shn", "tak", "thd", "vob", "wmv",
  ]

  /// Whether the end of a file's name says that it holds sound and states its format. Files of MATLAB mostly hold none.
  package static func isSound(fileName: String) -> Bool {
    guard let end = fileName.fileExtension else { return false }
    if let container = Container(name: end) { return ![.raw, .mat4, .mat5].contains(container) }
    return foreignExtensions.contains(end) || decodedExtensions.contains(end)
  }

  /// Whether a file's name ends as that of one with moving pictures.
  package static func isVideo(_ path: String) -> Bool {
    path.fileExtension.map(videoExtensions.contains) ?? false
  }

  /// The advice for an output whose extension names a container that cannot be written; nil for an unknown extension.
  ///
  /// - Parameter video: the only input, if it has moving pictures.
  package static func advice(forOutput path: String, video: String? = nil) -> String? {
    guard let end = path.fileExtension, foreignExtensions.contains(end) else { return nil }
    if let video, isVideo(path) {
      let video = shellWord(video)
      return
        "the pictures go along with: rawaudio convert \(video) -o - | ffmpeg -i \(video) -i - -map 0:v"
        + " -map 1:a -c:v copy \(shellWord(path))"
    }
    return
      "write a WAV stream to standard output and let ffmpeg encode it: | ffmpeg -i - -c:v copy '\(path)'"
  }

  /// A path as one shell word, which no program mistakes for an option or an address.
  package static func shellWord(_ path: String) -> String {
    let isPlain = path.hasPrefix("/") || !(path.hasPrefix("-") || path.contains(":"))
    let parts = (isPlain ? path : "./" + path).split(
      separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: #"'\''"#) + "'"
  }
}

extension AudioError {
  /// The advice if the use of ffmpeg was not allowed.
  package static let ffmpegWouldDecode = "ffmpeg would decode it"
  /// The advice for moving pictures without sound.
  package static let silentPictures = "the sound of another file can be put into it"
}
