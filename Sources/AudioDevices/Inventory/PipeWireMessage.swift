// SPDX-License-Identifier: Apache-2.0
/// A message of PipeWire's native protocol, version 3; only the part that a list of nodes needs.
///
/// A header has four words in the machine's byte order: object, operation and length of the body, number, count of
/// descriptors. The body holds plain values, each with its length and its type, padded to eight bytes.
struct PipeWireMessage: Equatable {
  /// The objects of every connection, and the requested registry.
  enum Object {
    static let core: UInt32 = 0
    static let client: UInt32 = 1
    static let registry: UInt32 = 2
  }

  var object: UInt32
  var operation: UInt8
  var body: [Value]

  /// A plain value (a POD in PipeWire's words).
  indirect enum Value: Equatable {
    case int(Int32)
    case string(String)
    case structure([Value])
    /// A value of an unused type.
    case other(type: UInt32)
  }
}

extension PipeWireMessage.Value {
  private enum Kind {
    static let int: UInt32 = 4
    static let string: UInt32 = 8
    static let structure: UInt32 = 14
  }

  /// The deepest nesting of structures.
  private static let deepest = 4

  var int: Int32? { if case .int(let value) = self { value } else { nil } }
  var string: String? { if case .string(let value) = self { value } else { nil } }
  var structure: [Self]? { if case .structure(let values) = self { values } else { nil } }

  /// The dictionary of a structure in which keys and texts alternate behind their count.
  var dictionary: [String: String]? {
    guard let values = structure else { return nil }
    let pairs = values.dropFirst()
    var dictionary: [String: String] = [:]
    for place in stride(from: pairs.startIndex, to: pairs.endIndex - 1, by: 2) {
      if let key = pairs[place].string, let text = pairs[place + 1].string {
        dictionary[key] = text
      }
    }
    return dictionary
  }

  var bytes: [UInt8] {
    switch self {
    case .int(let value): Self.pack(Kind.int, PipeWireMessage.bytes(of: UInt32(bitPattern: value)))
    case .string(let text): Self.pack(Kind.string, Array(text.utf8) + [0])
    case .structure(let values): Self.pack(Kind.structure, values.flatMap(\.bytes))
    case .other(let type): Self.pack(type, [])
    }
  }

  private static func pack(_ type: UInt32, _ content: [UInt8]) -> [UInt8] {
    let padding = [UInt8](repeating: 0, count: -content.count & 7)
    return PipeWireMessage.bytes(of: UInt32(content.count)) + PipeWireMessage.bytes(of: type)
      + content + padding
  }

  /// Takes the values off `bytes`; leaves out a truncated last one.
  static func values(in bytes: ArraySlice<UInt8>, depth: Int = 0) -> [Self] {
    var values: [Self] = []
    var rest = bytes
    while let length = PipeWireMessage.word(in: rest, at: 0),
      let type = PipeWireMessage.word(in: rest, at: 1), Int(length) <= rest.count - 8
    {
      let content = rest.dropFirst(8).prefix(Int(length))
      switch type {
      case Kind.int:
        values.append(
          PipeWireMessage.word(in: content, at: 0).map { .int(Int32(bitPattern: $0)) } ?? .int(0))
      case Kind.string:
        values.append(.string(String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)))
      case Kind.structure where depth < deepest:
        values.append(.structure(Self.values(in: content, depth: depth + 1)))
      default: values.append(.other(type: type))
      }
      rest = rest.dropFirst(8 + (Int(length) + 7) & ~7)
    }
    return values
  }
}

extension PipeWireMessage {
  private static let headerSize = 16

  /// The message as the server reads it.
  ///
  /// - Parameter number: counts the messages of a connection.
  func bytes(number: UInt32) -> [UInt8] {
    let content = Value.structure(body).bytes
    let second = UInt32(operation) << 24 | UInt32(content.count)
    return [object, second, number, 0].flatMap { Self.bytes(of: $0) } + content
  }

  /// Takes the first message off `bytes`; nil if it is incomplete.
  init?(takenFrom bytes: inout ArraySlice<UInt8>) {
    guard let object = Self.word(in: bytes, at: 0), let second = Self.word(in: bytes, at: 1) else {
      return nil
    }
    let length = Int(second & 0xFF_FFFF)
    guard bytes.count >= Self.headerSize + length else { return nil }
    self.object = object
    operation = UInt8(second >> 24)
    // Later versions of the protocol add values behind the first.
    body = Value.values(in: bytes.dropFirst(Self.headerSize).prefix(length)).first?.structure ?? []
    bytes = bytes.dropFirst(Self.headerSize + length)
  }

  fileprivate static func bytes(of word: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: UInt32(littleEndian: word) >> (8 * $0)) }
  }

  fileprivate static func word(in bytes: ArraySlice<UInt8>, at index: Int) -> UInt32? {
    guard bytes.count >= 4 * (index + 1) else { return nil }
    return UInt32(bytes.integer(at: 4 * index, 4, .native))
  }
}
