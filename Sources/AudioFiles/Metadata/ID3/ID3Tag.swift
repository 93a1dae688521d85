// SPDX-License-Identifier: Apache-2.0
/// A tag of version 2: a head and frames.
///
/// Sources: id3.org, "ID3 tag version 2.4.0 - Main Structure", "ID3 tag version 2.3.0", "ID3 tag version 2.2.0".
struct ID3Tag: Equatable {
  static let identifier = "ID3v2"

  struct Frame: Equatable {
    /// The name in version 2.4; three characters if that version has no such frame.
    var identifier: String
    /// The content without unsynchronisation; a slice of the tag's bytes if nothing was removed.
    var content: ArraySlice<UInt8>
    /// Whether it is compressed or encrypted, so that its content is unreadable.
    var isOpaque: Bool

    init(_ identifier: String, _ content: ArraySlice<UInt8>, isOpaque: Bool = false) {
      self.identifier = identifier
      self.content = content
      self.isOpaque = isOpaque
    }
  }

  static let headSize = 10

  /// 2, 3 or 4.
  private(set) var version = 4
  private(set) var frames: [Frame] = []
  /// The number of frames behind the last one read.
  private(set) var furtherCount = 0

  /// - Returns: nil if the bytes do not begin with a complete tag of a known version.
  init?(_ bytes: [UInt8]) {
    guard let all = Self.size(bytes), bytes.count >= all, (2...4).contains(bytes[3]) else {
      return nil
    }
    version = Int(bytes[3])
    let flags = bytes[5]
    let footer = flags & 0x10 != 0 && version == 4 ? Self.headSize : 0
    var body = bytes[Self.headSize..<all - footer]
    let isUnsynchronised = flags & 0x80 != 0
    if version < 4, isUnsynchronised { body = Self.synchronised(body) }
    var reader = ByteReader(body)
    if flags & 0x40 != 0 {
      // In version 2.2 the flag is compression, which was never specified.
      guard version > 2, let size = reader.integer(4, .big) else { return nil }
      let rest = version == 4 ? Int(Self.synchsafe(size) ?? 0) - 4 : Int(size)
      guard reader.bytes(rest) != nil else { return nil }
    }
    take(&reader, isUnsynchronised)
  }

  /// Reads frames of version `version` without a tag's head.
  init(framesOf body: ArraySlice<UInt8>, _ version: Int) {
    self.version = version
    var reader = ByteReader(body)
    take(&reader, false)
  }

  private mutating func take(_ reader: inout ByteReader, _ isUnsynchronised: Bool) {
    while let next = Self.frame(&reader, version, isUnsynchronised) {
      guard let frame = next.frame else { continue }
      if frames.count < Metadata.mostChunks {
        frames.append(frame)
      } else {
        furtherCount += 1
      }
    }
  }

  /// The size of a tag that begins with `head`, with its head and foot; nil if none does.
  static func size(_ head: [UInt8]) -> Int? {
    guard head.has("ID3", at: 0) else { return nil }
    return statedSize(head)
  }

  /// The size stated by a head or foot. The first three letters are not checked.
  static func statedSize(_ head: [UInt8]) -> Int? {
    guard head.count >= headSize, head[3] != 0xFF, head[4] != 0xFF,
      let content = synchsafe(head.integer(at: 6, 4, .big))
    else { return nil }
    let hasFooter = head[5] & 0x10 != 0 && head[3] >= 4
    return headSize + Int(content) + (hasFooter ? headSize : 0)
  }

  /// Decodes a number of seven bits per byte; nil if a byte has more.
  private static func synchsafe(_ stored: UInt64) -> UInt64? {
    guard stored & 0x8080_8080 == 0 else { return nil }
    var size: UInt64 = 0
    for place: UInt64 in 0..<4 { size |= (stored >> (8 * place) & 0x7F) << (7 * place) }
    return size
  }

  /// Removes the zero bytes that keep tags from looking like frames of MPEG.
  private static func synchronised(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isBehindOnes = false
    for byte in bytes {
      if !(isBehindOnes && byte == 0) { result.append(byte) }
      isBehindOnes = byte == 0xFF
    }
    return result[...]
  }

  /// Reads the next frame.
  ///
  /// - Returns: nil if no frame follows; a nil frame if it is unreadable or empty.
  private static func frame(
    _ reader: inout ByteReader, _ version: Int, _ isUnsynchronised: Bool
  ) -> (frame: Frame?, Void)? {
    guard let name = name(reader.ahead, version), reader.bytes(name.utf8.count) != nil,
      let stated = reader.integer(version == 2 ? 3 : 4, .big),
      let flags = version == 2 ? 0 : reader.integer(2, .big)
    else { return nil }
    let size = version == 4 ? size(stated, in: reader.ahead) : Int(stated)
    guard size >= 0, var content = reader.bytes(size) else { return nil }
    // Others may follow an empty frame.
    guard size > 0 else { return (nil, ()) }
    guard version > 2 else {
      return (Frame(ID3Frames.newNames[name] ?? name, content), ())
    }
    let isNew = version == 4
    let isOpaque = flags & (isNew ? 0x0C : 0xC0) != 0
    if isNew, !isOpaque, flags & 0x02 != 0 || isUnsynchronised {
      content = synchronised(content)
    }
    // The frame's group, and the size before unsynchronisation.
    var extra = flags & (isNew ? 0x40 : 0x20) != 0 ? 1 : 0
    if isNew, flags & 0x01 != 0 { extra += 4 }
    guard isOpaque || content.count >= extra else { return (nil, ()) }
    if !isOpaque { content = content.dropFirst(extra) }
    let identifier = isNew ? name : ID3Frames.newNames[name] ?? name
    return (Frame(identifier, content, isOpaque: isOpaque), ())
  }

  /// The name of the frame that begins there: capitals and digits.
  private static func name(_ bytes: ArraySlice<UInt8>, _ version: Int) -> String? {
    let name = bytes.prefix(version == 2 ? 3 : 4)
    guard name.count == (version == 2 ? 3 : 4),
      name.allSatisfy({ (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) })
    else { return nil }
    return String(decoding: name, as: UTF8.self)
  }

  /// The size of a frame of version 2.4. Some programs write it with eight bits per byte: the next frame decides.
  private static func size(_ stated: UInt64, in bytes: ArraySlice<UInt8>) -> Int {
    guard let size = synchsafe(stated) else { return Int(stated) }
    func isEnd(_ size: UInt64) -> Bool {
      guard size <= UInt64(bytes.count) else { return false }
      let next = bytes.dropFirst(Int(size))
      return next.isEmpty || next.first == 0 || name(next, 4) != nil
    }
    return size != stated && !isEnd(size) && isEnd(stated) ? Int(stated) : Int(size)
  }
}
