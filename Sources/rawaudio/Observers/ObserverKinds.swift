// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The kinds of observers, in the order of help pages and errors.
enum ObserverKinds {
  static let all: [any ObserverKind.Type] = [
    GainKind.self, InvertKind.self, FadeInKind.self, FadeOutKind.self, ChannelMapKind.self,
    ResampleKind.self, MixKind.self, TapKind.self, MeterKind.self, LoudnessKind.self,
    EventsKind.self, ExecKind.self,
  ]

  /// The kind with this word.
  static func named(_ word: some StringProtocol) -> (any ObserverKind.Type)? {
    all.first { $0.summary.word == word }
  }
}

/// The facts of a kind that do not depend on its argument.
struct ObserverKindSummary: Sendable {
  /// A key that only some kinds have.
  struct Key: Sendable {
    var name: String
    var help: String
    var values: [String]
  }

  var word: String
  var usage: String
  var mode: ObserverMode
  var tells: Bool
  var help: String
  var keys: [Key]
}

extension ObserverKind {
  static var summary: ObserverKindSummary {
    ObserverKindSummary(
      word: form.word, usage: form.usage, mode: form.mode, tells: form.tells, help: form.help,
      keys: keys.map { .init(name: $0.name, help: $0.help, values: $0.values) })
  }
}
