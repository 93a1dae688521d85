// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// How far an input is live: its samples come when they are sent, and cannot be had again.
///
/// A signal ends live input and keeps what came of it; the output is written as a recording is.
enum Liveness: Int, Comparable {
  /// A file or a generated signal. A run can be repeated.
  case none
  /// Standard input that is no regular file, or a FIFO. Its writer waits.
  case stream
  /// A device, which waits for nobody.
  case device

  static func < (first: Liveness, second: Liveness) -> Bool { first.rawValue < second.rawValue }
}

extension SourceEndpoint {
  /// How far it is live. The corresponding C functions are `stat` and `fstat`.
  var liveness: Liveness {
    switch self {
    case .end: isLive ? .device : .none
    case .standardInput: isRegularFile(STDIN_FILENO) ? .none : .stream
    case .file(let path): isRegularFile(path) ?? true ? .none : .stream
    }
  }
}

extension SourceEndpoint {
  /// Says that a terminal is read, if it is: nothing else would show that the command waits.
  func tellWaiting(on console: Console) {
    guard self == .standardInput, StandardStream.inputIsTerminal else { return }
    console.note("standard input is a terminal; it is read until Ctrl-D")
  }
}

extension Sequence<SourceEndpoint> {
  /// Makes ready for live input, before anything is read. A stream may be measured before its session runs, so a signal
  /// keeps what came from here on.
  func prepare(_ control: SessionControl, on console: Console) {
    forEach { $0.tellWaiting(on: console) }
    if liveness == .stream { _ = Interruption.handling(control, requesting: .finish) }
  }

  /// That of the source that is live the most.
  var liveness: Liveness { map(\.liveness).max() ?? .none }
}

extension ListedFile {
  var endpoint: SourceEndpoint { source == "-" ? .standardInput : .file(source) }

  /// Whether it cannot be read again.
  var isLive: Bool { endpoint.liveness != .none }
}

/// Whether an open file is one on a disk.
func isRegularFile(_ descriptor: CInt) -> Bool {
  var status = stat()
  return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Whether the path leads to a file on a disk; nil if it leads nowhere.
func isRegularFile(_ path: String) -> Bool? {
  var status = stat()
  guard unsafe stat(Pathname(path).cString, &status) == 0 else { return nil }
  return status.st_mode & S_IFMT == S_IFREG
}
