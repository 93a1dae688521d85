// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// Standard output or standard error, written without buffering.
enum StandardStream: Int32, Sendable {
  case output = 1
  case error = 2

  /// Writes all of `text`, and waits while the stream is full.
  ///
  /// - Throws: ``ReaderGone`` if the reader of a pipe has closed it (SIGPIPE must be ignored);
  ///   `AudioError` for every other failure.
  func write(_ text: String) throws {
    // The line that refuses an input would go into it.
    if Self.claims[self]?.hasRefused == true { return }
    try writeAll(Array(text.utf8), to: rawValue, handle: handle)
  }

  /// Occupies the closed descriptors of standard input, output and error. Otherwise a file opened later would get one
  /// of these numbers, and messages for the user would go into it.
  ///
  /// Reading from or writing to such a descriptor fails as on a closed one (EBADF).
  static func occupyClosed() {
    for number: Int32 in 0...2 where fcntl(number, F_GETFD) < 0 {
      // open(2) takes the lowest free number.
      _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
    }
  }

  /// The claims of the files that standard output and standard error go to, for the whole run: whatever a command prints
  /// would go behind the samples of an input.
  static let claims = [output: output.claim, error: error.claim].compactMapValues(\.self)

  private var claim: FileClaim? {
    fcntl(rawValue, F_GETFL) & O_ACCMODE == O_RDONLY
      ? nil : try? FileClaim(.appended, name, descriptor: rawValue)
  }

  /// Its name in errors.
  var name: String { self == .output ? "standard output" : "standard error" }

  var isTerminal: Bool { isatty(rawValue) == 1 }

  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// The columns of the terminal. Nil if the stream is no terminal.
  var terminalWidth: Int? {
    guard let columns = terminalSize?.columns, columns > 0 else { return nil }
    return columns
  }

  /// Nil if the stream is no terminal.
  var terminalSize: TerminalSize? {
    // `winsize` of ioctl_tty(2), a struct that the compiler finds in two modules: rows, columns, width, height.
    var size = SIMD4<UInt16>()
    guard unsafe ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return TerminalSize(
      columns: Int(size[1]), rows: Int(size[0]), width: Int(size[2]), height: Int(size[3]))
  }

  private func handle(_ code: Int32) throws {
    switch code {
    case EINTR:
      return
    case EAGAIN:
      // Another program has made the shared open file nonblocking.
      var waiting = pollfd(fd: rawValue, events: Int16(POLLOUT), revents: 0)
      unsafe poll(&waiting, 1, -1)
    case EPIPE:
      throw ReaderGone()
    default:
      let reason = unsafe String(cString: strerror(code)).lowercased()
      throw AudioError(.inputOutput, cannot: "write to", name, because: reason)
    }
  }
}

/// The size of a terminal. Unknown values are 0.
struct TerminalSize: Sendable, Hashable {
  var columns: Int
  var rows: Int
  /// In pixels.
  var width: Int
  var height: Int
}

/// The highlighting of texts on a terminal.
struct TerminalStyle: Sendable {
  var isColoured: Bool

  /// Coloured on a terminal, unless `NO_COLOR` is set (https://no-color.org).
  static func of(_ stream: StandardStream) -> TerminalStyle {
    let isRefused = environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false
    let isDumb = environmentVariable("TERM") == "dumb"
    return TerminalStyle(isColoured: stream.isTerminal && !isRefused && !isDumb)
  }

  func error(_ text: String) -> String {
    isColoured ? "\u{1B}[1;31m\(text)\u{1B}[0m" : text
  }
}

/// The value of an environment variable. Nil if it is not set.
func environmentVariable(_ name: String) -> String? {
  unsafe getenv(name).map { unsafe String(cString: $0) }
}

func localeIsUTF8() -> Bool {
  let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { name in
    environmentVariable(name).flatMap { $0.isEmpty ? nil : $0.uppercased() }
  }.first
  return locale.map { $0.hasSuffix("UTF-8") || $0.hasSuffix("UTF8") } ?? false
}

/// The width of help pages in columns: `COLUMNS`, else the terminal's width, else 80.
func helpPageWidth() -> Int {
  let narrowest = 40
  if let columns = environmentVariable("COLUMNS").flatMap({ Int($0) }), columns > 0 {
    return max(narrowest, columns)
  }
  return max(narrowest, StandardStream.output.terminalWidth ?? 80)
}
