// SPDX-License-Identifier: Apache-2.0
/// The names of frames, and the encodings of their texts.
///
/// Sources: id3.org, "ID3 tag version 2.4.0 - Native Frames" and the same of versions 2.3.0 and 2.2.0.
enum ID3Frames {
  /// The names in versions 2.2 and 2.3 that differ from those in 2.4.
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

  /// The texts of version 2.4 whose key is the frame's name.
  static let otherTexts: Set = [
    "TDEN", "TDLY", "TDRL", "TDTG", "TIPL", "TMCL", "TOFN", "TOLY", "TOWN", "TPRO", "TRSN", "TRSO",
  ]

  /// The encoding of a text: the byte in front of it.
  enum Encoding: UInt8 {
    case latin1 = 0
    /// In the byte order of its first character.
    case utf16 = 1
    case utf16BigEndian = 2
    case utf8 = 3

    /// The number of zero bytes that end a text.
    var terminatorSize: Int { self == .utf16 || self == .utf16BigEndian ? 2 : 1 }

    /// The texts of `bytes`, separated by zeros.
    func texts(_ bytes: ArraySlice<UInt8>) -> ID3Texts { ID3Texts(bytes, self) }

    /// The text up to the first zeros, and the bytes behind them.
    func first(_ bytes: ArraySlice<UInt8>) -> (text: ID3Text, rest: ArraySlice<UInt8>) {
      var texts = texts(bytes)
      let text = texts.next() ?? ID3Text(stored: [], encoding: self)
      return (text, texts.rest)
    }
  }

  /// The texts of a frame without other fields; empty if their encoding is unknown.
  static func texts(_ content: ArraySlice<UInt8>) -> ID3Texts {
    guard let encoding = content.first.flatMap({ Encoding(rawValue: $0) }) else {
      return ID3Texts([], .utf8)
    }
    return encoding.texts(content.dropFirst())
  }

  /// The description and the texts of a TXXX frame, or of a COMM or USLT frame with its language.
  static func described(
    _ content: ArraySlice<UInt8>, hasLanguage: Bool
  ) -> (description: ID3Text, texts: ID3Texts)? {
    let start = hasLanguage ? 4 : 1
    guard content.count >= start, let encoding = content.first.flatMap({ Encoding(rawValue: $0) })
    else { return nil }
    let (description, rest) = encoding.first(content.dropFirst(start))
    return (description, encoding.texts(rest))
  }

  /// The picture of an APIC frame, or of a PIC frame of version 2.2.
  static func picture(_ content: ArraySlice<UInt8>, isOld: Bool) -> Metadata.Picture? {
    guard content.count >= 6, let encoding = content.first.flatMap({ Encoding(rawValue: $0) })
    else { return nil }
    let mediaType: String
    var rest = content.dropFirst()
    if isOld {
      let format = String(decoding: rest.prefix(3), as: UTF8.self).lowercased()
      mediaType = format == "-->" ? format : "image/\(format == "jpg" ? "jpeg" : format)"
      rest = rest.dropFirst(3)
    } else {
      let (type, behind) = Encoding.latin1.first(rest)
      guard type.isShort else { return nil }
      mediaType = type.decoded
      rest = behind
    }
    guard let kind = rest.first else { return nil }
    let (description, data) = encoding.first(rest.dropFirst())
    guard description.isShort, !data.isEmpty else { return nil }
    return Metadata.Picture(
      data, kind: .init(rawValue: Int(kind)), mediaType: mediaType,
      description: description.decoded)
  }

  static func content(of picture: Metadata.Picture) -> [UInt8] {
    let kind = UInt8(exactly: picture.kind.rawValue) ?? 0
    let head = [3] + Array(picture.mediaType.utf8) + [0, kind]
    return head + Array(picture.description.utf8) + [0] + picture.bytes
  }
}

/// A text in its frame's encoding.
struct ID3Text {
  let stored: ArraySlice<UInt8>
  let encoding: ID3Frames.Encoding
  /// The byte order of UTF-16 without a byte order mark.
  var order = ByteOrder.little

  /// Whether it is short enough for a picture: 64 KiB at most.
  var isShort: Bool { stored.count <= 1 << 16 }

  var decoded: String { decoded(stored) }

  func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    switch encoding {
    case .latin1: StoredText.latin1(bytes)
    case .utf8: StoredText.decoded(bytes)
    case .utf16: StoredText.utf16(bytes, order)
    case .utf16BigEndian: StoredText.utf16(bytes, .big)
    }
  }
}

/// The texts of a frame in sequence, of any number. They are decoded on demand.
struct ID3Texts: Sequence, IteratorProtocol {
  private(set) var rest: ArraySlice<UInt8>
  private let encoding: ID3Frames.Encoding
  /// The byte order of the texts before. Later texts need not repeat it.
  private var order = ByteOrder.little

  init(_ bytes: ArraySlice<UInt8>, _ encoding: ID3Frames.Encoding) {
    rest = bytes
    self.encoding = encoding
  }

  mutating func next() -> ID3Text? {
    guard !rest.isEmpty else { return nil }
    let size = encoding.terminatorSize
    let end = size == 1 ? rest.firstIndex(of: 0) : pairOfZeros
    let stored = rest[..<(end ?? rest.endIndex)]
    rest = rest[stored.endIndex...].dropFirst(size)
    if let mark = StoredText.byteOrderMark(stored) { order = mark }
    return ID3Text(stored: stored, encoding: encoding, order: order)
  }

  private var pairOfZeros: Int? {
    stride(from: rest.startIndex, to: rest.endIndex - 1, by: 2).first { place in
      rest[place] == 0 && rest[place + 1] == 0
    }
  }
}
