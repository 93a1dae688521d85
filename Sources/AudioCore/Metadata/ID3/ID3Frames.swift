// SPDX-License-Identifier: Apache-2.0
/// What the frames of a tag are called, and how they store texts.
///
/// Sources: id3.org, "ID3 tag version 2.4.0 - Native Frames" and the same of versions 2.3.0 and 2.2.0.
enum ID3Frames {
  /// The names of versions 2.2 and 2.3 where 2.4 has another one.
  static let newNames = [
    "TT1": "TIT1", "TT2": "TIT2", "TT3": "TIT3", "TP1": "TPE1", "TP2": "TPE2", "TP3": "TPE3",
    "TP4": "TPE4", "TCM": "TCOM", "TXT": "TEXT", "TLA": "TLAN", "TCO": "TCON", "TAL": "TALB",
    "TPA": "TPOS", "TRK": "TRCK", "TRC": "TSRC", "TYE": "TYER", "TDA": "TDAT", "TIM": "TIME",
    "TRD": "TRDA", "TMT": "TMED", "TFT": "TFLT", "TBP": "TBPM", "TCR": "TCOP", "TPB": "TPUB",
    "TEN": "TENC", "TSS": "TSSE", "TOF": "TOFN", "TLE": "TLEN", "TSI": "TSIZ", "TDY": "TDLY",
    "TKE": "TKEY", "TOT": "TOAL", "TOA": "TOPE", "TOL": "TOLY", "TOR": "TDOR", "TXX": "TXXX",
    "TS2": "TSO2", "TSA": "TSOA", "TSC": "TSOC", "TSP": "TSOP", "TST": "TSOT", "TCP": "TCMP",
    "COM": "COMM", "ULT": "USLT", "UFI": "UFID", "CNT": "PCNT", "POP": "POPM", "GEO": "GEOB",
    "SLT": "SYLT", "WAF": "WOAF", "WAR": "WOAR", "WAS": "WOAS", "WCM": "WCOM", "WCP": "WCOP",
    "WPB": "WPUB", "WXX": "WXXX", "MCI": "MCDI", "ETC": "ETCO", "TORY": "TDOR",
  ]

  /// The texts of version 2.4 that have no other name than their frame's.
  static let otherTexts: Set = [
    "TDEN", "TDLY", "TDRL", "TDTG", "TIPL", "TMCL", "TOFN", "TOLY", "TOWN", "TPRO", "TRSN", "TRSO",
    "TSST", "TCMP",
  ]

  /// How a text is stored, the number that stands in front of it.
  enum Encoding: UInt8 {
    case latin1 = 0
    /// In the order that its first character tells.
    case utf16 = 1
    case utf16BigEndian = 2
    case utf8 = 3

    /// Where a text ends.
    private var terminatorSize: Int { self == .utf16 || self == .utf16BigEndian ? 2 : 1 }

    /// The texts of `bytes`, each but the last followed by zeros.
    func texts(_ bytes: some Collection<UInt8>) -> [String] {
      var bytes = ArraySlice(Array(bytes))
      var texts: [String] = []
      var order: ByteOrder?
      while let text = take(&bytes) { texts.append(decoded(text, &order)) }
      while texts.last?.isEmpty == true { texts.removeLast() }
      return texts
    }

    /// The text in front of the first zeros, and what stands behind them.
    func first(_ bytes: some Collection<UInt8>) -> (text: String, rest: [UInt8]) {
      var rest = ArraySlice(Array(bytes))
      var order: ByteOrder?
      let text = take(&rest).map { decoded($0, &order) } ?? ""
      return (text, Array(rest))
    }

    private func take(_ bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
      guard !bytes.isEmpty else { return nil }
      let size = terminatorSize
      let end =
        stride(from: bytes.startIndex, through: bytes.endIndex - size, by: size).first { place in
          bytes[place..<place + size].allSatisfy { $0 == 0 }
        } ?? bytes.endIndex
      defer { bytes = bytes[min(bytes.endIndex, end + size)...] }
      return bytes[..<end]
    }

    /// - Parameter order: that of the texts before, which the later ones need not tell again.
    private func decoded(_ bytes: ArraySlice<UInt8>, _ order: inout ByteOrder?) -> String {
      switch self {
      case .latin1: return StoredText.latin1(bytes)
      case .utf8: return StoredText.decoded(bytes)
      case .utf16BigEndian: return StoredText.utf16(Array(bytes), .big)
      case .utf16:
        if bytes.starts(with: [0xFE, 0xFF]) { order = .big }
        if bytes.starts(with: [0xFF, 0xFE]) { order = .little }
        return StoredText.utf16(Array(bytes), order ?? .little)
      }
    }
  }

  /// The texts of a frame that holds nothing else.
  static func texts(_ content: [UInt8]) -> [String] {
    guard let encoding = content.first.flatMap({ Encoding(rawValue: $0) }) else { return [] }
    return encoding.texts(content.dropFirst())
  }

  /// What a frame says of itself, and its text: TXXX, and with a language COMM and USLT.
  static func described(
    _ content: [UInt8], hasLanguage: Bool
  ) -> (description: String, texts: [String])? {
    let start = hasLanguage ? 4 : 1
    guard content.count >= start, let encoding = Encoding(rawValue: content[0]) else { return nil }
    let (description, rest) = encoding.first(content[start...])
    return (description, encoding.texts(rest))
  }

  /// The picture of an APIC frame, or of a PIC frame of version 2.2.
  static func picture(_ content: [UInt8], isOld: Bool) -> Metadata.Picture? {
    guard content.count >= 6, let encoding = Encoding(rawValue: content[0]) else { return nil }
    var picture = Metadata.Picture()
    var rest: [UInt8]
    if isOld {
      let format = String(decoding: content[1..<4], as: UTF8.self).lowercased()
      picture.mimeType = format == "-->" ? format : "image/\(format == "jpg" ? "jpeg" : format)"
      rest = Array(content[4...])
    } else {
      let (type, behind) = Encoding.latin1.first(content[1...])
      picture.mimeType = type
      rest = behind
    }
    guard let kind = rest.first else { return nil }
    picture.kind = Int(kind)
    (picture.description, rest) = encoding.first(rest.dropFirst())
    guard !rest.isEmpty else { return nil }
    picture.data = rest
    return picture
  }

  /// The content of an APIC frame.
  static func content(of picture: Metadata.Picture) -> [UInt8] {
    let kind = UInt8(exactly: picture.kind) ?? 0
    let head = [3] + Array(picture.mimeType.utf8) + [0, kind]
    return head + Array(picture.description.utf8) + [0] + picture.data
  }
}
