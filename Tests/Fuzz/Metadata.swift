// SPDX-License-Identifier: Apache-2.0
@testable import AudioStreams
@testable import AudioCore
@testable import AudioFiles
@testable import AudioDevices
@testable import AudioPictures
@testable import AudioPrograms

/// The chunks of a RIFF file are pieces of it, and pieces composed from their metadata say the same again.
func readMetadata(_ input: [UInt8]) {
  let source = HeldBytes(input)
  let middle = Int64(input.first ?? 0)
  do throws(AudioError) {
    let (chunks, _) = try RiffChunks.collect(source, from: 0, around: middle..<middle)
    precondition(chunks.reduce(0) { $0 + $1.content.count + 8 } <= 2 * input.count)
    let metadata = Metadata(interpreting: chunks)
    for marker in metadata.markers { precondition(marker.position >= 0 && marker.length >= 0) }
    for loop in metadata.instrument?.loops ?? [] { precondition(!loop.range.isEmpty) }
    let part = metadata.trimmed(from: 10, length: 1_000).converted(to: 44_100)
    for marker in part.markers { precondition((0...1_000).contains(marker.position)) }
    let (points, labels) = CueList.chunks(part.markers, .little)
    let again = Metadata(interpreting: [
      .init(.riff, "cue ", points), .init(.riff, "LIST", labels ?? []),
      .init(.riff, "LIST", RiffMetadata.list(of: part.tags, .little)),
    ])
    precondition(again.markers.map(\.position) == part.markers.map(\.position))
  } catch {
    fatalError("\(error)")
  }
}

/// Blocks and packets of FLAC and Ogg are pieces of the input, and metadata composed from them is read back equal.
func readXiph(_ input: [UInt8]) {
  let source = HeldBytes(input)
  do throws(AudioError) {
    for (chunks, _) in [
      try FlacBlocks.collect(source, from: 0), try OggComments.collect(source, from: 0),
    ] {
      precondition(chunks.reduce(0) { $0 + $1.content.count } <= input.count)
      let metadata = Metadata(interpreting: chunks)
      let made = XiphComposition(metadata, as: .flac, channelCount: 2).bytes(vendor: [])
      let file = Array("fLaC".utf8) + [0, 0, 0, 0] + made
      let omissions = try FlacBlocks.collect(HeldBytes(file), from: 0).omissions
      precondition(omissions.isEmpty)
    }
    if let comments = VorbisComments(input) { precondition(comments.bytes == input) }
    if let picture = Metadata.Picture(block: input) {
      precondition(Metadata.Picture(block: picture.block) == picture)
    }
    if let sheet = Metadata.CueSheet(block: input) {
      precondition(Metadata.CueSheet(block: sheet.block)?.tracks.count == sheet.tracks.count)
    }
    if let bytes = Base64.decoded(input) {
      precondition(Base64.decoded(Base64.encoded(bytes)) == bytes)
    }
  } catch {
    fatalError("\(error)")
  }
}

/// Tags around a file are pieces of it.
func readTags(_ input: [UInt8]) {
  do throws(AudioError) {
    let (chunks, _) = try SurroundingTags.collect(HeldBytes(input), behind: 0)
    for chunk in chunks { precondition(chunk.content.count <= input.count) }
    let metadata = Metadata(interpreting: chunks)
    for picture in metadata.pictures { precondition(picture.data.count <= input.count) }
    // Composed tags are readable again.
    let made = ID3Composition(metadata, isStream: true).front
    let end = try SurroundingTags.end(ofTagsIn: HeldBytes(made))
    precondition(end == made.count)
    let comments = XiphComposition(metadata, as: .ogg, channelCount: 2).comments
    precondition(VorbisComments(comments.bytes) == comments)
    let part = metadata.trimmed(from: 1, length: 10)
    precondition(
      part.chunks.allSatisfy {
        $0.identifier != ID3Tag.identifier || ID3Tag($0.content) == nil
          || ID3Tag($0.content)?.frames.contains { $0.identifier == "CHAP" } == false
      })
    for identifier in [ID3Tag.identifier, OldID3Tag.identifier, ApeTag.identifier] {
      _ = Metadata(interpreting: [.init(.id3, identifier, input)])
    }
  } catch {
    fatalError("\(error)")
  }
}
