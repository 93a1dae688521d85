// SPDX-License-Identifier: Apache-2.0
/// What a sound file carries beside its samples: texts, marks, pictures, where the recording comes from, and what
/// only other programs understand.
///
/// ``chunks`` are the pieces as they stood in the file, and everything else is what they say. So who writes a file of
/// the same kind copies each piece that still says what is wanted, byte for byte, and makes the others anew; who
/// writes another kind of file maps the fields.
public struct Metadata: Sendable, Equatable {
  /// The rate, in hertz, of the positions in it; nil = that of the file it goes to.
  public var sampleRate: Int?
  /// How many channels the sound has that it describes; nil = not said.
  public var channelCount: Int?
  /// How the samples are stored that it describes; nil = not said.
  public var encoding: SampleEncoding?
  /// Texts by name: `TITLE`, `ARTIST` and so on.
  public var tags = Tags()
  /// What broadcasters and recorders put into WAV files.
  public var broadcast: BroadcastExtension?
  /// Marked places, in the order of the file.
  public var markers: [Marker] = []
  /// How a sampler plays the sound.
  public var instrument: Instrument?
  /// Covers and other pictures.
  public var pictures: [Picture] = []
  /// The tracks of a disc.
  public var cueSheet: CueSheet?
  /// Which channel belongs where; nil = the usual order of the container.
  public var channelLayout: ChannelLayout?
  /// The pieces as they stood in the file, in order, without those that describe how its samples are stored. They come
  /// with ``init(interpreting:)``, which knows how to correct them as the sound changes.
  public package(set) var chunks: [Chunk] = []
  /// Corrects ``chunks``; nil only where there are none.
  package var editor: PieceEditor?
  /// What is in the file and not in here.
  public var omissions: [Omission] = []
  /// Whether the positions in ``chunks`` count at another rate.
  package var isConverted = false

  public init() {}

  /// Whether there is nothing in it. A place for channels is no content.
  public var isEmpty: Bool {
    tags.isEmpty && broadcast == nil && markers.isEmpty && instrument == nil && pictures.isEmpty
      && cueSheet == nil && chunks.isEmpty && omissions.isEmpty
  }
}

extension Metadata {
  /// A family of containers with pieces of one shape.
  public enum Family: String, Sendable, Hashable, CaseIterable {
    /// RIFF, RF64 and BW64, little-endian.
    case riff
    /// RIFX: big-endian.
    case rifx
    /// Sony Wave64, whose chunks are those of RIFF under names of 16 bytes.
    case wave64
    case aiff
    case caf
    /// Blocks of a FLAC file.
    case flac
    /// The packet of comments of a stream in Ogg.
    case ogg
    /// Tags in front of a file or behind it.
    case id3

    /// Whether a piece of either is one of the other as it is.
    package func isKin(to other: Family) -> Bool {
      self == other || [self, other].allSatisfy { [.riff, .wave64].contains($0) }
    }
  }

  /// A piece of a file as its container delimits it: a chunk, a block, a packet, a tag.
  public struct Chunk: Sendable, Equatable {
    public var family: Family
    /// What the container calls it: four characters, `VORBIS_COMMENT`, `ID3v2`.
    public var identifier: String
    /// What is in it, without its name, its size and padding.
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

  /// Something that a file carries and that was not taken in.
  public struct Omission: Sendable, Equatable {
    /// What it is: `'LIST' chunk`.
    public var name: String
    /// Why, in lower case and without a full stop.
    public var reason: String
    /// The pieces that hold it still; nil if none does.
    package var holder: Holder?

    public init(_ name: String, because reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  /// Pieces that hold it still: where they stay as they are, nothing is lost.
  package struct Holder: Sendable, Equatable {
    /// Nil where no file that is written here can have such pieces.
    package var family: Family?
    /// What the pieces say beside it; nil where it stays whatever becomes of that.
    package var field: Field?

    package init(family: Family?, field: Field?) {
      self.family = family
      self.field = field
    }
  }

  /// Something that files carry beside their samples.
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

  /// How large a piece may be, 16 MiB: what a block of FLAC can hold. A larger one is an omission.
  public static let largestChunk = 1 << 24
  /// How much all pieces may hold together, 24 MiB: a largest one and half of another. What comes behind is an
  /// omission. A file is read, and another one written, within 64 MiB of memory that way.
  public static let largestTotal = 3 << 23
  /// How many pieces may stand in a file.
  package static let mostChunks = 65_536
}
