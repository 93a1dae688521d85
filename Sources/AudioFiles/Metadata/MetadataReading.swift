// SPDX-License-Identifier: Apache-2.0
/// Gathers the metadata of a file's pieces, one after the other. Limits bound the memory that a file can take; entries
/// beyond them are counted.
struct MetadataReading {
  /// The most texts, marks and loops, of each.
  static let mostEntries = 65_536
  static let mostPictures = 4_096
  /// The most bytes of all texts together: 2 MiB, with their names, as UTF-8. Programs that show them hold several
  /// copies.
  static let mostTextBytes = 1 << 21

  var metadata = Metadata()
  /// The chapters of the first piece that has some.
  private(set) var chapters: [Chapter] = []
  /// The rate, in hertz, at which chapters become marks; nil = they do not.
  private let sampleRate: Int?
  private(set) var leftOut = LeftOut()
  private var family = Metadata.Family.riff
  /// The number of bytes of texts that may still come.
  private(set) var room = Self.mostTextBytes
  /// The index of the first text of the current piece.
  private var firstText = 0
  private var pictures = KnownPictures()

  init(sampleRate: Int? = nil) { self.sampleRate = sampleRate }

  /// Begins another piece. If several pieces have texts of one name, the first piece counts.
  mutating func beginPiece(of family: Metadata.Family) {
    self.family = family
    firstText = metadata.tags.entries.count
    pictures.beginPiece()
  }

  /// Counts entries of the piece that are dropped.
  mutating func leaveOut(_ kind: LeftOut.Kind, _ count: Int = 1) {
    if count > 0 { leftOut.add(count, kind, of: family) }
  }

  /// The name of the texts that follow.
  struct Name {
    /// nil if no tag can have this name.
    fileprivate let key: String?
    /// Whether an earlier piece has texts of this name.
    fileprivate let isSaid: Bool
  }

  /// Looks a name up, once for all its texts.
  func name(_ text: String) -> Name {
    let key = Metadata.Tags.key(text)
    let first = key.flatMap { metadata.tags.firstPlace(of: $0) }
    return Name(key: key, isSaid: first.map { $0 < firstText } ?? false)
  }

  /// Adds a text that is not decoded yet.
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

  /// The text of a mark; nil if there is no room for it, which is counted.
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

  /// The text of a mark within a table of strings. It ends with a zero byte, or with the table.
  ///
  /// - Parameter start: its first byte. Texts may overlap: an overlong text uses up the room of the others.
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

  /// Adds the chapters of a piece, in any order.
  mutating func add(_ chapters: [Chapter]) {
    guard self.chapters.isEmpty else { return }
    leaveOut(.marks, max(0, chapters.count - Self.mostEntries))
    // A tag does not tell how long the sound is, and most last chapters last as long.
    self.chapters = Array(chapters.ordered(endingWithSound: true).prefix(Self.mostEntries))
  }

  /// - Parameter mayBeCopy: whether pieces of this kind often repeat another piece's picture.
  /// - Returns: whether the picture is kept or known already.
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

  /// The gathered metadata, with the dropped entries as omissions. Marks of the container's own have precedence over
  /// chapters.
  consuming func finished() -> Metadata {
    if let sampleRate, metadata.markers.isEmpty {
      metadata.markers = chapters.markers(at: sampleRate)
    }
    metadata.omissions += leftOut.omissions
    metadata.editor = PieceEditor(FilePieces.self)
    return metadata
  }
}

extension Metadata {
  /// The metadata stated by the pieces of a file.
  ///
  /// A piece that cannot be parsed is kept, but sets no field.
  ///
  /// - Parameters:
  ///   - chunks: the pieces, in the order of the file.
  ///   - sampleRate: the rate of the sound in hertz, at which chapters of tags become marks; nil = they do not, and are
  ///     not written again.
  public init(interpreting chunks: [Chunk], sampleRate: Int? = nil) {
    var reading = MetadataReading(sampleRate: sampleRate)
    RiffMetadata.interpret(chunks, into: &reading)
    XiphMetadata.interpret(chunks, into: &reading)
    AiffMetadata.interpret(chunks, into: &reading)
    CafMetadata.interpret(chunks, into: &reading)
    ID3Metadata.interpret(chunks, into: &reading)
    self = reading.finished()
    self.chunks = chunks
  }
}

/// The pictures of the pieces so far.
private struct KnownPictures {
  /// Pictures of earlier pieces. The set is filled by the first query.
  private var earlier: Set<Metadata.Picture> = []
  private var notAskedFor: [Metadata.Picture] = []
  /// Pictures of the current piece.
  private var own: Set<Metadata.Picture> = []
  private var ownNotAskedFor: [Metadata.Picture] = []

  mutating func beginPiece() {
    notAskedFor += own
    notAskedFor += ownNotAskedFor
    own = []
    ownNotAskedFor = []
  }

  mutating func add(_ picture: Metadata.Picture) { ownNotAskedFor.append(picture) }

  /// Whether the piece itself has the picture, or an earlier piece has its image with its kind: some tags store nothing
  /// else of a picture.
  mutating func contain(_ picture: Metadata.Picture) -> Bool {
    for other in notAskedFor { earlier.insert(other.image) }
    notAskedFor = []
    own.formUnion(ownNotAskedFor)
    ownNotAskedFor = []
    return own.contains(picture) || earlier.contains(picture.image)
  }
}

extension Metadata.Picture {
  /// The image with its kind, without other properties.
  fileprivate var image: Metadata.Picture {
    Metadata.Picture(bytes, kind: kind, mediaType: "")
  }
}

/// The pictures to write that no piece contains yet.
struct RemainingPictures {
  private let all: [Metadata.Picture]
  /// The indices in `all` of the pictures not found in a piece yet. A picture may occur more than once.
  private var places: [Metadata.Picture: [Int]]

  init(_ pictures: [Metadata.Picture]) {
    all = pictures
    places = Dictionary(grouping: pictures.indices.reversed()) { pictures[$0] }
  }

  /// Notes that a piece contains the picture.
  ///
  /// - Returns: whether it was wanted.
  mutating func take(_ picture: Metadata.Picture) -> Bool {
    guard places[picture]?.isEmpty == false else { return false }
    places[picture]?.removeLast()
    return true
  }

  /// The pictures that no piece contains, in order.
  var rest: [Metadata.Picture] { places.values.flatMap { $0 }.sorted().map { all[$0] } }
}
