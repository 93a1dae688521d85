// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc
internal import Synchronization

/// Ends the running command if the program that asked for it is gone.
final class RequesterWatch: Sendable {
  private enum Work {
    case none
    /// A conversion. One that reads a pipe is completed, any other is abandoned.
    case conversion(SessionControl, isLive: Bool)
    /// Any other command, which handles signals.
    case command
  }

  private let work = Mutex(Work.none)

  /// The pause between two requests to end, in seconds. A second signal in less time is ignored.
  private static let pause: UInt32 = 2

  /// - Parameter isLive: whether its source cannot be read again.
  func converting<Result>(isLive: Bool, _ body: (SessionControl) -> Result) -> Result {
    let control = SessionControl()
    return doing(.conversion(control, isLive: isLive)) { body(control) }
  }

  func interrupting<Result>(_ body: () -> Result) -> Result { doing(.command, body) }

  private func doing<Result>(_ now: Work, _ body: () -> Result) -> Result {
    work.withLock { $0 = now }
    defer { work.withLock { $0 = .none } }
    return body()
  }

  /// The loop of its thread, which ends with the process.
  func run() {
    var input = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    while unsafe poll(&input, 1, -1) < 1
      || Int32(input.revents) & (POLLHUP | POLLERR | POLLNVAL) == 0
    {}
    while true {
      work.withLock { work in
        switch work {
        case .none: break
        case .conversion(let control, let isLive):
          control.requestStop(isLive && control.request == .none ? .finish : .abandon)
        case .command: kill(getpid(), SIGINT)
        }
      }
      sleep(Self.pause)
    }
  }
}
