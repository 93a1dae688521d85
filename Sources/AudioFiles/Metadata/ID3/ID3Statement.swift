// SPDX-License-Identifier: Apache-2.0
/// The texts that a frame states.
struct ID3Statement {
  private enum Form {
    /// Each text has this name.
    case plain(String)
    /// The frame's description is the name; it follows this prefix, if there is one.
    case described(ID3Text, behind: String)
    /// `3/12`, for a `TRACK` or a `DISC`.
    case number(String)
    case genres
  }

  private let form: Form
  private let texts: ID3Texts

  /// - Returns: nil if the frame states no text.
  init?(_ frame: ID3Tag.Frame) {
    let name = frame.identifier
    switch name {
    case "TXXX", "COMM", "USLT":
      let hasLanguage = name != "TXXX"
      guard !ID3Metadata.isPlayersOwn(frame),
        let (description, texts) = ID3Frames.described(frame.content, hasLanguage: hasLanguage)
      else { return nil }
      form = .described(description, behind: hasLanguage ? Self.key(name) : "")
      self.texts = texts
    case "UFID":
      guard let (key, text) = Self.identifier(frame.content) else { return nil }
      form = .plain(key)
      texts = text
    case "TRCK", "TPOS":
      form = .number(name == "TRCK" ? "TRACK" : "DISC")
      texts = ID3Frames.texts(frame.content)
    case "TCON":
      form = .genres
      texts = ID3Frames.texts(frame.content)
    default:
      guard !ID3Metadata.isOfFile(frame), name.hasPrefix("T"), name.utf8.count == 4 else {
        return nil
      }
      form = .plain(Self.key(name))
      texts = ID3Frames.texts(frame.content)
    }
    guard texts.contains(where: { !$0.stored.isEmpty }) else { return nil }
  }

  private static func key(_ name: String) -> String { TagNames.key(name, in: .id3) ?? name }

  /// The identifier in a `UFID` frame: the owner, a zero byte and the number. Only known owners count.
  private static func identifier(_ content: ArraySlice<UInt8>) -> (key: String, text: ID3Texts)? {
    let (owner, text) = ID3Frames.Encoding.latin1.first(content)
    guard owner.isShort,
      let key = TagNames.key("UFID:\(owner.decoded.uppercased())", in: .id3)
    else { return nil }
    return (key, ID3Frames.Encoding.latin1.texts(text))
  }

  var keys: [String] {
    let names =
      switch form {
      case .plain(let name): [name]
      case .described(let description, let name): [Self.name(description.decoded, behind: name)]
      case .number(let name): ["\(name)NUMBER", "\(name)TOTAL"]
      case .genres: ["GENRE"]
      }
    return names.compactMap(Metadata.Tags.key)
  }

  private static func name(_ description: String, behind name: String) -> String {
    if name.isEmpty {
      return TagNames.key("TXXX:\(description.uppercased())", in: .id3) ?? description
    }
    return description.isEmpty ? name : "\(name):\(description)"
  }

  /// Adds the texts to the metadata.
  ///
  /// - Returns: whether none was dropped.
  func add(to reading: inout MetadataReading) -> Bool {
    switch form {
    case .plain(let name): return add(name, to: &reading)
    case .described(let description, let name):
      guard description.stored.count <= reading.room else {
        reading.leaveOut(.texts)
        return false
      }
      return add(Self.name(description.decoded, behind: name), to: &reading)
    case .number(let name):
      return addParts(to: &reading) { ID3Metadata.numberAndTotal($0, name) }
    case .genres:
      return addParts(to: &reading) { text in Genres.names(text).map { ("GENRE", $0) } }
    }
  }

  private func add(_ key: String, to reading: inout MetadataReading) -> Bool {
    let name = reading.name(key)
    var isComplete = true
    for text in texts where !reading.add(name, text.stored, decoded: text.decoded) {
      isComplete = false
    }
    return isComplete
  }

  /// - Parameter parts: splits a text into parts with their names.
  private func addParts(
    to reading: inout MetadataReading, _ parts: (String) -> [(key: String, value: String)]
  ) -> Bool {
    var isComplete = true
    for text in texts {
      guard text.stored.count <= reading.room else {
        reading.leaveOut(.texts)
        isComplete = false
        continue
      }
      for (key, value) in parts(text.decoded) where !reading.add(reading.name(key), value) {
        isComplete = false
      }
    }
    return isComplete
  }
}
