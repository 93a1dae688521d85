internal import AudioCore

/// What the output carries beside its samples.
struct MetadataRequest: Sendable, Hashable {
  /// Whether nothing of the source is kept.
  var strips = false
  /// A path, whose texts and pictures replace those of the source; nil = none.
  var tagsFrom: String?
  var edits: [TagEdit] = []
  /// Whether a recording says when it was made.
  var tellsOrigin = true
}

/// The options of commands that write sound files.
enum MetadataOptions {
  static let strip = Flag(
    "strip", group: .metadata, help: "Keep nothing of what the source carries beside its samples.")
  static let tag = Option(
    "tag", .tag, group: .metadata,
    help: "Set a text of the output, as in TITLE=Dawn; KEY= removes it (repeatable).")
  static let tagsFrom = Option(
    "tags-from", .path(name: "file"), group: .metadata,
    help: "Take texts and pictures from another sound file.")
  static let noBext = Flag(
    "no-bext", group: .metadata,
    help: "Do not write into the file when it was recorded, which WAV has a 'bext' chunk for.")

  static let parameters: [any Declared] = [strip, tag, tagsFrom]
  static let captureParameters: [any Declared] = [tag, tagsFrom, noBext]

  static func request(_ arguments: ParsedArguments) throws(UsageError) -> MetadataRequest {
    MetadataRequest(
      strips: arguments.has(strip), tagsFrom: try arguments.value(of: tagsFrom),
      edits: try arguments.values(of: tag), tellsOrigin: !arguments.has(noBext))
  }
}

extension MetadataRequest {
  /// What is to be carried of what the source carries.
  func applied(to metadata: Metadata?) throws(AudioError) -> Metadata? {
    var result = metadata
    if strips {
      // Which channel belongs where is about the samples.
      result = metadata.map { old in
        var bare = Metadata()
        (bare.channelLayout, bare.channelCount) = (old.channelLayout, old.channelCount)
        return bare
      }
    }
    guard tagsFrom != nil || !edits.isEmpty else { return result }
    var edited = result ?? Metadata()
    if let tagsFrom {
      let other = try SoundFileInformation(path: tagsFrom).metadata
      edited.tags = other.tags
      if !other.pictures.isEmpty { edited.pictures = other.pictures }
    }
    for key in Set(edits.map(\.key)) { edited.tags[key] = [] }
    for edit in edits { edited.tags.append(edit.key, edit.value) }
    return edited
  }
}
