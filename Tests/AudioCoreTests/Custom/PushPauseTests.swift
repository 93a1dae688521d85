// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A live push source that pauses: exactly its silent samples are reported and counted.
@Suite struct PushPauseTests {
  private static let rate = 48_000

  /// A program that sends two pieces of 0.5 s into an open session with 0.7 s between them.
  private final class Meeting {
    let session = Session()
    let time = VirtualTime()
    let heard = CollectingSink()
    let microphone: PushSource
    private(set) var gaps: [SessionEvent.Gap] = []
    private(set) var left: Participant?
    private var pieces: [(milliseconds: Int, count: Int)] = []
    private var begin: MonotonicTime?

    init(sendingRate: Int) throws {
      let format = try StreamFormat(sampleRate: rate, channelCount: 1)
      microphone = PushSource(
        format: format, options: .init(name: "m", latency: .milliseconds(100)))
      session.time = time
      session.end = .whenEmpty
      session.mixSampleRate = rate
      session.mixChannelCount = 1
      try session.setSink(heard, at: .playback)
      for beginning in [200, 1_400] {
        pieces += (0..<50).map { (beginning + 10 * $0, sendingRate / 100) }
      }
      session.onEvent = { [unowned self] event in
        switch event {
        case .gap(_, let gap): gaps.append(gap)
        case .left(let participant, _): left = participant
        case .joined, .muted, .unmuted, .speech: break
        }
      }
      time.onWait = { [unowned self] in
        do { try step(sendingRate) } catch { Issue.record(error) }
      }
    }

    deinit {
      time.onWait = {}
      session.onEvent = nil
    }

    private func step(_ sendingRate: Int) throws {
      if begin == nil {
        begin = time.now
        try session.addRemote(microphone, id: SourceID("anna"))
      }
      let passed = time.now.elapsed(since: begin ?? time.now)
      while let next = pieces.first, passed >= .milliseconds(next.milliseconds) {
        pieces.removeFirst()
        let piece = Array(repeating: Float(0.5), count: next.count)
        #expect(try microphone.sender.send(piece, rate: sendingRate) == next.count)
        if pieces.isEmpty { microphone.sender.finish() }
      }
    }
  }

  @Test func everySilentSampleIsTold() throws {
    let meeting = try Meeting(sendingRate: Self.rate)
    let report = try meeting.session.run()
    let samples = meeting.heard.samples
    let first = try #require(samples.firstIndex { $0 != 0 })
    let last = try #require(samples.lastIndex { $0 != 0 })
    let silent = (first...last).filter { samples[$0] == 0 }
    // The pause, and the latency added to the samples after it.
    #expect(silent.count > 28_000)
    let gap = try #require(meeting.gaps.first)
    #expect(meeting.gaps.count == 1)
    #expect(gap.position == Int64(try #require(silent.first)))
    #expect(gap.samplesPerChannel == Int64(silent.count))
    #expect(silent == Array(silent[0]..<silent[0] + silent.count))
    let source = try #require(report.sources.first)
    #expect(source.samplesPerChannel == Int64(Self.rate))
    #expect(source.missingSamplesPerChannel == Int64(silent.count))
    #expect(meeting.left?.samplesPerChannel == Int64(Self.rate))
  }

  /// Silence that passes a conversion is counted at the stream's rate. The session's silence comes before the few
  /// samples in the conversion, the latency after them.
  @Test func silenceAtAnotherRateIsCounted() throws {
    let meeting = try Meeting(sendingRate: 16_000)
    let report = try meeting.session.run()
    let source = try #require(report.sources.first)
    #expect(source.samplesPerChannel == Int64(Self.rate))
    #expect(meeting.gaps.count == 2)
    let told = meeting.gaps.map(\.samplesPerChannel)
    #expect(source.missingSamplesPerChannel == told.reduce(0, +))
    #expect(told.last == 4_800)
    let between =
      meeting.gaps[1].position - meeting.gaps[0].position - meeting.gaps[0].samplesPerChannel
    #expect((1..<500).contains(between))
  }

  /// A gap from a stated time is no sample of the program.
  @Test func aStatedGapIsNotCountedAsSamples() throws {
    let bench = try PushBench()
    _ = try bench.sender.send([0.5, 0.5], at: 3)
    #expect(try bench.read().samples == [0, 0, 0, 0.5, 0.5])
    #expect(bench.microphone.takeFilled() == [0..<3])
    bench.microphone.silenceStoodIn(samplesPerChannel: 4)
    _ = try bench.sender.send([0.25], at: 11)
    #expect(try bench.read().samples == [0, 0, 0.25])
    #expect(bench.microphone.takeFilled() == [9..<11])
    #expect(bench.microphone.takeFilled().isEmpty)
  }
}
