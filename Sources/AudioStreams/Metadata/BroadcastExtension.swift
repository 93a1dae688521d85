// SPDX-License-Identifier: Apache-2.0
/// Where a recording comes from: the `bext` chunk of the Broadcast Wave Format.
///
/// Source: EBU Tech 3285, version 2 (2011), of which versions 0 and 1 have a part.
extension Metadata {
  public struct BroadcastExtension: Sendable, Equatable {
    /// At most 256 characters, as all texts of ASCII.
    public var description = ""
    /// Who made it; at most 32 characters.
    public var originator = ""
    /// A reference that is unique to it; at most 32 characters.
    public var originatorReference = ""
    /// `yyyy-mm-dd`.
    public var originationDate = ""
    /// `hh:mm:ss`.
    public var originationTime = ""
    /// Samples per channel from midnight to the first one.
    public var timeReference: UInt64 = 0
    /// 0, 1 (with ``materialIdentifier``) or 2 (with ``loudness``, too).
    public var version = 1
    /// The SMPTE UMID, 64 bytes; empty where there is none.
    public var materialIdentifier: [UInt8] = []
    /// How loud it is; nil where nothing says so.
    public var loudness: Loudness?
    /// A line for each step that the sound went through.
    public var codingHistory = ""

    public init() {}
  }

  /// What EBU R 128 measures; each in steps of 0.01, nil where it was not measured.
  public struct Loudness: Sendable, Equatable {
    /// Integrated, in LUFS.
    public var integrated: Double?
    /// In LU.
    public var range: Double?
    /// In dBTP.
    public var highestTruePeak: Double?
    /// In LUFS.
    public var highestMomentary: Double?
    /// In LUFS.
    public var highestShortTerm: Double?

    public init() {}

    package var isEmpty: Bool { self == Loudness() }
  }
}

extension Metadata.BroadcastExtension {
  /// With a line for one more step, unless the last one says the same.
  ///
  /// Source: EBU R 98-1999, "Format for the CodingHistory field".
  package mutating func add(toHistory line: String) {
    let text = codingHistory[...].trimmedEnd
    let start = text.lastIndex(where: \.isNewline).map { text.index(after: $0) }
    guard text[(start ?? text.startIndex)...] != line else { return }
    if let last = codingHistory.last, !last.isNewline { codingHistory += "\r\n" }
    codingHistory += line + "\r\n"
  }

  /// The line of samples that are stored as they are.
  package static func historyLine(_ format: StreamFormat, _ encoding: SampleEncoding) -> String {
    var line = "A=PCM,F=\(format.sampleRate),W=\(encoding.significantBits)"
    switch format.channelCount {
    case 1: line += ",M=mono"
    case 2: line += ",M=stereo"
    default: break
    }
    let kind =
      switch encoding {
      case .f32, .f64: ";float"
      case .ulaw, .alaw: ";\(encoding.rawValue)"
      default: ""
      }
    let channels = format.channelCount > 2 ? ";\(format.channelCount) channels" : ""
    return line + ",T=rawaudio\(kind)\(channels)"
  }
}

extension Substring {
  /// Without line breaks at the end.
  fileprivate var trimmedEnd: Substring {
    guard let last = lastIndex(where: { !$0.isNewline }) else { return "" }
    return self[...last]
  }
}
