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

/// The options that set texts.
struct TagOptions {
  @Option(
    "tag", .tag, group: .metadata,
    help: "Set a text of the output, as in TITLE=Dawn; KEY= removes it (repeatable).")
  var edits: [TagEdit]
  @Option(
    "tags-from", .path(name: "file"), group: .metadata, givenOnce: true,
    help: "Take texts and pictures from another sound file.")
  var path: String?

  /// - Parameter decoder: of the other file.
  func request(
    strips: Bool = false, decoder: FileDecoder? = nil, tellsOrigin: Bool = true
  ) -> MetadataRequest {
    MetadataRequest(
      strips: strips,
      tagsFrom: path.map { TagsFile(path: $0, decoder: decoder ?? .automatic) }, edits: edits,
      tellsOrigin: tellsOrigin)
  }
}

/// The options of commands that carry on what files hold beside their samples.
struct MetadataOptions {
  @Flag(
    "strip", group: .metadata, help: "Keep nothing of what the source carries beside its samples.")
  var strips: Bool
  var tags = TagOptions()

  func request(decoder: FileDecoder?) -> MetadataRequest {
    tags.request(strips: strips, decoder: decoder)
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
