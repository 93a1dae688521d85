// SPDX-License-Identifier: Apache-2.0
/// A text as a frame stores it.
struct ID3Text {
  let stored: ArraySlice<UInt8>
  let encoding: ID3Frames.Encoding
  /// Of UTF-16, where it does not tell it itself.
  var order = ByteOrder.little

  /// Whether it may be said of a picture: 64 KiB at most.
  var isShort: Bool { stored.count <= 1 << 16 }

  var decoded: String { decoded(stored) }

  /// Of these bytes in its place.
  func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    switch encoding {
    case .latin1: StoredText.latin1(bytes)
    case .utf8: StoredText.decoded(bytes)
    case .utf16: StoredText.utf16(bytes, order)
    case .utf16BigEndian: StoredText.utf16(bytes, .big)
    }
  }
}

/// The texts of a frame, one after the other, of which any number may stand there. They are decoded when they are asked
/// for it.
struct ID3Texts: Sequence, IteratorProtocol {
  /// What is not looked at yet.
  private(set) var rest: ArraySlice<UInt8>
  private let encoding: ID3Frames.Encoding
  /// That of the texts before, which the later ones need not tell again.
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

  /// Whether there is a text that is not empty.
  var saySomething: Bool { contains { !$0.stored.isEmpty } }

  private var pairOfZeros: Int? {
    stride(from: rest.startIndex, to: rest.endIndex - 1, by: 2).first { place in
      rest[place] == 0 && rest[place + 1] == 0
    }
  }
}
