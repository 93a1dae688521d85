// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The metadata of the output.
struct MetadataRequest: Sendable, Equatable {
  /// Whether the source's metadata is dropped.
  var strips = false
  /// The file whose texts and pictures replace those of the source. Nil = none.
  var tagsFrom: TagsFile?
  var edits: [TagEdit] = []
  /// The texts of a piece, which yield to ``edits``.
  var pieceTags: [TagEdit] = []
  /// The front cover. Nil = those of the source.
  var cover: CoverFile?
  /// The marks or chapters. Nil = those of the source.
  var marks: MarkTable?

  /// The files beside the sources that the metadata comes from.
  var paths: [String] { [tagsFrom?.path, cover?.path, marks?.path].compactMap(\.self) }

  var setsTexts: Bool { tagsFrom != nil || edits.contains { !$0.value.isEmpty } }
}

/// The options that set texts and the cover.
struct TagOptions {
  @Option(
    "tag", .tag, group: .metadata,
    help: "Set a text of the output, as in TITLE=Dawn; KEY= removes it (repeatable).")
  var edits: [TagEdit]
  @Option(
    "tags-from", .path(name: "file"), group: .metadata, givenOnce: true,
    help: "Take texts and pictures from another sound file.")
  var path: String?
  @Option(
    "cover", .path(name: "picture"), group: .metadata, givenOnce: true,
    help: "Take a JPEG or PNG file as the output's front cover.")
  var cover: String?

  func request(strips: Bool = false, decoder: FileDecoder? = nil) -> MetadataRequest {
    MetadataRequest(
      strips: strips,
      tagsFrom: path.map { TagsFile(path: $0, decoder: decoder ?? .automatic) }, edits: edits,
      cover: cover.map { CoverFile(path: $0) })
  }
}

/// The options of commands that copy metadata.
struct MetadataOptions {
  @Flag(
    "strip", group: .metadata, help: "Keep none of the metadata beside the source's samples.")
  var strips: Bool
  var tags = TagOptions()
  @Option(
    "marks", .path(name: "table"), group: .metadata, givenOnce: true,
    help: "Take the marks of the output from a table (see 'rawaudio help pieces').")
  var marks: String?
  @Option(
    "chapters", .path(name: "table"), group: .metadata, givenOnce: true,
    help: "Take the chapters of the output from a table or a list of lines such as 1:30 Intro.")
  var chapters: String?

  func request(decoder: FileDecoder?) throws(UsageError) -> MetadataRequest {
    var request = tags.request(strips: strips, decoder: decoder)
    guard marks == nil || chapters == nil else {
      throw UsageError(
        "'\($marks.label)' and '\($chapters.label)' both give the marks; one is enough")
    }
    request.marks =
      marks.map { MarkTable(path: $0, .mark) } ?? chapters.map { MarkTable(path: $0, .chapter) }
    return request
  }
}

/// A sound file whose texts and pictures go into other files. It is read once, for any number of outputs.
final class TagsFile: Sendable, Equatable {
  let path: String
  /// The decoder that reads them.
  private let decoder: FileDecoder
  private let read = ReadOnce<Metadata>()

  init(path: String, decoder: FileDecoder) {
    self.path = path
    self.decoder = decoder
  }

  /// - Parameter control: ends the wait for a pipe's data. Nil if no wait is ever ended.
  func metadata(until control: SessionControl?) throws(AudioError) -> Metadata {
    try read.content { () throws(AudioError) in
      try Metadata(ofFileAt: path, decoder: decoder, until: control)
    }
  }

  static func == (first: TagsFile, second: TagsFile) -> Bool { first.path == second.path }
}

extension MetadataRequest {
  /// Returns the metadata to write, made from the source's.
  ///
  /// - Parameters:
  ///   - duration: of the sound, in seconds. Nil if it is unknown.
  ///   - control: ends the wait for another file's texts.
  func applied(
    to metadata: Metadata?, within duration: Double?, until control: SessionControl?
  ) throws(AudioError) -> Metadata? {
    var result = metadata
    if strips {
      // The channel layout describes the samples.
      result = metadata.map { old in
        var bare = Metadata()
        (bare.channelLayout, bare.channelCount) = (old.channelLayout, old.channelCount)
        return bare
      }
    }
    let edits =
      pieceTags.filter { tag in !strips && !self.edits.contains { $0.key == tag.key } } + self.edits
    guard tagsFrom != nil || !edits.isEmpty || cover != nil || marks != nil else { return result }
    var edited = result ?? Metadata()
    if let tagsFrom {
      let other = try tagsFrom.metadata(until: control)
      edited.takeTexts(from: other)
    }
    edited.setTags(edits.map { ($0.key, $0.value) })
    if let cover {
      edited.pictures.removeAll { $0.kind == .frontCover }
      edited.pictures.insert(try cover.picture(until: control), at: 0)
    }
    if let marks {
      (edited.markers, edited.sampleRate) =
        try marks.markers(at: edited.sampleRate, within: duration)
    }
    return edited
  }
}

/// The fields in the texts of the output.
extension MetadataRequest {
  /// The keys of the texts that a source needs.
  var textKeys: [String] {
    edits.flatMap { (try? NamePattern($0.value, isProse: true))?.textKeys ?? [] }
  }

  /// - Parameters:
  ///   - known: the fields that there are. Nil = those of sources, and any text of an entry.
  ///   - option: the option that gives the texts.
  func check(fields known: [String]?, of option: Declaration) throws(UsageError) {
    for edit in edits {
      do throws(AudioError) {
        try OutputPattern.check(NamePattern(edit.value, isProse: true), known)
      } catch {
        throw UsageError(
          invalid: "\(edit.key)=\(edit.value)", for: option, because: error.reasonAndAdvice)
      }
    }
  }

  /// Fills in the fields by the values of a source.
  mutating func fill(from file: ListedFile) throws(AudioError) {
    pieceTags = file.tags
    for (index, edit) in edits.enumerated() {
      let names = try NamePattern(edit.value, isProse: true).filled {
        file.value(of: $0, isName: false)
      }
      if let field = names.fields.first {
        throw AudioError(
          .invalidParameter, cannot: "convert", file.source,
          because: "it has no \(field) for '\(edit.key)=\(edit.value)'")
      }
      edits[index].value = names.plain
    }
  }
}

extension [Metadata.Omission] {
  /// An object for each, with `name` and `reason`.
  var json: JSONValue {
    .array(map { .object([("name", .string($0.name)), ("reason", .string($0.reason))]) })
  }
}

/// The facts about its origin that a recording states besides its time.
struct OriginRequest: Sendable, Hashable {
  var location: Location?
  /// The path of a file with further fields of GUANO. Nil without one.
  var notesPath: String?
}

/// The options of commands that record from devices: when, where and by which device a file was recorded.
struct OriginOptions {
  @Flag(
    "no-bext", group: .metadata,
    help:
      "Do not write into the file when it was recorded, which WAV has the chunks 'bext' and 'guan' for."
  )
  var isHidden: Bool
  @Option(
    "location", .location, group: .metadata,
    help: "Write where it is recorded, as in 52.5,13.4; also for the sun of --record.")
  var location: Location?
  @Option(
    "guano", .path(name: "file"), group: .metadata,
    help:
      "Write the lines of a file, such as 'Make: Dodotronic', read at the beginning of each part.")
  var notesPath: String?

  func request() throws(UsageError) -> OriginRequest {
    if isHidden, let given = [$location, $notesPath].first(where: \.isGiven) {
      throw UsageError("'\(given.label)' does not go with '\($isHidden.label)'")
    }
    return OriginRequest(location: location, notesPath: notesPath)
  }
}
