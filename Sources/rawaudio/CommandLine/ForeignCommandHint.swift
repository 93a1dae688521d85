// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The rest of a message about an unknown subcommand: a line that does what was probably meant.
///
/// Each line runs as it is told, if the words are names of files, and writes over none of them.
enum ForeignCommandHint {
  /// Our name for another program's subcommand or word. Nil if there is none.
  static func command(for word: String, among names: [String]) -> String? {
    let command = commands.first { $0.key.split(separator: " ").contains(word[...]) }?.value
    return command.flatMap { names.contains($0) ? $0 : nil }
  }

  /// The rest of the message. Empty if nothing is near.
  ///
  /// - Parameters:
  ///   - rest: the words after it.
  ///   - names: the subcommands.
  static func suggestion(
    for word: String, followedBy rest: ArraySlice<String>, among names: [String]
  ) -> String {
    let others = rest.filter { !$0.hasPrefix("-") }
    if let task = tasks.first(where: { $0.key.split(separator: " ").contains(word[...]) }) {
      return "; " + task.value(others)
    }
    if let hint = hint(forFile: word, others) { return hint }
    let meant = command(for: word, among: names) ?? nearest(to: word, among: names)
    return meant.map { ". Did you mean '\($0)'?" } ?? ""
  }

  /// The hint for files without a subcommand, as in sox. Nil if `word` is unlikely to be a file.
  private static func hint(forFile word: String, _ others: [String]) -> String? {
    guard word.contains(where: { "./".contains($0) }) || Pathname(word).exists else { return nil }
    let file = word.shellWord
    if others.count == 1, let output = others.first, !Pathname(output).exists {
      return "; to convert a file, say 'rawaudio convert \(file) -o \(output.shellWord)'"
    }
    return
      "; to play a file, say 'rawaudio play \(file)', to convert it 'rawaudio convert \(file) -o OUT'"
  }

  /// Our subcommands for those of other programs.
  private static let commands: KeyValuePairs = [
    "record rec arecord": "capture",
    "aplay": "play",
    "cat join append concatenate splice": "concat",
    "merge sum amix": "mix",
    "sox ffmpeg transcode encode decode resample rate trim remix gain norm cut": "convert",
    "probe ffprobe soxi mediainfo": "info",
    "spectrogram waveform draw": "plot",
    "list ls cards": "devices",
  ]

  /// Words for tasks, and the answers by the words that follow.
  private static let tasks: KeyValuePairs<String, @Sendable ([String]) -> String> = [
    "check verify validate": { "faults of a file are measured by 'rawaudio measure \(file($0))'" },
    "split": {
      "to split a file, say 'rawaudio convert \(file($0)) --split 60 -o part-%03d.wav'"
    },
    "tone sine beep synth": {
      "a tone is a source, as in 'rawaudio play tone:\($0.first.flatMap { UInt32($0) } ?? 440)'"
    },
    "noise": { _ in "noise is a source, as in 'rawaudio play noise:pink'" },
    "sweep": { _ in "a sweep is a source, as in 'rawaudio play sweep:20-20000 -d 10'" },
    "compare diff": { others in
      let pair = others.count == 2 ? others.map(\.shellWord).joined(separator: " ") : "A B"
      return
        "the difference of two files is measured by 'rawaudio mix \(pair) --invert=2 | rawaudio measure -'"
    },
    "meter level levels vu": {
      "levels of a file are measured by 'rawaudio measure \(file($0))', and shown while it plays by"
        + " 'rawaudio play --meter full \(file($0))'"
    },
    "tag tags retag": {
      "tags are set by 'rawaudio convert \(file($0)) --tag TITLE=Dawn -o OUT', and shown by 'rawaudio info'"
    },
    "effect effects filter reverb compressor denoise": { _ in
      "'rawaudio help effects' tells how sound is changed"
    },
  ]

  /// The only word as a file.
  private static func file(_ words: [String]) -> String {
    words.count == 1 ? words[0].shellWord : "FILE"
  }
}
