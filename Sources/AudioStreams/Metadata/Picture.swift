// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// A picture in a sound file, in the shape of FLAC's picture block.
  ///
  /// Source: RFC 9639, section 8.8.
  public struct Picture: Sendable, Hashable {
    /// The subject of a picture. A number without a name is kept.
    ///
    /// Source: ID3 tag version 2.4.0, native frames, section 4.14 (APIC).
    public struct Kind: RawRepresentable, Sendable, Hashable {
      public static let other = Kind(rawValue: 0)
      /// A PNG of 32 × 32 pixels.
      public static let icon = Kind(rawValue: 1)
      public static let otherIcon = Kind(rawValue: 2)
      public static let frontCover = Kind(rawValue: 3)
      public static let backCover = Kind(rawValue: 4)
      public static let leaflet = Kind(rawValue: 5)
      /// The medium, such as the label side of a disc.
      public static let medium = Kind(rawValue: 6)
      public static let leadArtist = Kind(rawValue: 7)
      public static let artist = Kind(rawValue: 8)
      public static let conductor = Kind(rawValue: 9)
      public static let band = Kind(rawValue: 10)
      public static let composer = Kind(rawValue: 11)
      public static let lyricist = Kind(rawValue: 12)
      public static let recordingLocation = Kind(rawValue: 13)
      public static let duringRecording = Kind(rawValue: 14)
      public static let duringPerformance = Kind(rawValue: 15)
      public static let videoCapture = Kind(rawValue: 16)
      public static let brightColouredFish = Kind(rawValue: 17)
      public static let illustration = Kind(rawValue: 18)
      public static let artistLogo = Kind(rawValue: 19)
      public static let publisherLogo = Kind(rawValue: 20)

      public let rawValue: Int

      public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// The subject.
    public var kind: Kind
    /// `image/jpeg`; `-->` if ``data`` is an address.
    public var mediaType: String
    public var description: String
    /// The width in pixels; 0 = not stated.
    public var width = 0
    /// The height in pixels; 0 = not stated.
    public var height = 0
    /// The colour depth in bits per pixel; 0 = not stated.
    public var depth = 0
    /// The number of colours in its palette; 0 = no palette.
    public var colors = 0
    public var data: [UInt8] {
      get { Array(bytes) }
      set { bytes = newValue[...] }
    }
    /// The size of ``data`` in bytes.
    public var byteCount: Int { bytes.count }
    /// The bytes of ``data``. Those from a file are a slice of the picture's piece, and take no extra memory.
    package var bytes: ArraySlice<UInt8>

    /// Makes a picture whose size is not stated.
    ///
    /// - Parameters:
    ///   - data: the content of its file.
    ///   - kind: the subject.
    ///   - mediaType: `image/jpeg`, `image/png`.
    ///   - description: for people.
    public init(
      _ data: [UInt8], kind: Kind = .frontCover, mediaType: String, description: String = ""
    ) {
      self.init(data[...], kind: kind, mediaType: mediaType, description: description)
    }

    package init(
      _ bytes: ArraySlice<UInt8>, kind: Kind = .frontCover, mediaType: String,
      description: String = ""
    ) {
      self.bytes = bytes
      self.kind = kind
      self.mediaType = mediaType
      self.description = description
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(kind)
      unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    }
  }

  /// The tracks of a disc, in the shape of FLAC's cue sheet block.
  ///
  /// Source: RFC 9639, section 8.7.
  public struct CueSheet: Sendable, Equatable {
    public struct Track: Sendable, Equatable {
      /// From 1; the lead-out has 170 on a CD, otherwise 255.
      public var number = 1
      /// The position in samples per channel from the beginning.
      public var position: Int64 = 0
      /// Twelve characters, or empty.
      public var isrc = ""
      public var isAudio = true
      public var hasPreEmphasis = false
      public var indices: [Index] = []

      public init() {}
    }

    public struct Index: Sendable, Equatable {
      public var number = 1
      /// The offset in samples per channel from the track's ``Track/position``.
      public var offset: Int64 = 0

      public init() {}
    }

    /// The disc's media catalog number, at most 128 characters.
    public var catalog = ""
    /// The lead-in in samples per channel.
    public var leadIn: Int64 = 0
    public var isCompactDisc = false
    /// The last one is the lead-out.
    public var tracks: [Track] = []

    public init() {}
  }
}
