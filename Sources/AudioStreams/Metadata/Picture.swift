// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// A picture in a sound file, in the shape of FLAC's picture block.
  ///
  /// Source: RFC 9639, section 8.8.
  public struct Picture: Sendable, Hashable {
    /// The subject, by ID3's numbers: 0 = something else, 3 = the front cover.
    public var kind = 3
    /// `image/jpeg`; `-->` if ``data`` is an address.
    public var mimeType = ""
    public var description = ""
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
    package var bytes: ArraySlice<UInt8> = []

    public init() {}

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
