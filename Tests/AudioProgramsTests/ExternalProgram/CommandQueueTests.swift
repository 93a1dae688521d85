// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioStreams

/// Commands that run beside a session.
struct CommandQueueTests {
  /// A folder for the files of the commands.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory
      .appending(path: "commands-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func lines(_ name: String) throws -> [String] {
      try String(contentsOf: url.appending(path: name), encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
  }

  private func job(_ subject: String, _ folder: Folder) -> CommandQueue.Job {
    CommandQueue.Job(for: subject, environment: ["SUBJECT": subject, "OUT": folder.path("out")])
  }

  @Test func jobsRunOneAfterAnotherInOrder() throws {
    let folder = try Folder()
    let queue = try CommandQueue(
      #"echo "begin $SUBJECT" >> "$OUT"; sleep 0.02; echo "end $SUBJECT" >> "$OUT""#)
    for number in 1...5 { queue.entry.add(job("\(number)", folder)) }
    #expect(queue.finish { true } == [])
    #expect(queue.takeOutcomes().map(\.result) == Array(repeating: .done, count: 5))
    #expect(try folder.lines("out") == (1...5).flatMap { ["begin \($0)", "end \($0)"] })
  }

  @Test func aNameOfAnyBytesArrivesAsItIs() throws {
    let folder = try Folder()
    let queue = try CommandQueue(#"printf %s "$SUBJECT" > "$OUT""#)
    queue.entry.add(job(Pathname(bytes: [0x61, 0xFF, 0x20, 0x27, 0x0A, 0x62]).text, folder))
    #expect(queue.finish { true } == [])
    let bytes = try Array(Data(contentsOf: folder.url.appending(path: "out")))
    #expect(bytes == [0x61, 0xFF, 0x20, 0x27, 0x0A, 0x62])
  }

  @Test func failuresAreTold() throws {
    let folder = try Folder()
    let queue = try CommandQueue(
      #"case $SUBJECT in a) exit 3;; b) kill -9 $$;; d) exec /nonexistent/program 2>/dev/null;; esac"#
    )
    for subject in ["a", "b", "c", "d"] { queue.entry.add(job(subject, folder)) }
    #expect(queue.finish { true } == [])
    func failed(_ reason: String) -> CommandQueue.Outcome.Result {
      .failed(reason, isTriedAgain: false)
    }
    let outcomes = queue.takeOutcomes()
    #expect(outcomes.map(\.subject) == ["a", "b", "c", "d"])
    #expect(
      outcomes.map(\.result) == [
        failed("it exited with status 3"), failed("it was killed by signal 9 (killed)"), .done,
        failed("it exited with status 127"),
      ])
    #expect(queue.takeOutcomes() == [])
    #expect(["a", "b", "c", "d"].map { queue.entry.needs($0) } == [true, true, false, true])
  }

  @Test func theCommandLeadsAGroupOfItsOwnAndInheritsNoDescriptor() throws {
    let folder = try Folder()
    let other = unsafe open("/dev/null", O_RDONLY)
    defer { close(other) }
    let queue = try CommandQueue(
      #"{ cut -d' ' -f5 /proc/$$/stat; echo $$; ls /proc/$$/fd; } > "$OUT""#)
    queue.entry.add(job("a", folder))
    #expect(queue.finish { true } == [])
    let lines = try folder.lines("out")
    try #require(lines.count > 2)
    #expect(lines[0] == lines[1])
    // A shell may keep copies of redirected descriptors, from 10 on.
    #expect(lines[2...].compactMap { Int($0) }.filter { $0 < 10 } == [0, 1, 2])
  }

  /// Waiting commands never begin, and running ones leave neither a process nor a zombie.
  @Test func givingUpEndsWhatRuns() throws {
    let folder = try Folder()
    let queue = try CommandQueue(#"echo $$ > "$OUT"; sleep 1000 & wait"#)
    for subject in ["a", "b", "c"] { queue.entry.add(job(subject, folder)) }
    let left = queue.finish { !FileManager.default.fileExists(atPath: folder.path("out")) }
    #expect(left == ["a", "b", "c"])
    while queue.untried.running != nil { usleep(1_000) }
    let process = try #require(try folder.lines("out").first.flatMap { pid_t($0) })
    #expect(kill(process, 0) == -1)
    #expect(errno == ESRCH)
    #expect(queue.takeOutcomes() == [])
    #expect(queue.untried.count == 2)
  }

  /// It ignores SIGTERM, and its child hangs as well.
  @Test func aCommandThatHangsIsEnded() throws {
    let folder = try Folder()
    var policy = CommandQueue.Policy()
    policy.limit = .milliseconds(1)
    let queue = try CommandQueue(
      #"trap '' TERM; sleep 1000 & echo $$ > "$OUT.$SUBJECT"; while :; do sleep 1000; done"#, policy
    )
    for subject in ["a", "b"] { queue.entry.add(job(subject, folder)) }
    #expect(queue.finish { true } == [])
    let reason = "it took longer than 0.001 seconds, and was ended"
    #expect(
      queue.takeOutcomes()
        == ["a", "b"].map {
          .init(subject: $0, result: .failed(reason, isTriedAgain: false), tries: 1)
        })
    for subject in ["a", "b"] {
      let process = (try? folder.lines("out.\(subject)"))?.first.flatMap { pid_t($0) }
      if let process { #expect(!ProcessGroups.isAlive(process, since: .now)) }
    }
  }

  /// Each of three commands waits until all have begun.
  @Test func severalRunAtOnce() throws {
    let folder = try Folder()
    var policy = CommandQueue.Policy()
    policy.atOnce = 3
    let queue = try CommandQueue(
      #"echo >> "$OUT"; until [ $(wc -l < "$OUT") -ge 3 ]; do sleep 0.01; done"#, policy)
    for subject in ["a", "b", "c"] { queue.entry.add(job(subject, folder)) }
    #expect(queue.finish { true } == [])
    #expect(queue.takeOutcomes().map(\.result) == [.done, .done, .done])
  }

  /// At the end only jobs run that were never tried.
  @Test func failedJobsAreLeft() throws {
    let folder = try Folder()
    var policy = CommandQueue.Policy()
    policy.pause = .seconds(3_600)
    let queue = try CommandQueue(#"test $SUBJECT != a"#, policy, isWanted: { $0.subject != "c" })
    for subject in ["a", "b", "c"] { queue.entry.add(job(subject, folder)) }
    queue.entry.add(job("d", folder), tries: 1)
    #expect(queue.finish { true } == [])
    let left = queue.delayed
    #expect(left == ["a"] || left == ["a", "d"])
    let outcomes = queue.takeOutcomes()
    #expect(
      outcomes.prefix(3).map(\.result) == [
        .failed("it exited with status 1", isTriedAgain: true), .done, .dropped,
      ])
    #expect(outcomes.prefix(3).map(\.tries) == [1, 1, 0])
  }

  /// A command's background process is left alone.
  @Test func aCommandMayLeaveSomethingRunning() throws {
    let folder = try Folder()
    let queue = try CommandQueue(
      #"{ while [ ! -e "$OUT.go" ]; do sleep 0.01; done; echo later > "$OUT"; } & "#)
    queue.entry.add(job("a", folder))
    #expect(queue.finish { true } == [])
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
    try Data().write(to: folder.url.appending(path: "out.go"))
    for _ in 0..<3_000 where (try? folder.lines("out")) ?? [] == [] { usleep(10_000) }
    #expect(try folder.lines("out") == ["later"])
  }
}
