// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// Where samples come from, as named on a command line.
enum SourceEndpoint: Sendable {
  case file(String)
  case standardInput
  case end(any SourceEnd)
}

extension SourceEndpoint {
  /// Its name in notes.
  var name: String {
    switch self {
    case .file(let path): path
    case .standardInput: "standard input"
    case .end(let end): end.name
    }
  }

  /// The title of its picture. The last part of a path.
  var title: String {
    switch self {
    case .file(let path): Pathname(bytes: Pathname(path).name).description
    case .standardInput: name
    case .end(let end): end.title
    }
  }

  /// Nil if it is no file.
  var filePath: String? { if case .file(let path) = self { path } else { nil } }

  /// Nil for a file or a stream.
  private var scheme: (any SourceEnd.Type)? {
    if case .end(let end) = self { type(of: end) } else { nil }
  }

  /// Whether it gives samples at its own pace, as a device does.
  var isLive: Bool { scheme?.liveness == .live }

  /// Whether it computes its samples.
  var isGenerated: Bool { scheme?.isGenerated ?? false }

  /// Whether it states that its samples never end.
  var isEndless: Bool { if case .end(let end) = self { end.isEndless } else { false } }

  /// Whether it can be read to its end before the session reads it.
  var canBeReadAhead: Bool { !isEndless && !isLive }

  /// The device options that it reads. Nil for a file or a stream.
  var options: String? { scheme?.options }

  /// Its kind in errors.
  var noun: String { scheme?.noun ?? name }

  /// Whether it gives equal samples each time it is opened. The corresponding C function is `stat`.
  var isRepeatable: Bool {
    switch self {
    case .standardInput: false
    // Opening a missing file throws the error.
    case .file(let path): isRegularFile(path) ?? true
    case .end(let end): end.isRepeatable
    }
  }
}

extension SourceEndpoint: Equatable {
  static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.file(let first), .file(let second)): first == second
    case (.standardInput, .standardInput): true
    case (.end(let first), .end(let second)): AnyHashable(first) == AnyHashable(second)
    default: false
    }
  }
}

extension ValueSyntax<SourceEndpoint> {
  /// A path, `-`, or a source with a scheme. A path that looks like one of them is written with `./` in front; a file
  /// that exists is taken without, as a shell's pattern may have named it.
  static func source(name: String) -> Self {
    ValueSyntax(name: name) { (text: String) throws(InvalidValue) in
      if text == "-" || standardStream(text) == STDIN_FILENO { return .standardInput }
      if text.isEmpty { throw InvalidValue("the name is empty") }
      if SourceEndpoint.hasScheme(text), isRegularFile(text) == true { return .file(text) }
      if let end = try SourceEnds.parse(text) { return .end(end) }
      if let sink = SinkEnds.all.first(where: { text.hasPrefix($0.scheme) }) {
        throw InvalidValue(sink.refusalAsSource)
      }
      return .file(text)
    }.offering { SourceEndpoint.offers($0) }
  }
}

extension SourceEndpoint {
  /// Whether a text may be an end as well as a path.
  static func hasScheme(_ text: String) -> Bool {
    SourceEnds.all.contains { text.hasPrefix($0.scheme) }
      || SinkEnds.all.contains { text.hasPrefix($0.scheme) }
  }

  /// The completions of the beginning of a source.
  static func offers(_ text: String) -> [Offer] {
    let schemes = SourceEnds.all.flatMap { $0.offers(text) }
    if SourceEnds.all.contains(where: { text.hasPrefix($0.scheme) }) { return schemes }
    return [.path(behind: ""), .word("-", about: "standard input")] + schemes
  }
}

/// The standard stream that a path names in the system's way. Nil for any other path. Source: stdin(3), proc(5).
func standardStream(_ path: String) -> CInt? {
  switch path {
  case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0": STDIN_FILENO
  case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1": STDOUT_FILENO
  default: nil
  }
}
