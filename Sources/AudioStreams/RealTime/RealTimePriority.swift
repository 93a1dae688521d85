// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// The system's answer to the request for a real-time priority (SCHED_FIFO) of a device thread.
@nonexhaustive
public enum RealTimePriority: Sendable, Hashable {
  /// The levels that SCHED_FIFO has on Linux (sched(7)).
  public static let levels = 1...99

  /// Device threads run at this level, before every ordinary thread.
  case granted(level: Int)
  /// Device threads run as ordinary threads.
  case refused(reason: String, advice: String)

  /// Tries `level` on a thread that ends at once. Only a trial tells, because the answer depends on limits,
  /// capabilities and control groups.
  package static func request(level: Int) -> RealTimePriority {
    guard levels.contains(level) else {
      return .refused(reason: "there is no level \(level)", advice: "ask for one from 1 to 99")
    }
    let leave = Wakeup()
    guard
      let thread = try? SystemThread(named: "trial", { leave.wait(atMost: .milliseconds(10_000)) })
    else {
      return .refused(reason: "the system grants no more threads", advice: "end other programs")
    }
    let code = thread.raise(toFIFO: level)
    leave.signal()
    _ = thread.join(atMost: .milliseconds(10_000))
    return code == 0 ? .granted(level: level) : refusal(of: level, code: code, limit: limit)
  }

  /// Returns the reason why `level` was refused, with advice.
  ///
  /// - Parameters:
  ///   - code: the errno.
  ///   - limit: the highest level that the user may set.
  static func refusal(of level: Int, code: CInt, limit: Int) -> RealTimePriority {
    if code != EPERM {
      return .refused(
        reason: unsafe String(cString: strerror(code)).lowercased(), advice: "go without it")
    }
    if level > limit {
      return .refused(
        reason: "the user's limit (RLIMIT_RTPRIO) is \(limit)",
        advice:
          "as root write '@audio - rtprio 95' to /etc/security/limits.d/audio.conf, join the group"
          + " 'audio' and log in again")
    }
    return .refused(
      reason: "the control group has no real-time time",
      advice: "raise its cpu.rt_runtime_us, or run outside of it")
  }

  /// RLIMIT_RTPRIO of this process. The corresponding C function is `getrlimit`.
  private static var limit: Int {
    var limits = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(__RLIMIT_RTPRIO.rawValue), &limits) == 0 else {
      return 0
    }
    return limits.rlim_cur > 99 ? 99 : Int(limits.rlim_cur)
  }
}
