// SPDX-License-Identifier: Apache-2.0
/// The form of a container's chunks: the bytes of the identifier and of the size, and the padding.
enum ChunkForm {
  /// 4 + 4 bytes, padded to even.
  case riff(ByteOrder)
  /// 4 + 8 bytes, big-endian, not padded; a size of −1 = unknown.
  case caf
  /// 16 + 8 bytes, little-endian, padded to 8. The size includes these 24 bytes.
  case wave64
  /// A container without chunks.
  case none

  static let iff = ChunkForm.riff(.big)

  /// Only a fabricated file has more chunks.
  static let mostChunks = 1 << 16

  /// The bytes of the identifier and of the size.
  var headSize: Int {
    switch self {
    case .riff: 8
    case .caf: 12
    case .wave64: 24
    case .none: 0
    }
  }

  /// A size, or an offset, with the padding behind it.
  func padded(_ end: Int64) -> Int64 {
    switch self {
    case .riff: end + end & 1
    case .wave64: end + (-end & 7)
    case .caf, .none: end
    }
  }

  /// The end of the chunk that begins at `start` with `head`, without padding; nil if `head` is incomplete, or the size
  /// is unknown.
  func end(of head: [UInt8], at start: Int64) -> Int64? {
    guard head.count >= headSize else { return nil }
    let size: UInt64
    var content = start + Int64(headSize)
    switch self {
    case .riff(let order): size = head.integer(at: 4, 4, order)
    case .caf: size = head.integer(at: 4, 8, .big)
    case .wave64:
      size = head.integer(at: 16, 8, .little)
      content = start
    case .none: return nil
    }
    return size < 1 << 60 ? content + Int64(size) : nil
  }

  /// The name of a chunk: four printable characters.
  static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    guard bytes.count == 4, bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The numbers and the chunks in a header. Offsets count from the start of the sound.
struct HeaderFields {
  let window: FileWindow
  let start: Int64

  /// Returns fewer bytes if the header ends early.
  func bytes(_ count: Int, at offset: Int64) throws(AudioError) -> [UInt8] {
    try window.bytes(count, at: start + offset)
  }

  /// - Returns: nil if the header ends early, or the number does not fit.
  func number(_ size: Int, at offset: Int64, _ order: ByteOrder) throws(AudioError) -> Int64? {
    let bytes = try bytes(size, at: offset)
    return bytes.count == size ? Int64(exactly: bytes.integer(at: 0, size, order)) : nil
  }

  /// The content's place of the first chunk of this name, possibly beyond the window's end.
  ///
  /// - Parameter offset: the offset of the first chunk.
  func find(
    _ name: String, from offset: Int64, _ form: ChunkForm
  ) throws(AudioError) -> Range<Int64>? {
    var position = offset
    for _ in 0..<ChunkForm.mostChunks {
      let head = try bytes(form.headSize, at: position)
      let content = position + Int64(head.count)
      guard let end = form.end(of: head, at: position), content <= end else { return nil }
      if head.has(name, at: 0) { return content..<end }
      position += form.padded(end - position)
    }
    return nil
  }
}

/// The chunks behind the type of a RIFF list: names and contents, which are not copied. The sequence ends with the
/// list, or at bytes that are no chunk.
struct Subchunks: Sequence, IteratorProtocol {
  private var reader: ByteReader
  private let order: ByteOrder

  init(_ list: ArraySlice<UInt8>, _ order: ByteOrder) {
    reader = ByteReader(list)
    self.order = order
  }

  mutating func next() -> (name: String, content: ArraySlice<UInt8>)? {
    guard let name = reader.bytes(4).flatMap({ ChunkForm.name($0) }),
      let size = reader.integer(4, order), let content = reader.bytes(Int(size))
    else { return nil }
    if size % 2 == 1 { _ = reader.bytes(1) }
    return (name, content)
  }
}

extension [UInt8] {
  /// Appends a chunk as stored in RIFF, RIFX and AIFF files: name, size, content, padding to an even number.
  mutating func append(chunk name: String, _ content: [UInt8], _ order: ByteOrder) {
    self += name.utf8
    append(content.count, 4, order)
    self += content
    if content.count & 1 == 1 { append(0) }
  }
}
