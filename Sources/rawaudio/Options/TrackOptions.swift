// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles

/// The option for a sound track of a file, given once for all sources or once for each.
struct TrackOptions {
  @Option var tracks: [SoundTrack]

  init(
    help: String = "Sound track of a video to read: its number, title or language."
  ) {
    _tracks = Option("track", .soundTrack, default: "1", group: .input, help: help)
  }

  func choose(in descriptions: inout [InputDescription]) throws(UsageError) {
    try _tracks.apply(to: &descriptions) { $0.track = $1 }
  }
}

extension ValueSyntax<SoundTrack> {
  /// `2`, `Commentary`, `eng`.
  static let soundTrack = ValueSyntax(name: "track") { (text: String) throws(InvalidValue) in
    if text == "all" {
      throw InvalidValue(
        "one sound track is read; name one for each output, or add them: 'rawaudio mix FILE --track all'"
      )
    }
    return try SoundTrack(word: text)
  }
}

extension SoundTrack {
  fileprivate init(word: String) throws(InvalidValue) {
    let number = Int(word)
    guard !word.isEmpty, number ?? 1 > 0 else {
      throw InvalidValue("sound tracks are told by their titles, or by their numbers from 1")
    }
    self = number.map { .number($0) } ?? .named(word)
  }
}

/// The sound tracks of a file that are read.
enum SoundTracks: Sendable, Hashable {
  case all
  case some([SoundTrack])
  /// Several by their titles, or one whose title has commas: only the file tells which.
  case named(String, parts: [SoundTrack])
}

extension ValueSyntax<SoundTracks> {
  /// `all`, `2`, `1,3`, `Commentary`, `Programme,Commentary`.
  static let soundTracks = ValueSyntax(name: "tracks") { (text: String) throws(InvalidValue) in
    if text == "all" { return .all }
    let parts = try text.split(separator: ",", omittingEmptySubsequences: false).map {
      (part) throws(InvalidValue) in try SoundTrack(word: String(part))
    }
    // A sum has each track once.
    let tracks = parts.indices.filter { !parts[..<$0].contains(parts[$0]) }.map { parts[$0] }
    return parts.count == 1 ? .some(tracks) : .named(text, parts: tracks)
  }
}
