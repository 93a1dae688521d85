// SPDX-License-Identifier: Apache-2.0
/// The texts of a file that ffmpeg decodes, under the names of Vorbis comments.
///
/// Tags of known kinds are read here: ffmpeg joins several values of a name, or reports only the first. Texts of other
/// containers come from ffprobe.
enum DecodedTexts {
  typealias Texts = [(name: String, value: String)]

  /// - Parameters:
  ///   - demuxer: ffmpeg's demuxer for it.
  ///   - file: the texts of the file, by ffmpeg's names.
  ///   - stream: the texts of its sound stream.
  ///   - track: the number of that stream.
  /// - Returns: texts, and the pictures and cue sheet from such tags; no pieces. Unread content of the tags is in the
  ///   omissions.
  static func metadata(
    of path: String, _ demuxer: String, file: Texts, stream: Texts, track: Int
  ) throws(AudioError) -> Metadata {
    // Those at the beginning of Ogg belong to the first stream.
    var metadata = try (track > 1 ? nil : ownTags(of: path, demuxer)) ?? Metadata()
    if metadata.tags.isEmpty {
      var reading = MetadataReading()
      for texts in [file, stream] {
        reading.beginPiece(of: .id3)
        add(texts, to: &reading)
      }
      let told = reading.finished()
      metadata.tags = told.tags
      metadata.editor = told.editor
      metadata.omissions += told.omissions
    }
    // No piece is kept that could hold an omission's content.
    for index in metadata.omissions.indices { metadata.omissions[index].holder?.family = nil }
    metadata.tags.removeAll(where: Metadata.ofEncoder.contains)
    return metadata
  }

  /// The tags of containers whose tags the library reads itself; nil for other containers.
  private static func ownTags(
    of path: String, _ demuxer: String
  ) throws(AudioError) -> Metadata? {
    guard demuxer == "ogg" || demuxer == "flac" || taggedStreams.contains(demuxer) else {
      return nil
    }
    let file = try FileWindow(of: FileDescriptor(reading: path), blockSize: 4_096)
    let start = try SurroundingTags.end(ofTagsIn: file)
    let own =
      switch demuxer {
      case "ogg": try OggComments.collect(file, from: start)
      case "flac": try FlacBlocks.collect(file, from: start)
      default: ([Metadata.Chunk](), [Metadata.Omission]())
      }
    let around = try SurroundingTags.collect(file, behind: start, beside: own.0)
    var metadata = Metadata(interpreting: own.0 + around.chunks)
    metadata.omissions += own.1 + around.omissions + metadata.foreignOmissions(for: nil)
    metadata.chunks = []
    metadata.channelLayout = nil
    return metadata
  }

  /// Demuxers of streams whose only texts are the ID3 and APE tags around them.
  private static let taggedStreams: Set = [
    "aac", "ac3", "ape", "dts", "eac3", "mp3", "mpc", "mpc8", "osq", "tak", "truehd", "tta", "wv",
  ]

  private static func add(_ texts: Texts, to reading: inout MetadataReading) {
    for (name, value) in texts where !isTechnical(name.lowercased(), value) {
      let key = TagNames.key(ofOther: name)
      guard let number = ID3Metadata.numbered[key] else {
        reading.add(reading.name(key), value)
        continue
      }
      for (key, value) in ID3Metadata.numberAndTotal(value, number)
      where !reading.metadata.tags[key].contains(value) {
        reading.add(reading.name(key), value)
      }
    }
  }

  /// Whether a text describes the container or its encoder, not the content.
  static func isTechnical(_ text: (name: String, value: String)) -> Bool {
    isOfEncoder(text.name) || isTechnical(text.name.lowercased(), text.value)
  }

  /// Whether a text of this name describes the encoder, or counts the packets of the stream.
  static func isOfEncoder(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "encoder" || name.hasPrefix("_statistics_") || ofContainers.contains(bare(name))
  }

  /// A name without the language that Matroska appends to it.
  private static func bare(_ name: String) -> String { String(name.prefix { $0 != "-" }) }

  /// Whether a text describes the container, not its content.
  ///
  /// - Parameter name: in lower case.
  private static func isTechnical(_ name: String, _ value: String) -> Bool {
    let bare = bare(name)
    if DecodedFileInformation.technicalNames.contains(bare) || ofContainers.contains(bare) {
      return true
    }
    if name.hasPrefix("_statistics_") || name.hasPrefix("wmadrc") { return true }
    switch name {
    case "language": return value == "und"
    // The epochs of the system and of MP4 mean an unset time.
    case "creation_time":
      return value.hasPrefix("1970-01-01T00:00:00") || value.hasPrefix("1904-01-01T00:00:00")
    default: return ID3Metadata.playersOwn.contains(name.uppercased())
    }
  }

  /// Names of Matroska's statistics and of ASF.
  private static let ofContainers: Set = [
    "bps", "deviceconformancetemplate", "isvbr", "number_of_bytes", "number_of_frames",
    "wmfsdkneeded", "wmfsdkversion",
  ]
}

extension Metadata {
  /// Adds an omission for pictures that ffmpeg reports but does not give.
  mutating func omit(pictureCount count: Int) {
    guard count > 0 else { return }
    var omission = Omission(
      count == 1 ? "picture" : "\(count) pictures",
      because: "ffmpeg gives no JPEG, PNG, GIF or WebP")
    omission.holder = .init(family: nil, field: .pictures)
    omissions.append(omission)
  }

  /// Reads the metadata of a file. Any thread.
  ///
  /// - Parameters:
  ///   - path: the file, which may be a named pipe if libsndfile reads it.
  ///   - decoder: whether ffmpeg is asked about files that libsndfile does not know. It is asked about no others, since
  ///     no samples are decoded.
  ///   - control: ends the wait for a pipe; nil = nothing ends it.
  /// - Throws: the error of ``FileInformation/init(path:decoder:spoolLimit:)``.
  package init(
    ofFileAt path: String, decoder: FileDecoder, until control: SessionControl?
  ) throws(AudioError) {
    do {
      self = try SoundFileInformation(path: path, until: control).metadata
    } catch {
      self = try decoder.instead(of: error, for: path, nil, isDescribed: false) {
        () throws(AudioError) in
        try DecodedFileInformation(path: path, named: path, wakeup: control?.wakeup)
          .metadataWithPictures(of: path, wakeup: control?.wakeup)
      }
    }
  }
}
