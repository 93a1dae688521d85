// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// A source or a sink named by a scheme: `alsa:default`.
protocol SchemeEnd: Sendable, Hashable {
  /// With the colon.
  static var scheme: String { get }
  /// Whether it has its own pace, as a device does. Such a source cannot be read again.
  static var isLive: Bool { get }
  /// Its name in notes and errors.
  var name: String { get }

  /// The completions of a text with the scheme, or of the beginning of a scheme.
  static func offers(_ text: String) -> [Offer]

  /// - Parameter detail: the text after the scheme.
  init(_ detail: String) throws(InvalidValue)
}

/// A source named by a scheme: `tone:440`, `alsa:default`. It never ends.
///
/// A new source is one type, and one line in ``SourceEnds/all``. Parsing, every command's help and shell completion
/// follow from it.
protocol SourceEnd: SchemeEnd {
  /// Its forms on help pages: `tone:440`, `alsa:NAME for a device`.
  static var usages: [String] { get }
  /// Why it is no sink.
  static var refusalAsSink: String { get }
  var title: String { get }
  /// Its kind in errors: `a device`.
  static var noun: String { get }

  /// Makes the source, a ``LiveSource`` if it is live. The session opens it.
  func source(_ request: SourceEndRequest) throws(AudioError) -> any AudioSource
}

extension SourceEnd {
  static var refusalAsSink: String { "\(scheme) only gives samples" }
  var title: String { name }
}

/// The options for a source with a scheme. Each source reads the relevant ones.
struct SourceEndRequest {
  var device = AlsaOptions()
  /// The format of samples without a header. Nil if it was not given.
  var headerless: HeaderlessFormat?
  /// The duration of a sweep.
  var duration: TimePosition?
  /// The channel count of noise, whose channels differ. Nil = the session's.
  var channelCount: Int?
  /// The seed of noise that names none. Nil = a new noise each time.
  var seed: UInt64?
}

/// The sources with a scheme, in the order of help pages.
enum SourceEnds {
  static let all: [any SourceEnd.Type] = [
    AlsaSourceEnd.self, ToneEnd.self, NoiseEnd.self, SweepEnd.self, SilenceEnd.self,
  ]

  /// A sentence for help pages: `What to play: paths, - for standard input, tone:440 or silence:.`
  ///
  /// - Parameter devices: whether a device can be a source.
  static func help(_ beginning: String, devices: Bool = true) -> String {
    let usages = all.filter { devices || !$0.isLive }.flatMap { $0.usages }
    return "\(beginning) \((["- for standard input"] + usages).joinedAsAlternatives)."
  }

  /// The source that `text` names. Nil if it has no scheme.
  static func parse(_ text: String) throws(InvalidValue) -> (any SourceEnd)? {
    guard let end = all.first(where: { text.hasPrefix($0.scheme) }) else { return nil }
    return try end.init(String(text.dropFirst(end.scheme.count)))
  }
}
