// SPDX-License-Identifier: Apache-2.0
/// What pieces of a file say, gathered from one after the other: within limits, so that no file takes more memory than
/// a file with much to say needs, and what is left out is counted.
struct MetadataReading {
  /// How many texts, marks and loops there may be, of each.
  static let mostEntries = 65_536
  static let mostPictures = 4_096
  /// How many bytes all texts may have together, 2 MiB; with their names, as UTF-8. Who shows them has them several times.
  static let mostTextBytes = 1 << 21

  var metadata = Metadata()
  private(set) var leftOut = LeftOut()
  private var family = Metadata.Family.riff
  /// How many bytes of texts may still come.
  private(set) var room = Self.mostTextBytes
  /// Where the texts of the piece begin that is being read.
  private var firstText = 0
  private var pictures = KnownPictures()

  /// What follows is said by another piece. Of a name the first piece counts that has it.
  mutating func beginPiece(of family: Metadata.Family) {
    self.family = family
    firstText = metadata.tags.entries.count
    pictures.beginPiece()
  }

  /// Notes that something of the piece is not taken in.
  mutating func leaveOut(_ kind: LeftOut.Kind, _ count: Int = 1) {
    if count > 0 { leftOut.add(count, kind, of: family) }
  }
}

extension MetadataReading {
  /// The name of texts that follow.
  struct Name {
    /// Nil where no tag can have it.
    fileprivate let key: String?
    /// Whether an earlier piece says texts of this name.
    fileprivate let isSaid: Bool
  }

  /// Looks a name up, once for all its texts.
  func name(_ text: String) -> Name {
    let key = Metadata.Tags.key(text)
    let first = key.flatMap { metadata.tags.firstPlace(of: $0) }
    return Name(key: key, isSaid: first.map { $0 < firstText } ?? false)
  }

  /// Takes a text that has not been decoded yet.
  ///
  /// - Returns: whether there was room for it.
  @discardableResult
  mutating func add(
    _ name: Name, _ stored: ArraySlice<UInt8>,
    decoded: (ArraySlice<UInt8>) -> String = { StoredText.decoded($0) }
  ) -> Bool {
    guard !name.isSaid, !stored.isEmpty else { return true }
    guard stored.count <= room, hasPlace else {
      leaveOut(.texts)
      return false
    }
    return add(name, decoded(stored))
  }

  @discardableResult
  mutating func add(_ name: Name, _ value: String) -> Bool {
    guard !name.isSaid, !value.isEmpty else { return true }
    guard let key = name.key else {
      leaveOut(.namelessTexts)
      return true
    }
    let size = key.utf8.count + value.utf8.count
    guard size <= room, hasPlace else {
      leaveOut(.texts)
      return false
    }
    room -= size
    metadata.tags.append(key, value)
    return true
  }

  private var hasPlace: Bool { metadata.tags.entries.count < Self.mostEntries }

  /// A text of a mark; nil where there is no room for it, which is noted.
  mutating func label(
    _ stored: ArraySlice<UInt8>,
    decoded: (ArraySlice<UInt8>) -> String = { StoredText.decoded($0) }
  ) -> String? {
    let text = stored.count <= room ? decoded(stored) : nil
    guard let text, text.utf8.count <= room else {
      leaveOut(.labels)
      return nil
    }
    room -= text.utf8.count
    return text
  }

  /// The text of a mark that stands among others and ends with a zero byte, or with the last of them.
  ///
  /// - Parameter start: where it begins. Texts may overlap: what was looked through for one too long is no room for
  ///   others.
  mutating func label(in strings: [UInt8], at start: Int) -> String {
    let text = strings[start...].prefix(room + 1).prefix { $0 != 0 }
    guard text.count <= room else {
      room = 0
      leaveOut(.labels)
      return ""
    }
    return label(StoredText.field(text)) ?? ""
  }

  mutating func add(_ marker: Metadata.Marker) {
    guard metadata.markers.count < Self.mostEntries else {
      leaveOut(.marks)
      return
    }
    metadata.markers.append(marker)
  }

  /// - Parameter mayBeCopy: whether pieces of this kind often say once more what another one says.
  /// - Returns: whether nothing of it is left out.
  mutating func add(_ picture: Metadata.Picture, mayBeCopy: Bool = false) -> Bool {
    if mayBeCopy, pictures.contain(picture) { return true }
    guard metadata.pictures.count < Self.mostPictures else {
      leaveOut(.pictures)
      return false
    }
    pictures.add(picture)
    metadata.pictures.append(picture)
    return true
  }

  /// All that was said, and what of it was left out.
  consuming func finished() -> Metadata {
    metadata.omissions += leftOut.omissions
    return metadata
  }
}

extension Metadata {
  /// What the pieces of a file say.
  ///
  /// A piece that cannot be understood says nothing, and stays what it is.
  public init(interpreting chunks: [Chunk]) {
    var reading = MetadataReading()
    RiffMetadata.interpret(chunks, into: &reading)
    XiphMetadata.interpret(chunks, into: &reading)
    AiffMetadata.interpret(chunks, into: &reading)
    CafMetadata.interpret(chunks, into: &reading)
    ID3Metadata.interpret(chunks, into: &reading)
    self = reading.finished()
    self.chunks = chunks
    editor = PieceEditor(FilePieces.self)
  }
}

/// The pictures of the pieces so far.
private struct KnownPictures {
  /// Of earlier pieces, as far as somebody has asked for them.
  private var earlier: Set<Metadata.Picture> = []
  private var notAskedFor: [Metadata.Picture] = []
  /// Of the piece that is being read.
  private var own: Set<Metadata.Picture> = []
  private var ownNotAskedFor: [Metadata.Picture] = []

  mutating func beginPiece() {
    notAskedFor += own
    notAskedFor += ownNotAskedFor
    own = []
    ownNotAskedFor = []
  }

  mutating func add(_ picture: Metadata.Picture) { ownNotAskedFor.append(picture) }

  /// Whether the piece itself has it, or an earlier one the same image of the same kind: not every tag can say more of
  /// a picture.
  mutating func contain(_ picture: Metadata.Picture) -> Bool {
    for other in notAskedFor { earlier.insert(other.image) }
    notAskedFor = []
    own.formUnion(ownNotAskedFor)
    ownNotAskedFor = []
    return own.contains(picture) || earlier.contains(picture.image)
  }
}

extension Metadata.Picture {
  /// The same with its kind, and nothing else that is said of it.
  fileprivate var image: Metadata.Picture {
    var image = Metadata.Picture()
    image.kind = kind
    image.bytes = bytes
    return image
  }
}
