// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// What the output carries beside its samples.
struct MetadataRequest: Sendable, Hashable {
  /// Whether nothing of the source is kept.
  var strips = false
  /// Whose texts and pictures replace those of the source; nil = none.
  var tagsFrom: TagsFile?
  var edits: [TagEdit] = []
  /// Whether a recording says when it was made.
  var tellsOrigin = true

  /// Whether texts are asked for.
  var setsTexts: Bool { tagsFrom != nil || edits.contains { !$0.value.isEmpty } }
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
    help: "Take texts and pictures from another sound file."
  ).givenOnce
  static let noBext = Flag(
    "no-bext", group: .metadata,
    help: "Do not write into the file when it was recorded, which WAV has a 'bext' chunk for.")

  static let parameters: [any Declared] = [strip] + tagParameters
  /// Where there is no file whose pieces would be kept.
  static let tagParameters: [any Declared] = [tag, tagsFrom]
  static let captureParameters: [any Declared] = tagParameters + [noBext]

  static func request(_ arguments: ParsedArguments) throws(UsageError) -> MetadataRequest {
    MetadataRequest(
      strips: arguments.has(strip),
      tagsFrom: try tagsFile(arguments),
      edits: try arguments.values(of: tag), tellsOrigin: !arguments.has(noBext))
  }
}

extension MetadataOptions {
  private static func tagsFile(_ arguments: ParsedArguments) throws(UsageError) -> TagsFile? {
    guard let path = try arguments.value(of: tagsFrom) else { return nil }
    let decoder = try arguments.value(of: InputOptions.decoder)
    return TagsFile(path: path, decoder: decoder ?? .automatic)
  }
}

/// A sound file whose texts and pictures go into others. It is read once, however many they are.
final class TagsFile: Sendable, Hashable {
  let path: String
  /// Who is asked for them.
  private let decoder: FileDecoder
  private let read = Mutex<Metadata?>(nil)

  init(path: String, decoder: FileDecoder) {
    self.path = path
    self.decoder = decoder
  }

  /// - Parameter control: ends the wait for what comes through a pipe; nil where nobody would.
  func metadata(until control: SessionControl?) throws(AudioError) -> Metadata {
    try read.withLock { (known) throws(AudioError) in
      if let known { return known }
      let metadata = try Metadata(ofFileAt: path, decoder: decoder, until: control)
      known = metadata
      return metadata
    }
  }

  static func == (first: TagsFile, second: TagsFile) -> Bool { first.path == second.path }

  func hash(into hasher: inout Hasher) { hasher.combine(path) }
}

extension MetadataRequest {
  /// What is to be carried of what the source carries.
  ///
  /// - Parameter control: ends the wait for another file's texts.
  func applied(
    to metadata: Metadata?, until control: SessionControl?
  ) throws(AudioError) -> Metadata? {
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
      let other = try tagsFrom.metadata(until: control)
      edited.takeTexts(from: other)
    }
    let editedKeys = Set(edits.map(\.key))
    edited.tags.removeAll(where: editedKeys.contains)
    for edit in edits { edited.tags.append(edit.key, edit.value) }
    return edited
  }
}
