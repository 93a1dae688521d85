// SPDX-License-Identifier: Apache-2.0
/// The content of a sound file beside its samples: texts, marks, pictures, the origin of the recording, and pieces that
/// only other programs understand.
///
/// ``chunks`` are the pieces as they stood in the file; the other fields are their meaning. A writer of the same kind
/// of file copies each piece that is still true, byte for byte, and makes the others anew. A writer of another kind of
/// file maps the fields.
public struct Metadata: Sendable, Equatable {
  /// The rate, in hertz, of its positions; nil = the rate of the output file.
  public var sampleRate: Int?
  /// The channel count of the described sound; nil = not stated.
  public var channelCount: Int?
  /// The encoding of the described samples; nil = not stated.
  public var encoding: SampleEncoding?
  /// Texts by name: `TITLE`, `ARTIST` and so on.
  public var tags = Tags()
  /// The information that broadcasters and recorders put into WAV files.
  public var broadcast: BroadcastExtension?
  /// Marked places, in the order of the file.
  public var markers: [Marker] = []
  /// The settings of a sampler.
  public var instrument: Instrument?
  /// Covers and other pictures.
  public var pictures: [Picture] = []
  /// The tracks of a disc.
  public var cueSheet: CueSheet?
  /// The places of the channels; nil = the usual order of the container.
  public var channelLayout: ChannelLayout?
  /// The pieces as they stood in the file, in order, without those that describe the storage of its samples.
  /// ``init(interpreting:sampleRate:)`` takes them, and sets an editor that corrects them if the sound changes.
  public package(set) var chunks: [Chunk] = []
  /// Corrects ``chunks``; nil only if there are none, nor texts of a file.
  package var editor: PieceEditor?
  /// The parts of the file that are missing here.
  public var omissions: [Omission] = []
  /// Whether the positions in ``chunks`` count at another rate.
  package var isConverted = false

  public init() {}

  /// Texts that most files have; nil = none.
  public init(title: String? = nil, artist: String? = nil, album: String? = nil) {
    for (key, value) in [("TITLE", title), ("ARTIST", artist), ("ALBUM", album)] {
      if let value { tags[key] = [value] }
    }
  }

  /// Whether it has no content. A channel layout is no content.
  public var isEmpty: Bool {
    tags.isEmpty && broadcast == nil && markers.isEmpty && instrument == nil && pictures.isEmpty
      && cueSheet == nil && chunks.isEmpty && omissions.isEmpty
  }
}

extension Metadata {
  /// A family of containers with pieces of one shape.
  @nonexhaustive
  public enum Family: String, Sendable, Hashable, CaseIterable {
    /// RIFF, RF64 and BW64, little-endian.
    case riff
    /// RIFX: big-endian.
    case rifx
    /// Sony Wave64: RIFF's chunks with names of 16 bytes.
    case wave64
    case aiff
    case caf
    /// Blocks of a FLAC file.
    case flac
    /// The comment packet of a stream in Ogg.
    case ogg
    /// Tags in front of a file or behind it.
    case id3

    /// Whether the pieces of both families are interchangeable.
    package func isRelated(to other: Family) -> Bool {
      self == other || [self, other].allSatisfy { [.riff, .wave64].contains($0) }
    }
  }

  /// A piece of a file as its container delimits it: a chunk, a block, a packet, a tag.
  public struct Chunk: Sendable, Equatable {
    public var family: Family
    /// The container's name for it: four characters, `VORBIS_COMMENT`, `ID3v2`.
    public var identifier: String
    /// The content, without name, size and padding.
    public var content: [UInt8]
    /// Whether it stands in front of the samples.
    public var isInFront: Bool

    public init(
      _ family: Family, _ identifier: String, _ content: [UInt8], isInFront: Bool = true
    ) {
      self.family = family
      self.identifier = identifier
      self.content = content
      self.isInFront = isInFront
    }
  }

  /// A part of a file that was not taken in.
  public struct Omission: Sendable, Equatable {
    /// The name of the part: `'LIST' chunk`.
    public var name: String
    /// The reason, in lower case and without a full stop.
    public var reason: String
    /// The pieces that still hold it; nil if none does.
    package var holder: Holder?
    /// The tags that it names, if it is one of tags alone. They are no part of its identity.
    private(set) var keys: [String] = []

    public init(_ name: String, because reason: String) {
      self.name = name
      self.reason = reason
    }

    init(tags keys: [String], because reason: String) {
      self.init("\(keys.count == 1 ? "tag" : "tags") \(keys.namedShortly)", because: reason)
      self.keys = keys
    }

    public static func == (one: Self, other: Self) -> Bool {
      (one.name, one.reason) == (other.name, other.reason) && one.holder == other.holder
    }
  }

  /// Pieces that still hold an omission: nothing is lost if they are kept unchanged.
  package struct Holder: Sendable, Equatable {
    /// The family of the pieces; nil if no file written here can have them.
    package var family: Family?
    /// The field that the pieces hold beside it; nil if they stay even if that changes.
    package var field: Field?

    package init(family: Family?, field: Field?) {
      self.family = family
      self.field = field
    }
  }

  /// A kind of content of files beside their samples.
  @nonexhaustive
  public enum Field: String, Sendable, Hashable, CaseIterable {
    case texts
    /// ``BroadcastExtension``
    case origin
    case marks
    /// ``Instrument``
    case sampler
    case pictures
    /// ``CueSheet``
    case tracks = "tracks of a disc"
    case layout = "places of channels"
  }

  /// The largest size of a piece, 16 MiB: the limit of a FLAC block. A larger piece is an omission.
  public static let largestChunk = 1 << 24
  /// The largest total of all pieces, 24 MiB: a largest one and half of another. Pieces beyond it are omissions. So a
  /// file is read, and another one written, within 64 MiB of memory.
  public static let largestTotal = 3 << 23
  /// The most pieces in a file.
  package static let mostChunks = 65_536
}

extension Metadata {
  /// Replaces the texts by those of another file, and the pictures if that has some. Its unread texts and pictures
  /// become omissions.
  public mutating func takeTexts(from other: Metadata) {
    tags = other.tags
    if !other.pictures.isEmpty { pictures = other.pictures }
    editor = editor ?? other.editor
    let unread = other.omissions.filter { [.texts, .pictures].contains($0.holder?.field) }
    omissions += unread.map { .init($0.name, because: $0.reason) }
  }
}

/// Corrects the pieces of files if their sound changes.
///
/// ``Metadata`` does that for its fields. The readers of the pieces, in another target, do it for ``Metadata/chunks``.
package protocol PieceEditing: Sendable {
  /// Changes the pieces to describe a part of the sound.
  ///
  /// - Parameters:
  ///   - start: its beginning, in samples per channel; negative if silence stands in front.
  ///   - length: in samples per channel.
  static func trim(_ metadata: inout Metadata, from start: Int64, length: Int64)

  /// Converts their positions to another rate, in hertz.
  static func convert(_ metadata: inout Metadata, from oldRate: Int, to newRate: Int)

  /// Drops pieces about times in the whole sound, or about its length, and adds omissions for them.
  static func dropTimes(_ metadata: inout Metadata)

  /// Moves the names of channels to others.
  ///
  /// - Parameters:
  ///   - origins: for each channel the former ones in it, from 0; empty if they are unknown.
  ///   - count: of the former channels.
  static func moveChannels(_ metadata: inout Metadata, to origins: [[Int]], of count: Int)
}

/// A type that edits pieces, as a comparable value.
package struct PieceEditor: Sendable, Equatable {
  package let editing: any PieceEditing.Type

  package init(_ editing: any PieceEditing.Type) { self.editing = editing }

  package static func == (first: PieceEditor, second: PieceEditor) -> Bool {
    first.editing == second.editing
  }
}
