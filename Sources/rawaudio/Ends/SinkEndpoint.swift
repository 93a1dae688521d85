// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// Where samples go, as named on a command line.
enum SinkEndpoint: Sendable {
  case file(String)
  case standardOutput
  case end(any SinkEnd)
}

extension SinkEndpoint {
  /// Its name in errors.
  var name: String {
    switch self {
    case .file(let path): path
    case .standardOutput: "standard output"
    case .end(let end): end.name
    }
  }

  /// Whether it takes samples at its own pace, as a device does.
  var isLive: Bool {
    if case .end(let end) = self { type(of: end).isLive } else { false }
  }

  /// The device options that it reads. Nil for a file or a stream.
  var options: String? { if case .end(let end) = self { type(of: end).options } else { nil } }

  /// Whether it discards every sample.
  var discards: Bool {
    if case .end(let end) = self { type(of: end).discards } else { false }
  }

  /// Whether each sample may be taken as soon as it is written, by a live end or the reader of a pipe.
  var isTakenAtOnce: Bool {
    switch self {
    case .end: isLive
    case .standardOutput: !isRegularFile(STDOUT_FILENO)
    case .file(let path): !(isRegularFile(path) ?? true)
    }
  }

  /// The path of a file that only one output may write to. Nil for any other sink.
  var ownPath: String? {
    if case .file(let path) = self, isExclusive { path } else { nil }
  }

  /// The names of its parts. Nil if its name is no pattern.
  func partNames(in civilTime: CivilTime) -> PartNames? {
    ownPath.flatMap { try? PartNames($0, in: civilTime, keepsFields: true) }
  }

  /// The folder of its files. Nil if it writes no files.
  var partFolder: Pathname? { ownPath.map { Pathname($0).directory } }

  /// Whether only one output may write to it. Ends with a scheme decide this themselves, and so do the files of `/dev`.
  var isExclusive: Bool {
    switch self {
    case .file(let path): !path.hasPrefix("/dev/")
    case .standardOutput: true
    case .end: false
    }
  }
}

extension SinkEndpoint: Equatable {
  static func == (first: Self, second: Self) -> Bool {
    switch (first, second) {
    case (.file(let first), .file(let second)): first == second
    case (.standardOutput, .standardOutput): true
    case (.end(let first), .end(let second)): AnyHashable(first) == AnyHashable(second)
    default: false
    }
  }
}

extension ValueSyntax<SinkEndpoint> {
  /// A path, `-`, or a sink with a scheme. A path that looks like one of them is written with `./` in front.
  static let sink = ValueSyntax(name: "sink") { (text: String) throws(InvalidValue) in
    if text == "-" || standardStream(text) == STDOUT_FILENO { return .standardOutput }
    if text.isEmpty { throw InvalidValue("the name is empty") }
    if let end = try SinkEnds.parse(text) { return .end(end) }
    if let source = try SourceEnds.parse(text) {
      throw InvalidValue(type(of: source).refusalAsSink)
    }
    return .file(text)
  }.offering { text in
    let schemes = SinkEnds.all.flatMap { $0.offers(text) }
    if SinkEnds.all.contains(where: { text.hasPrefix($0.scheme) }) { return schemes }
    return [.path(behind: ""), .word("-", about: "standard output")] + schemes
  }
}

/// The files and standard streams that a command line writes to. Only one sink, tap or log may write to each.
struct OutputNames {
  private var taken: Set<[UInt8]> = []

  /// - Throws: if another output already goes there.
  mutating func add(_ sink: SinkEndpoint) throws(UsageError) {
    guard sink.isExclusive, !taken.insert(sink.normalized).inserted else { return }
    throw UsageError("Two outputs go to '\(sink.name)'; give each its own")
  }
}

extension SinkEndpoint {
  /// The path without `.` and repeated slashes, so that its spellings are equal. AudioCore compares the files
  /// themselves when it opens them.
  fileprivate var normalized: [UInt8] {
    // No path holds a zero.
    guard case .file(let path) = self else { return [0] }
    let slash = UInt8(ascii: "/")
    let bytes = Pathname(path).bytes
    let parts = bytes.split(separator: slash).filter { Array($0) != [UInt8(ascii: ".")] }
    return (bytes.first == slash ? [slash] : []) + parts.joined(separator: [slash])
  }
}
