// SPDX-License-Identifier: Apache-2.0
/// The kind of file that packets are copied into.
package enum PacketTarget: Sendable {
  /// A file of our own: MP3, FLAC, or Ogg with Vorbis or Opus.
  case own(FileFormat)
  /// A file that ffmpeg writes.
  case encoded(EncodedContainer)

  /// The container in words.
  package var name: String {
    switch self {
    case .own(let file): file.container.rawValue
    case .encoded(let container): container.name
    }
  }

  /// This target with the encoding of the sound.
  package func settled(for sound: PacketSound) throws(AudioError) -> PacketTarget {
    guard case .own(let file) = self else { return self }
    return .own(try FileFormat(file.container, for: sound.encoding))
  }

  /// Whether it takes packets of a codec.
  ///
  /// - Parameters:
  ///   - codec: ffmpeg's name of it.
  ///   - isUsual: whether only the codecs count that the container gets from an encoder, too.
  package func takes(_ codec: String, isUsual: Bool) -> Bool {
    switch self {
    case .own(let file):
      switch file.container {
      case .mp3: codec == "mp3" || !isUsual && ["mp1", "mp2"].contains(codec)
      case .ogg: codec == "vorbis" || !isUsual && codec == "opus"
      case .opus: codec == "opus"
      case .flac: codec == "flac"
      default: false
      }
    case .encoded(let container):
      container.takesPackets(of: codec, isUsual: isUsual)
    }
  }
}

extension EncodedContainer {
  /// Source: the tables of tags in libavformat's movenc.c, and its matroska.c, which has a name for every codec.
  fileprivate func takesPackets(of codec: String, isUsual: Bool) -> Bool {
    switch muxer {
    case "ipod": ["aac", "alac"].contains(codec) || !isUsual && codec == "ac3"
    case "matroska": !isUsual && !codec.isEmpty
    case "asf": codec == "wmav2" || !isUsual && ["wmav1", "wmapro", "wmalossless"].contains(codec)
    default: codec == self.codec
    }
  }
}

extension PacketTarget {
  /// Whether a file can hold this field.
  package func hasPlace(for field: Metadata.Field) -> Bool {
    switch self {
    case .own(let file): file.container.hasPlace(for: field)
    case .encoded(let container): container.hasPlace(for: field)
    }
  }

  /// Whether the gain of its sound has a tag of Opus.
  package var isOpus: Bool {
    if case .own(let file) = self { file.container == .opus } else { false }
  }

  /// Whether a copy has silence of the encoder in front, which the file of its packets hides.
  package func showsDelay(of sound: PacketSound) -> Bool {
    guard case .other(let information) = sound.content, case .encoded(let container) = self else {
      return false
    }
    return information.demuxer == "mov" && container.delay > 0
  }

  /// The least samples per channel of a part that readers find; nil = one. ffmpeg 5.1 takes the length of an edit list for
  /// that of the last packet, and skips a packet that ends before the list.
  package func shortestCut(of sound: PacketSound) -> Int64? {
    guard case .encoded = self, cutsExactly(sound) else { return nil }
    return sound.samplesPerPacket
  }

  /// Whether the copy states the time of each packet, as the source does.
  func keepsTimes(of information: DecodedFileInformation) -> Bool {
    guard case .encoded(let container) = self else { return false }
    return switch container.muxer {
    case "ipod": information.demuxer == "mov"
    case "matroska", "asf": true
    default: false
    }
  }

  /// Whether a cut keeps each sample of the part, and no other.
  package func cutsExactly(_ sound: PacketSound) -> Bool {
    switch (sound.content, self) {
    case (.frames, .own): sound.codec == "mp3"
    case (.pages, .own): true
    case (.other(let information), .encoded(let container)):
      container.muxer == "ipod" && information.demuxer == "mov" && information.tick == 1
        && information.statedSamplesPerChannel != nil && sound.samplesPerPacket != nil
    default: false
    }
  }
}
