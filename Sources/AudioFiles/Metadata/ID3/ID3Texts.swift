// SPDX-License-Identifier: Apache-2.0
/// A text in its frame's encoding.
struct ID3Text {
  let stored: ArraySlice<UInt8>
  let encoding: ID3Frames.Encoding
  /// The byte order of UTF-16 without a byte order mark.
  var order = ByteOrder.little

  /// Whether it is short enough for a picture: 64 KiB at most.
  var isShort: Bool { stored.count <= 1 << 16 }

  var decoded: String { decoded(stored) }

  /// Decodes other bytes in this text's encoding.
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
  /// The unread bytes.
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

  /// Whether any text is not empty.
  var saySomething: Bool { contains { !$0.stored.isEmpty } }

  private var pairOfZeros: Int? {
    stride(from: rest.startIndex, to: rest.endIndex - 1, by: 2).first { place in
      rest[place] == 0 && rest[place + 1] == 0
    }
  }
}
