// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import AudioFiles

/// Tests that write files with tags and read them back.
protocol WrittenTags {
  var scratch: ScratchDirectory { get }
}

extension WrittenTags {
  static var containers: [(Container, SampleEncoding)] {
    [(.flac, .s16), (.ogg, .vorbis), (.opus, .opus), (.mp3, .mpegLayer3)]
  }
  static var sampleFrames: Int { 30_000 }

  /// Returns a picture of `count` bytes that look like frames and pages.
  static func picture(_ count: Int) -> Metadata.Picture {
    let deceit = Array("OggSfLaC".utf8) + [0xFF, 0xFB, 0x90, 0x64, 0xFF]
    let data = (0..<count).map { index in
      let change = index % 97 == 0 ? UInt8(index & 0xFF) : 0
      return deceit[index % deceit.count] ^ change
    }
    return Metadata.Picture(data, mediaType: "image/png", description: "Übung")
  }

  static func metadata(pictureSize: Int = 0) -> Metadata {
    var metadata = Metadata()
    metadata.tags.append("TITLE", "Übung 😀")
    metadata.tags.append("ARTIST", "Ann")
    metadata.tags.append("ARTIST", "Ben")
    metadata.tags.append("TRACKNUMBER", "3")
    metadata.tags.append("TRACKTOTAL", "12")
    metadata.tags.append("DATE", "2004-05-06")
    metadata.tags.append("COMMENT", "a=b\nc")
    metadata.tags.append("MOOD", "calm")
    if pictureSize > 0 { metadata.pictures = [picture(pictureSize)] }
    return metadata
  }

  func write(
    _ metadata: Metadata?, _ container: Container, _ encoding: SampleEncoding,
    _ name: String = "out", sampleFrames: Int = Self.sampleFrames
  ) throws -> (path: String, omissions: [Metadata.Omission]) {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    let path = scratch.file(name)
    let sink = SoundFileSink(
      path: path, format: try FileFormat(container, encoding), overwrite: true)
    sink.metadata = metadata
    try store(material(sampleFrames, channels: 2, bits: 16), sink, format)
    return (path, sink.metadataOmissions)
  }

  func read(_ path: String) throws -> Metadata {
    try SoundFileInformation(path: path).metadata
  }
}
