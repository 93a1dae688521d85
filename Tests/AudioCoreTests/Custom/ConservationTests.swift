// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc
import Synchronization
import Testing

@testable import AudioCore

/// Two real threads at a ring's ends: every sample comes out once, in order.
@Suite struct ConservationTests {
  private static let total = 3_000

  private static func value(_ index: Int) -> Float { Float((index &* 40_503) & 0xFFFF) / 65_536 }

  @Test(arguments: [1, 2, 7, 64, 1_000], [1, 2, 5])
  func thePushRingLosesNothing(capacity: Int, channels: Int) throws {
    let bench = try PushBench(channels: channels, capacity: capacity)
    let count = Self.total * channels
    let sender = bench.sender
    let thread = OtherThread.run {
      var sent = 0
      var generator = SeededRandom(seed: 1)
      while sent < count {
        let length = min(
          Int.random(in: 1...2 * capacity, using: &generator) * channels, count - sent)
        let piece = (sent..<sent + length).map { Self.value($0) }
        let waits = Bool.random(using: &generator)
        do {
          sent += try waits ? sender.sendWaiting(piece) : sender.send(piece)
        } catch {
          Issue.record("\(error)")
          return
        }
      }
      sender.finish()
    }
    var read: [Float] = []
    var generator = SeededRandom(seed: 2)
    while true {
      let size = Int.random(in: 1...50, using: &generator)
      let (samples, status) = try bench.read(size: size * channels)
      read += samples
      if status == .ended { break }
    }
    thread.wait()
    #expect(read == (0..<count).map { Self.value($0) })
    #expect(sender.statistics.takenSamplesPerChannel == Int64(Self.total))
  }

  /// A spinning reader gets every sample before the end, even if the end follows at once.
  @Test func theEndNeverOvertakesTheLastSample() throws {
    let benches = try (0..<150).map { _ in try PushBench(capacity: 4) }
    let senders = benches.map { $0.sender }
    let link = SignalLink()
    let thread = OtherThread.run {
      for (round, sender) in senders.enumerated() {
        while link.asked.load(ordering: .acquiring) <= round { sched_yield() }
        _ = try? sender.send([Float(0.5)])
        sender.finish()
      }
    }
    for (round, bench) in benches.enumerated() {
      link.asked.store(round + 1, ordering: .releasing)
      var read: [Float] = []
      var status = SourceStatus.pending
      while status != .ended {
        let (samples, next) = try bench.read()
        read += samples
        status = next
      }
      if read != [0.5] { Issue.record("\(read) was read") }
    }
    thread.wait()
  }

  @Test(arguments: [1, 2, 7, 64, 1_000], [1, 2, 5])
  func thePullRingLosesNothing(capacity: Int, channels: Int) throws {
    let format = try StreamFormat(sampleRate: 8_000, channelCount: channels)
    let count = Self.total * channels
    let sink = PullSink(options: .init(capacity: capacity))
    let wakeup = Wakeup()
    _ = try sink.initialize(proposing: format, wakeup: wakeup)
    let reader = sink.reader
    let thread = ReadingThread(reader, blocks: 1...40)
    var written = 0
    var generator = SeededRandom(seed: 3)
    while written < count {
      let room = min(sink.room * channels, count - written)
      if room == 0 {
        wakeup.wait(atMost: .milliseconds(20_000))
        continue
      }
      let length = Int.random(in: 1...room / channels, using: &generator) * channels
      let piece = (written..<written + length).map { Self.value($0) }
      #expect(try sink.write(piece.span) == .accepted)
      written += length
    }
    try sink.stop(.finished)
    #expect(thread.samples() == (0..<count).map { Self.value($0) })
    #expect(reader.statistics.readSamplesPerChannel == Int64(Self.total))
    #expect(reader.statistics.droppedSamplesPerChannel == 0)
  }

  @Test func aSecondThreadAtOneEndIsRefused() {
    let use = ExclusiveUse()
    let (first, second) = (use.enter(), use.enter())
    use.leave()
    let third = use.enter()
    #expect([first, second, third] == [true, false, true])
  }

  /// `wait` returns for a change at any moment, even just before `wait` begins.
  @Test func noSignalIsLost() throws {
    let link = SignalLink()
    let thread = OtherThread.run {
      for round in 1...2_000 {
        link.asked.store(round, ordering: .releasing)
        link.signal.notify()
        while link.answered.load(ordering: .acquiring) < round {}
      }
    }
    for round in 1...2_000 {
      let came = link.signal.wait(atMost: .milliseconds(20_000)) {
        link.asked.load(ordering: .acquiring) >= round
      }
      if !came { Issue.record("signal \(round) was lost") }
      link.answered.store(round, ordering: .releasing)
    }
    thread.wait()
  }
}

private final class SignalLink: Sendable {
  let signal = ProgressSignal()
  let asked = Atomic(0)
  let answered = Atomic(0)
}
