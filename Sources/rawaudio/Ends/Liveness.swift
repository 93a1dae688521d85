// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// The liveness of an input: live samples arrive when they are sent and cannot be read again.
///
/// A signal ends live input and keeps the samples read so far. The output is written as a recording.
enum Liveness: Int, Comparable {
  /// A file or a generated signal. A run can be repeated.
  case none
  /// Standard input or a FIFO, unless it is a regular file. Its writer waits.
  case stream
  /// A device or a network. It never waits for its reader.
  case live

  static func < (first: Liveness, second: Liveness) -> Bool { first.rawValue < second.rawValue }
}

extension SourceEndpoint {
  /// Its liveness. The corresponding C functions are `stat` and `fstat`.
  var liveness: Liveness {
    switch self {
    case .end(let end): type(of: end).liveness
    case .standardInput: isRegularFile(STDIN_FILENO) ? .none : .stream
    case .file(let path): isRegularFile(path) ?? true ? .none : .stream
    }
  }
}

extension SourceEndpoint {
  /// Prints a note if a terminal is read: nothing else would show that the command waits.
  func tellWaiting(on console: Console) {
    guard self == .standardInput, StandardStream.inputIsTerminal else { return }
    console.note("standard input is a terminal; it is read until Ctrl-D")
  }
}

extension Sequence<SourceEndpoint> {
  /// Prepares live input before anything is read. A stream may be measured before its session runs, so a signal keeps
  /// the samples from here on.
  func prepare(_ control: SessionControl, on console: Console) {
    forEach { $0.tellWaiting(on: console) }
    if liveness == .stream { _ = Interruption.handling(control, requesting: .finish) }
  }

  var liveness: Liveness { map(\.liveness).max() ?? .none }
}

extension ListedFile {
  var endpoint: SourceEndpoint { source == "-" ? .standardInput : .file(source) }

  /// Whether it cannot be read again.
  var isLive: Bool { endpoint.liveness != .none }
}

func isRegularFile(_ descriptor: CInt) -> Bool {
  var status = stat()
  return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
}

/// Whether the path leads to a regular file. Nil if it leads nowhere.
func isRegularFile(_ path: String) -> Bool? {
  var status = stat()
  guard unsafe stat(Pathname(path).cString, &status) == 0 else { return nil }
  return status.st_mode & S_IFMT == S_IFREG
}
