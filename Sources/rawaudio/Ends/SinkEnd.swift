// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A sink named by a scheme: `null:`, `alsa:default`.
///
/// A new sink is one type, and one line in ``SinkEnds/all``.
protocol SinkEnd: SchemeEnd {
  /// Its form on help pages: `alsa:NAME for a device`.
  static var usage: String { get }
  /// Whether it takes samples at its own pace, as a device does.
  static var isLive: Bool { get }
  /// Why it is no source.
  static var refusalAsSource: String { get }
  /// Whether it discards every sample.
  static var discards: Bool { get }

  /// Makes the sink. The session opens it.
  func sink(_ request: DeviceRequest) throws(AudioError) -> EndSink
}

/// A sink that an end has made.
enum EndSink {
  case live(any LiveSink)
  case plain(any AudioSink)
}

extension SinkEnd {
  static var refusalAsSource: String { "\(scheme) only takes samples" }
  static var discards: Bool { false }
}

/// The sinks with a scheme, in the order of help pages.
enum SinkEnds {
  static let all: [any SinkEnd.Type] = [AlsaSinkEnd.self, JackSinkEnd.self, NullEnd.self]

  /// Those that `play` takes in place of a device.
  static var playing: [any SinkEnd.Type] { all.filter { $0.isLive || $0.discards } }

  /// As in `- for standard output, alsa:NAME for a device, null: for nowhere`.
  static let help = (["- for standard output"] + all.map { $0.usage }).joined(separator: ", ")

  /// The sink that `text` names. Nil if it has no scheme.
  static func parse(
    _ text: String, among ends: [any SinkEnd.Type] = all
  ) throws(InvalidValue) -> (any SinkEnd)? {
    guard let end = ends.first(where: { text.hasPrefix($0.scheme) }) else { return nil }
    return try end.init(String(text.dropFirst(end.scheme.count)))
  }
}

/// `null:` discards every sample.
struct NullEnd: SinkEnd {
  static let scheme = "null:"
  static let usage = "null: for nowhere"
  static let refusalAsSource = "null: only takes samples; silence: gives silence"
  let name = "null:"
  static let isLive = false
  static let discards = true

  init() {}

  init(_ detail: String) throws(InvalidValue) {
    guard detail.isEmpty else { throw InvalidValue("the sink that discards is written null:") }
  }

  static func offers(_ text: String) -> [Offer] { [.word("null:", about: "discards everything")] }

  func sink(_ request: DeviceRequest) -> EndSink { .plain(NullSink()) }
}

extension SinkEndpoint {
  static let null = SinkEndpoint.end(NullEnd())
}
