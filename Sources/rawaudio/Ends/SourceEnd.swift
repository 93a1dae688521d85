// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// A source or a sink named by a scheme: `alsa:default`.
protocol SchemeEnd: Sendable, Hashable {
  /// With the colon.
  static var scheme: String { get }
  /// Its name in notes and errors.
  var name: String { get }
  /// The device options that it reads, separated by spaces.
  static var options: String { get }

  /// The completions of a text with the scheme, or of the beginning of a scheme.
  static func offers(_ text: String) -> [Offer]
  /// Its share of `rawaudio devices`. Nil if it has nothing to list.
  static func listing() -> EndListing?

  /// - Parameter detail: the text after the scheme.
  init(_ detail: String) throws(InvalidValue)
}

extension SchemeEnd {
  static var options: String { "" }
  static func listing() -> EndListing? { nil }
}

/// The devices of an end in the list of `rawaudio devices`.
struct EndListing {
  /// Lines with their ends.
  var text: String
  /// An object for each device.
  var json: [JSONValue]
}

/// A source named by a scheme: `tone:440`, `alsa:default`.
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
  static var liveness: Liveness { get }
  /// Whether it computes its samples, at any rate and for any duration.
  static var isGenerated: Bool { get }
  /// Whether its samples never end.
  var isEndless: Bool { get }
  /// Whether it gives equal samples each time it is opened.
  var isRepeatable: Bool { get }
  /// Whether it is a device that is closed while it is not needed.
  static var canRest: Bool { get }

  /// Makes the source. The session opens it.
  func source(_ request: SourceEndRequest) throws(AudioError) -> EndSource
  /// A note on the way to the source, before it is opened. Nil if there is none.
  func openingNote(_ request: DeviceRequest) -> String?
}

/// A source that an end has made.
enum EndSource {
  case live(any ReadableEnd)
  case plain(any AudioSource)
}

extension SourceEnd {
  static var refusalAsSink: String { "\(scheme) only gives samples" }
  static var isGenerated: Bool { false }
  static var canRest: Bool { false }
  func openingNote(_ request: DeviceRequest) -> String? { nil }
  var title: String { name }
  var isEndless: Bool { true }
  var isRepeatable: Bool { Self.liveness == .none }
}

/// The options for a source with a scheme. Each source reads the relevant ones.
struct SourceEndRequest {
  var device = DeviceRequest()
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
    AlsaSourceEnd.self, JackSourceEnd.self, RTPSourceEnd.self, RTSPSourceEnd.self, ToneEnd.self,
    NoiseEnd.self, SweepEnd.self,
    SilenceEnd.self,
  ]

  /// A sentence for help pages: `What to play: paths, - for standard input, tone:440 or silence:.` The levels of the
  /// generated ones follow.
  ///
  /// - Parameter devices: whether a live end can be a source.
  static func help(_ beginning: String, devices: Bool = true) -> String {
    let usages = all.filter { devices || $0.liveness != .live }.flatMap { $0.usages }
    return """
      \(beginning) \((["- for standard input"] + usages).joinedAsAlternatives). Tones, sweeps and white noise reach \
      -3 dBFS, pink noise has -17 dBFS RMS; tone:440,gain=-20 is softer.
      """
  }

  /// The source that `text` names. Nil if it has no scheme.
  static func parse(
    _ text: String, among ends: [any SourceEnd.Type] = all
  ) throws(InvalidValue) -> (any SourceEnd)? {
    guard let end = ends.first(where: { text.hasPrefix($0.scheme) }) else { return nil }
    return try end.init(String(text.dropFirst(end.scheme.count)))
  }
}
