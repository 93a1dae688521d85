// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

/// Fifty sources join and leave at random in virtual time: every sample is accounted for and nothing grows. `make
/// long-session` runs a whole day of it.
@Suite struct LongSessionTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["RAWAUDIO_SESSION_SECONDS"].flatMap(Int.init) ?? 120
  private static let rate = 1_000
  private static let level = 1.0 / 1_024

  /// A constant level for a while, now and then without samples for longer than a session waits.
  private final class Guest: PlainSource {
    private let time: VirtualTime
    private let length: Int
    private let pause: (after: Int, length: Int)?
    private var begin: MonotonicTime?
    private(set) var given = 0
    private let alive: Alive

    init(_ time: VirtualTime, length: Int, pause: (after: Int, length: Int)?, _ alive: Alive) {
      self.time = time
      self.length = length
      self.pause = pause
      self.alive = alive
      alive.count += 1
    }

    deinit { alive.count -= 1 }

    func initialize(
      proposing proposal: StreamFormat?, wakeup: Wakeup
    ) throws(AudioError) -> SourceDescription {
      SourceDescription(
        format: try StreamFormat(sampleRate: LongSessionTests.rate, channelCount: 1),
        encoding: .s16, pace: .arrival)
    }

    func start() throws(AudioError) { begin = time.now }

    func read<Sample: AudioSample>(
      into output: inout OutputSpan<Sample>
    ) throws(AudioError) -> SourceStatus {
      guard given < length, let begin else { return .ended }
      var there = Int(time.now.elapsed(since: begin).samples(at: LongSessionTests.rate))
      if let pause, there > pause.after { there = max(pause.after, there - pause.length) }
      let count = min(min(there, length) - given, output.freeCapacity)
      guard count > 0 else { return .pending }
      output.append(repeating: Sample(LongSessionTests.level), count: count)
      given += count
      return .ready
    }
  }

  private final class Alive { var count = 0 }

  /// Compares each sample of the sum with the sources present, ten seconds later: by then all changes are known.
  private final class CheckedSink: PlainSink {
    /// The change of the number of sources at a sample.
    var changes: [Int64: Int] = [:]
    private(set) var checked: Int64 = 0
    private(set) var wrong = 0
    private var waiting: [Double] = []
    private var present = 0
    var precision: SamplePrecision { .double }
    var room: Int { Int.max }

    func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
      for index in samples.indices { waiting.append(Double(samples[index])) }
      if waiting.count > 20 * LongSessionTests.rate { check(10 * LongSessionTests.rate) }
      return .accepted
    }

    func check(_ count: Int? = nil) {
      for sample in waiting.prefix(count ?? waiting.count) {
        if let change = changes.removeValue(forKey: checked) { present += change }
        if sample != Double(present) * LongSessionTests.level { wrong += 1 }
        checked += 1
      }
      waiting.removeFirst(count ?? waiting.count)
    }

    func change(by count: Int, at position: Int64) {
      changes[position, default: 0] += count
    }
  }

  /// The memory of this process in KiB, its threads and its open descriptors.
  private struct Footprint {
    var memory = 0
    var threads = 0
    var descriptors = 0

    init() throws {
      let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
      func number(_ key: String) -> Int {
        let line = status.split(separator: "\n").first { $0.hasPrefix(key) } ?? ""
        return Int(line.split(whereSeparator: { !$0.isNumber }).first ?? "") ?? 0
      }
      memory = number("VmRSS:")
      threads = number("Threads:")
      descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
  }

  @Test func everySampleIsAccountedForAndNothingGrows() throws {
    let session = Session()
    let time = VirtualTime()
    session.time = time
    session.end = .onRequest
    session.mixSampleRate = Self.rate
    session.mixChannelCount = 1
    session.duration = .time(.seconds(Self.seconds))
    let sink = CheckedSink()
    try session.setSink(sink, at: .playback)
    let alive = Alive()
    var draw = Draw(seed: 11)
    var guests: [SourceID: Guest] = [:]
    var (joins, leaves, gaps, given) = (0, 0, 0, 0)
    var unaccounted = 0
    session.onEvent = { event in
      switch event {
      case .joined(let participant):
        sink.change(by: 1, at: participant.start)
        joins += 1
      case .left(let participant, let reason):
        let length = participant.samplesPerChannel + participant.missingSamplesPerChannel
        sink.change(by: -1, at: participant.start + length)
        leaves += 1
        if reason != nil { unaccounted += 1 }
        if let guest = guests.removeValue(forKey: participant.id) {
          given += guest.given
          unaccounted += abs(guest.given - Int(participant.samplesPerChannel))
        }
      case .gap(_, let gap):
        sink.change(by: -1, at: gap.position)
        sink.change(by: 1, at: gap.position + gap.samplesPerChannel)
        gaps += 1
      case .muted, .unmuted, .speech: break
      }
    }
    let ids = try (1...50).map { try SourceID("guest-\($0)") }
    var first: Footprint?
    var rounds = 0
    time.onWait = { [unowned session] in
      rounds += 1
      // A join about every 200 ms for up to 20 s: some fifty sources are present.
      guard draw.number(in: 0...19) == 0 else { return }
      let id = draw.element(ids)
      if guests[id] != nil {
        if draw.number(in: 0...9) == 0 { try? session.live.remove(SourceKey(id)) }
        return
      }
      let length = draw.number(in: 1...20_000)
      let guest = Guest(
        time, length: length,
        pause: draw.chance ? (after: draw.number(in: 0...length), length: 400) : nil, alive)
      if (try? session.addRemote(guest, id: id)) != nil { guests[id] = guest }
      if first == nil, rounds > 5_000 { first = try? Footprint() }
    }
    let report = try session.run()
    time.onWait = {}
    session.onEvent = nil
    sink.check()
    let last = try Footprint()
    #expect(sink.wrong == 0)
    #expect(sink.checked == Int64(Self.seconds * Self.rate))
    #expect(unaccounted == 0)
    #expect(joins > Self.seconds && joins - leaves <= 50)
    #expect(gaps > 10)
    let reported = report.sources.reduce(0) { $0 + Int($1.samplesPerChannel) }
    let staying = guests.values.reduce(0) { $0 + $1.given }
    #expect(reported == given + staying)
    guests = [:]
    #expect(alive.count == 0)
    let begin = try #require(first)
    if Self.seconds >= 3_600 {
      // The test runs alone in its process.
      #expect(last.memory - begin.memory < 2_048)
      #expect(last.descriptors <= begin.descriptors && last.threads <= begin.threads)
    }
    print(
      "\(Self.seconds) s with 50 sources: \(joins) joins, \(leaves) leaves, \(gaps) gaps,"
        + " \(given + staying) samples, 0 wrong; memory \(begin.memory) to \(last.memory) KiB,"
        + " descriptors \(begin.descriptors) to \(last.descriptors),"
        + " threads \(begin.threads) to \(last.threads)")
  }
}
