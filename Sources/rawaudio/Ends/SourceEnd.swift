// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// A source that is named by a scheme: `tone:440`, `alsa:default`.
///
/// A new one is one type, and one line in ``SourceEnds/all``. Parsing, the help of every command and the completion of
/// shells follow from it.
protocol SourceEnd: Sendable, Hashable {
  /// With the colon.
  static var scheme: String { get }
  /// How help pages write it: `tone:440`, `alsa:NAME for a device`.
  static var usages: [String] { get }
  /// Why it is no sink.
  static var refusalAsSink: String { get }

  /// How a text with the scheme may go on, or one that was hardly begun.
  static func offers(_ text: String) -> [Offer]

  /// - Parameter detail: the text behind the scheme.
  init(_ detail: String) throws(InvalidValue)

  /// Its name in notes.
  var name: String { get }
  /// The words above a picture of it.
  var title: String { get }
  /// Its kind in errors: `a device`.
  static var noun: String { get }
  /// Whether it gives samples at its own pace, as a device does, so that it cannot be read again. A source with a scheme
  /// never ends.
  static var isLive: Bool { get }

  /// Makes the source, a ``LiveSource`` if it is live. It is opened when the session runs.
  func source(_ request: SourceEndRequest) throws(AudioError) -> any AudioSource
}

extension SourceEnd {
  static var refusalAsSink: String { "\(scheme) only gives samples" }
  var title: String { name }
}

/// The wishes for a source with a scheme. Each takes those that concern it.
struct SourceEndRequest {
  var device = AlsaOptions()
  /// The format of samples without a header; nil where it was not stated.
  var headerless: HeaderlessFormat?
  /// How long a sweep takes.
  var duration: TimePosition?
  /// Of noise, each channel of which is another one; nil = as the session has it.
  var channelCount: Int?
  /// Of noise that names none; nil = another one each time.
  var seed: UInt64?
}

/// The sources that have a scheme, in the order of help pages.
enum SourceEnds {
  static let all: [any SourceEnd.Type] = [
    AlsaSourceEnd.self, ToneEnd.self, NoiseEnd.self, SweepEnd.self, SilenceEnd.self,
  ]

  /// As in `- for standard input, alsa:NAME for a device, tone:440 or silence:`.
  static func help(live: Bool) -> String {
    (["- for standard input"] + all.filter { live || !$0.isLive }.flatMap { $0.usages })
      .joinedAsAlternatives
  }

  /// The source that `text` names; nil where it has no scheme.
  static func parse(_ text: String) throws(InvalidValue) -> (any SourceEnd)? {
    guard let end = all.first(where: { text.hasPrefix($0.scheme) }) else { return nil }
    return try end.init(String(text.dropFirst(end.scheme.count)))
  }
}
