// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// The order in which the jobs of a ``CommandQueue`` run, in a time of its own.
struct CommandScheduleTests {
  /// A queue with a clock that only the test moves.
  private struct Bench {
    var schedule: CommandSchedule
    var now = MonotonicTime(nanoseconds: 0)

    init(pause: Duration? = .seconds(10), atOnce: Int = 1, mostWaiting: Int = .max) {
      var policy = CommandQueue.Policy()
      policy.pause = pause
      policy.atOnce = atOnce
      policy.mostWaiting = mostWaiting
      schedule = CommandSchedule(policy)
    }

    /// Adds a job of each subject.
    ///
    /// - Returns: the subjects that were refused.
    @discardableResult
    mutating func add(_ subjects: String..., tries: Int = 0) -> [String] {
      subjects.filter { subject in
        !schedule.add(.init(for: subject, environment: [:], since: now), tries: tries, at: now)
      }
    }

    mutating func next() -> String? { schedule.next(at: now)?.subject }

    /// Ends jobs until none is due.
    mutating func runAll(succeeding: (String) -> Bool) -> [String] {
      var subjects: [String] = []
      while let subject = next() {
        subjects.append(subject)
        if succeeding(subject) {
          schedule.succeeded(subject, at: now)
        } else {
          schedule.failed(subject, at: now)
        }
      }
      return subjects
    }

    mutating func pass(_ duration: Duration) {
      now = MonotonicTime(nanoseconds: now.nanoseconds + duration.inNanoseconds)
    }
  }

  @Test func pausesDoubleUpToAnHour() {
    var bench = Bench()
    bench.add("a")
    var pauses: [Int] = []
    for _ in 0..<12 {
      let subjects = bench.runAll { _ in false }
      #expect(subjects == ["a"])
      let due = bench.schedule.nextDue ?? bench.now
      pauses.append(due.nanoseconds(since: bench.now) / 1_000_000_000)
      bench.pass(due.elapsed(since: bench.now) - .nanoseconds(1))
      let next = bench.next()
      #expect(next == nil)
      bench.pass(.nanoseconds(1))
    }
    #expect(pauses == [10, 20, 40, 80, 160, 320, 640, 1_280, 2_560, 3_600, 3_600, 3_600])
  }

  /// An hour's part for 200 hours without a network, then each once, the oldest first.
  @Test func twoHundredFailuresThenSuccess() {
    var bench = Bench()
    var failures = 0
    for hour in 0..<200 {
      bench.add("\(hour)")
      for _ in 0..<360 {
        failures += bench.runAll { _ in false }.count
        bench.pass(.seconds(10))
      }
    }
    #expect(bench.schedule.delayed == (0..<200).map { "\($0)" })
    #expect(failures > 20_000)
    bench.add("new")
    var successes: [String] = []
    while successes.count < 201 {
      successes += bench.runAll { _ in true }
      bench.pass(.seconds(10))
    }
    let first = successes.removeFirst()
    let rest = (0..<200).map { "\($0)" } + ["new"]
    #expect(successes == rest.filter { $0 != first })
    #expect(bench.schedule.oldest == nil && bench.schedule.backlog == 0)
  }

  /// A part that always fails costs the others nothing but its own tries: it is hurried once.
  @Test func aPartThatFailsBlocksNoOther() {
    var bench = Bench()
    bench.add("bad")
    let subjects = bench.runAll { $0 != "bad" }
    #expect(subjects == ["bad"])
    var tries = 1
    for number in 0..<360 {
      bench.add("\(number)")
      let subjects = bench.runAll { $0 != "bad" }
      #expect(subjects.contains("\(number)"))
      tries += subjects.count { $0 == "bad" }
      bench.pass(.seconds(10))
    }
    // In an hour: 8 doubled pauses of 10 s, one cut short by a success.
    #expect((8...11).contains(tries))
    #expect(bench.schedule.delayed == ["bad"])
    #expect(bench.schedule.needs("bad") && !bench.schedule.needs("7"))
  }

  @Test func onlyUntriedJobsRunAtTheEnd() {
    var bench = Bench()
    bench.add("old", tries: 1)
    bench.add("a", "b")
    bench.schedule.isClosed = true
    #expect(!bench.schedule.isIdle)
    let subjects = bench.runAll { $0 == "b" }
    #expect(subjects == ["a", "b"])
    #expect(bench.schedule.isIdle)
    #expect(bench.schedule.delayed == ["old", "a"])
  }

  @Test func withoutAPauseAJobRunsOnce() {
    var bench = Bench(pause: nil)
    bench.add("a")
    let subjects = bench.runAll { _ in false }
    #expect(subjects == ["a"])
    bench.pass(.seconds(100_000))
    let next = bench.next()
    #expect(next == nil)
    #expect(bench.schedule.needs("a") && bench.schedule.delayed == [])
  }

  @Test func limits() {
    var bench = Bench(atOnce: 2, mostWaiting: 3)
    let refused = bench.add("a", "b", "c", "d")
    #expect(refused == ["d"])
    let begun = [bench.next(), bench.next(), bench.next()]
    #expect(begun == ["a", "b", nil])
    #expect(bench.schedule.oldest?.subject == "a" && bench.schedule.backlog == 3)
    bench.schedule.succeeded("a", at: bench.now)
    bench.schedule.forget("c")
    let next = bench.next()
    #expect(next == nil)
    #expect(bench.schedule.oldest?.subject == "b")
  }
}
