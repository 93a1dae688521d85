// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// Where samples come from, as named on a command line.
enum SourceEndpoint: Sendable, Hashable {
  case file(String)
  case standardInput
  /// The name of an ALSA PCM.
  case device(String)
  case generated(GeneratedSignal)
}

extension SourceEndpoint {
  /// Its name in notes.
  var name: String {
    switch self {
    case .file(let path): path
    case .standardInput: "standard input"
    case .device(let name): name
    case .generated(let signal): signal.name
    }
  }

  var isDevice: Bool {
    if case .device = self { true } else { false }
  }

  /// Whether it gives the same when it is opened again. The corresponding C function is `stat`.
  var isRepeatable: Bool {
    switch self {
    case .generated: true
    case .standardInput, .device: false
    // What is wrong with a file that cannot be found is told when it is opened.
    case .file(let path): isRegularFile(path) ?? true
    }
  }

  /// Whether the source never ends by itself.
  var isEndless: Bool {
    switch self {
    case .file, .standardInput: false
    case .device, .generated: true
    }
  }
}

extension ValueSyntax<SourceEndpoint> {
  /// A path, `-`, `alsa:NAME` or a generated signal. A path that looks like one of them is written
  /// with `./` in front.
  static func source(name: String) -> Self {
    ValueSyntax(name: name) { (text: String) throws(InvalidValue) in
      if text == "-" || standardStream(text) == STDIN_FILENO { return .standardInput }
      if text.isEmpty { throw InvalidValue("the name is empty") }
      if let device = try alsaName(text) { return .device(device) }
      if text.hasPrefix("null:") {
        throw InvalidValue("null: only takes samples; silence: gives silence")
      }
      if let signal = try GeneratedSignal(text) { return .generated(signal) }
      return .file(text)
    }.offering { SourceEndpoint.offers($0) }
  }
}

/// The standard stream that a path names as the system does; nil for any other path. Source: stdin(3), proc(5).
private func standardStream(_ path: String) -> CInt? {
  switch path {
  case "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0": STDIN_FILENO
  case "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1": STDOUT_FILENO
  default: nil
  }
}

extension SourceEndpoint {
  /// How a source that was begun may go on.
  static func offers(_ text: String) -> [Offer] {
    endpointOffers(text, for: .capture) + GeneratedSignal.offers
  }
}

/// Where samples go, as named on a command line.
enum SinkEndpoint: Sendable, Hashable {
  case file(String)
  case standardOutput
  /// The name of an ALSA PCM.
  case device(String)
  /// Discards everything.
  case null
}

extension SinkEndpoint {
  /// Its name in errors.
  var name: String {
    switch self {
    case .file(let path): path
    case .standardOutput: "standard output"
    case .device(let name): name
    case .null: "null:"
    }
  }

  var isDevice: Bool {
    if case .device = self { true } else { false }
  }

  /// Whether somebody may take each sample as soon as it is written: a device, or the reader of a pipe.
  var isTakenAtOnce: Bool {
    switch self {
    case .device: true
    case .null: false
    case .standardOutput: !isRegularFile(STDOUT_FILENO)
    case .file(let path): !(isRegularFile(path) ?? true)
    }
  }

  /// The names of its parts; nil if its name is no pattern.
  func partNames(in civilTime: CivilTime) -> PartNames? {
    guard case .file(let path) = self, isExclusive else { return nil }
    return try? PartNames(path, in: civilTime)
  }

  /// The folder of its files; nil if it writes none.
  var partFolder: Pathname? {
    guard case .file(let path) = self, isExclusive else { return nil }
    return Pathname(path).directory
  }

  /// Devices decide themselves who may use them; so do the files of `/dev`.
  var isExclusive: Bool {
    switch self {
    case .file(let path): !path.hasPrefix("/dev/")
    case .standardOutput: true
    case .device, .null: false
    }
  }
}

extension ValueSyntax<SinkEndpoint> {
  /// A path, `-`, `alsa:NAME` or `null:`. A path that looks like one of them is written with `./` in
  /// front.
  static let sink = ValueSyntax(name: "sink") { (text: String) throws(InvalidValue) in
    if text == "-" || standardStream(text) == STDOUT_FILENO { return .standardOutput }
    if text == "null:" { return .null }
    if text.isEmpty { throw InvalidValue("the name is empty") }
    if let device = try alsaName(text) { return .device(device) }
    if text.hasPrefix("null:") { throw InvalidValue("the sink that discards is written null:") }
    if try GeneratedSignal(text) != nil {
      throw InvalidValue("a generated signal is a source, not a sink")
    }
    return .file(text)
  }.offering { endpointOffers($0, for: .playback) + [.word("null:", about: "discards everything")] }
}

extension ValueSyntax<String> {
  /// A path, even if it looks like something else.
  static func path(name: String) -> Self {
    ValueSyntax(name: name) { (text: String) throws(InvalidValue) in
      if text.isEmpty { throw InvalidValue("the name is empty") }
      return text
    }.offering { _ in [.path(behind: "")] }
  }

  /// The name of an ALSA PCM, with or without `alsa:`.
  static let deviceName = ValueSyntax(name: "name") { (text: String) throws(InvalidValue) in
    if let name = try alsaName(text) { return name }
    if text.isEmpty { throw InvalidValue("the name is empty") }
    return text
  }.offering { text in
    let devices = AlsaDevices.announced().map { Offer.word($0.name, about: $0.description) }
    return text.hasPrefix("alsa:") ? devices.map { $0.behind("alsa:") } : devices
  }
}

/// What sources and sinks have in common. Devices are looked for only where one was begun.
private func endpointOffers(_ text: String, for direction: DeviceDirection) -> [Offer] {
  guard text.hasPrefix("alsa:") else {
    let stream = direction == .capture ? "standard input" : "standard output"
    return [
      .path(behind: ""), .word("-", about: stream), .beginning("alsa:", about: "a device"),
    ]
  }
  return AlsaDevices.announced().filter { $0.answer(to: direction) != nil }
    .map { .word("alsa:\($0.name)", about: $0.description) }
}

/// The name after `alsa:`; nil if `text` does not begin with that.
private func alsaName(_ text: String) throws(InvalidValue) -> String? {
  guard text.hasPrefix("alsa:") else { return nil }
  let name = String(text.dropFirst(5))
  if name.isEmpty { throw InvalidValue("a device is written with its name: alsa:default") }
  return name
}

/// The files and standard streams that a command line writes to. Only one sink, tap or log may write to each.
struct OutputNames {
  private var taken: Set<[UInt8]> = []

  /// - Throws: if another output goes there already.
  mutating func add(_ sink: SinkEndpoint) throws(UsageError) {
    guard sink.isExclusive, !taken.insert(sink.normalized).inserted else { return }
    throw UsageError("Two outputs go to '\(sink.name)'; give each its own")
  }
}

extension SinkEndpoint {
  /// The same for all spellings of a path that differ only by `.` and repeated slashes. (AudioCore looks at the files
  /// themselves, when it opens them.)
  fileprivate var normalized: [UInt8] {
    // No path holds a zero.
    guard case .file(let path) = self else { return [0] }
    let slash = UInt8(ascii: "/")
    let bytes = Pathname(path).bytes
    let parts = bytes.split(separator: slash).filter { Array($0) != [UInt8(ascii: ".")] }
    return (bytes.first == slash ? [slash] : []) + parts.joined(separator: [slash])
  }
}
