// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc
internal import Synchronization

/// A file that is replaced whole by each text, on a thread of its own: a disk that stands still delays nothing else.
final class MetricsFile {
  private struct State {
    /// The next text. A newer one takes its place.
    var text: String?
    var isClosed = false
    var failure: AudioError?
  }

  private final class Exchange: Sendable {
    let state = Mutex(State())
    let wakeup = Wakeup()
  }

  private let exchange = Exchange()
  private let thread: SystemThread

  /// - Throws: `alreadyExists` for a file of another kind; `unavailable` if the system grants no more threads.
  init(_ path: String) throws(AudioError) {
    try Self.requireOwn(path)
    let exchange = exchange
    thread = try SystemThread(named: "metrics") { Self.run(exchange, path) }
  }

  private static func run(_ exchange: Exchange, _ path: String) {
    while true {
      let (text, isClosed) = exchange.state.withLock { state -> (String?, Bool) in
        defer { state.text = nil }
        return (state.text, state.isClosed)
      }
      if let text {
        do throws(AudioError) {
          try replace(path, by: text)
        } catch {
          exchange.state.withLock { $0.failure = error }
        }
      } else if isClosed {
        return
      } else {
        exchange.wakeup.wait(atMost: .seconds(60))
      }
    }
  }

  private static func replace(_ path: String, by text: String) throws(AudioError) {
    try requireOwn(path)
    let file = try FileDestination(path: path, overwrites: true, isDrawing: true).open(Wakeup())
    defer { file.discard() }
    try file.begin()
    _ = try file.descriptor.write(Array(text.utf8))
    try file.commit()
  }

  /// - Throws: `alreadyExists` if something else than metrics would be lost, such as a recording named by mistake.
  private static func requireOwn(_ path: String) throws(AudioError) {
    let descriptor: Int32
    do throws(AudioError) {
      descriptor = try openFile(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, action: "replace")
    } catch {
      if error.kind == .notFound { return }
      throw error
    }
    defer { Glibc.close(descriptor) }
    guard FileIdentity(ofOpenFile: descriptor) != nil, isOwn(descriptor, beginning: beginning)
    else {
      throw AudioError(
        .alreadyExists, cannot: "replace", path, because: "it is no file of metrics",
        advice: "give another file to --metrics")
    }
  }

  /// The beginning of every file of metrics.
  private static let beginning = Array("# HELP rawaudio_".utf8)

  /// Hands over the next text.
  func put(_ text: String) {
    exchange.state.withLock { $0.text = text }
    exchange.wakeup.signal()
  }

  /// The last error since the last call.
  func takeFailure() -> AudioError? {
    exchange.state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  /// Waits until the last text is in the file, but not for ever.
  func close() {
    exchange.state.withLock { $0.isClosed = true }
    exchange.wakeup.signal()
    _ = thread.join(atMost: .seconds(5))
  }
}
