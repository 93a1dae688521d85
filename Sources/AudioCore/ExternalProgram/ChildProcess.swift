import Glibc

/// A running `/bin/sh -c COMMAND` that leads a process group of its own. Session thread only.
///
/// Whoever lets go of it before it has ended kills the group: no process and no zombie stays behind.
final class ChildProcess {
  /// How long a process may take to end once it was asked to.
  static let patience = Duration.seconds(1)

  private let processID: pid_t
  /// How it ended, as far as that is known.
  private(set) var ending: ChildEnding?
  private var mayHaveMembers = true

  init(processID: pid_t) { self.processID = processID }

  deinit { terminate() }

  /// Looks whether it has ended.
  func check() -> ChildEnding? {
    if let ending { return ending }
    var status: Int32 = 0
    let result = unsafe waitpid(processID, &status, WNOHANG)
    if result == processID {
      ending = ChildEnding(waitStatus: status)
    } else if result < 0, errno == ECHILD {
      ending = .unknown
    }
    return ending
  }

  /// Waits until it has ended, for `limit` at most or until `isGivenUp`.
  func wait(_ limit: Duration, unless isGivenUp: () -> Bool = { false }) -> ChildEnding? {
    let begin = MonotonicTime.now
    while check() == nil, !isGivenUp(), MonotonicTime.now.elapsed(since: begin) < limit {
      pause()
    }
    return ending
  }

  /// It has ended in order: what it left running in the background is none of our business.
  func release() { if ending != nil { mayHaveMembers = false } }

  /// Ends it and everything in its group: SIGTERM, and SIGKILL for what is still there after
  /// ``patience``.
  func terminate() {
    guard mayHaveMembers else { return }
    mayHaveMembers = false
    let begin = MonotonicTime.now
    signalGroup(SIGTERM)
    // A stopped process sees SIGTERM only once it goes on.
    signalGroup(SIGCONT)
    while isGroupAlive {
      if MonotonicTime.now.elapsed(since: begin) > Self.patience {
        signalGroup(SIGKILL)
        while check() == nil { pause() }
        return
      }
      pause()
    }
  }

  private var isGroupAlive: Bool { check() == nil || Glibc.kill(-processID, 0) == 0 }

  private func signalGroup(_ signal: Int32) { _ = Glibc.kill(-processID, signal) }

  /// Linux tells of a child's end by SIGCHLD, which belongs to the whole program: look again instead.
  private func pause() { usleep(1_000) }
}
