// SPDX-License-Identifier: Apache-2.0
/// The origin of a recording: the `bext` chunk of the Broadcast Wave Format.
///
/// Source: EBU Tech 3285, version 2 (2011); versions 0 and 1 are subsets.
extension Metadata {
  public struct BroadcastExtension: Sendable, Equatable {
    /// At most 256 characters, in ASCII like all texts here.
    public var description = ""
    /// The maker of the recording; at most 32 characters.
    public var originator = ""
    /// A unique reference of the recording; at most 32 characters.
    public var originatorReference = ""
    /// `yyyy-mm-dd`.
    public var originationDate = ""
    /// `hh:mm:ss`.
    public var originationTime = ""
    /// Samples per channel from midnight to the first one.
    public var timeReference: UInt64 = 0
    /// 0, 1 (with ``materialIdentifier``) or 2 (with ``loudness``, too).
    public var version = 1
    /// The SMPTE UMID, 64 bytes; empty if there is none.
    public var materialIdentifier: [UInt8] = []
    /// The loudness; nil if it is not stated.
    public var loudness: Loudness?
    /// A line for each processing step of the sound.
    public var codingHistory = ""

    public init() {}
  }

  /// The measures of EBU R 128, each in steps of 0.01; nil if not measured.
  public struct Loudness: Sendable, Equatable {
    /// The integrated loudness in LUFS.
    public var integrated: Double?
    /// The loudness range in LU.
    public var range: Double?
    /// The highest true peak in dBTP.
    public var highestTruePeak: Double?
    /// The highest momentary loudness in LUFS.
    public var highestMomentary: Double?
    /// The highest short-term loudness in LUFS.
    public var highestShortTerm: Double?

    public init() {}

    package var isEmpty: Bool { self == Loudness() }
  }
}

extension Metadata.BroadcastExtension {
  /// Adds a line for one more step, unless the last line is equal.
  ///
  /// Source: EBU R 98-1999, "Format for the CodingHistory field".
  package mutating func add(toHistory line: String) {
    var text = codingHistory[...]
    while text.last?.isNewline == true { text.removeLast() }
    let start = text.lastIndex(where: \.isNewline).map { text.index(after: $0) }
    guard text[(start ?? text.startIndex)...] != line else { return }
    if let last = codingHistory.last, !last.isNewline { codingHistory += "\r\n" }
    codingHistory += line + "\r\n"
  }

  /// Returns the line for samples that are stored uncompressed.
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
