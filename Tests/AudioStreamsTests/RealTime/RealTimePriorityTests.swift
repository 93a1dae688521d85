// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import AudioStreams

@Suite struct RealTimePriorityTests {
  @Test func everyRefusalSaysWhyAndWhatToDo() {
    #expect(
      RealTimePriority.refusal(of: 10, code: EPERM, limit: 0)
        == .refused(
          reason: "the user's limit (RLIMIT_RTPRIO) is 0",
          advice:
            "as root write '@audio - rtprio 95' to /etc/security/limits.d/audio.conf, join the"
            + " group 'audio' and log in again"))
    #expect(
      RealTimePriority.refusal(of: 10, code: EPERM, limit: 95)
        == .refused(
          reason: "the control group has no real-time time",
          advice: "raise its cpu.rt_runtime_us, or run outside of it"))
    #expect(
      RealTimePriority.refusal(of: 10, code: EINVAL, limit: 95)
        == .refused(reason: "invalid argument", advice: "go without it"))
    #expect(
      RealTimePriority.request(level: 100)
        == .refused(reason: "there is no level 100", advice: "ask for one from 1 to 99"))
  }

  /// The result of the trial equals that of a thread.
  @Test func theTrialTellsTheTruth() throws {
    let leave = Wakeup()
    let thread = try SystemThread(named: "test") { leave.wait(atMost: .milliseconds(10_000)) }
    let code = thread.raise(toFIFO: 5)
    leave.signal()
    #expect(thread.join(atMost: .milliseconds(10_000)))
    #expect((RealTimePriority.request(level: 5) == .granted(level: 5)) == (code == 0))
  }
}
