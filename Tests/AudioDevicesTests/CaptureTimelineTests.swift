// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

/// The account of a capture, in simulated time on a perfect clock.
@Suite struct CaptureTimelineTests {
  private func timeline() throws -> CaptureTimeline {
    let parameters = DeviceParameters(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1), layout: SampleLayout(.s16),
      periodSize: 480, bufferSize: 4_800)
    return CaptureTimeline(parameters, asked: instant(0), started: instant(0))
  }

  private func live() -> LiveRing {
    LiveRing(ring: SampleRing(capacity: 1, sampleFrameSize: 1), session: Wakeup())
  }

  /// Returns the instant of a time in samples.
  private func instant(_ samples: Int) -> MonotonicTime {
    MonotonicTime(nanoseconds: (samples * 1_000_000_000 + 24_000) / 48_000)
  }

  /// Reads `count` samples at a time in samples; the device holds `available` more.
  private func take(
    _ count: Int, _ timeline: inout CaptureTimeline, at time: Int, available: Int = 0
  ) -> GapMark? {
    let reading = CaptureReading(
      time: instant(time), window: 0, available: available, isRunning: true)
    timeline.pace(count, reading)
    let live = live()
    if timeline.read(count, reading) { timeline.endGap(to: live) }
    timeline.push(count)
    return live.gaps.first
  }

  @Test func whatWasCountedIsTold() throws {
    var timeline = try timeline()
    #expect(take(480, &timeline, at: 480) == nil)
    timeline.lose(100, .ringOverflow, isNew: true)
    timeline.lose(50, .ringOverflow, isNew: false)
    let mark = take(480, &timeline, at: 1_110)
    #expect(mark?.gap == DeviceGap(cause: .ringOverflow, position: 480, lostSamplesPerChannel: 150))
    #expect(mark?.ringPosition == 480)
    timeline.lose(7, .xrun, isNew: true)
    let next = take(480, &timeline, at: 1_597)
    #expect(next?.gap == DeviceGap(cause: .xrun, position: 1_110, lostSamplesPerChannel: 7))
    #expect(next?.ringPosition == 960)
    #expect(take(480, &timeline, at: 2_077) == nil)
  }

  @Test func whatPassedMeanwhileIsEstimated() throws {
    var timeline = try timeline()
    #expect(take(480, &timeline, at: 480) == nil)
    timeline.beginGap(.xrun, held: 0, asked: instant(5_280), restarted: instant(6_000))
    let mark = take(480, &timeline, at: 6_000 + 580, available: 100)
    #expect(mark?.gap.position == 480)
    #expect(mark?.gap.lostSamplesPerChannel == 5_520)
    #expect(mark?.gap.isEstimated == true)
  }

  /// A suspended device first gives the samples that it held: the gap follows them.
  @Test func whatADeviceHeldComesBeforeTheGap() throws {
    var timeline = try timeline()
    #expect(take(480, &timeline, at: 680, available: 200) == nil)
    timeline.beginGap(.suspend, held: 200, asked: instant(680), restarted: instant(10_680))
    #expect(timeline.limit == 200)
    #expect(take(150, &timeline, at: 10_700, available: 70) == nil)
    #expect(take(50, &timeline, at: 10_700, available: 20) == nil)
    let mark = take(480, &timeline, at: 11_160)
    #expect(mark?.ringPosition == 680)
    #expect(mark?.gap.position == 680)
    #expect(mark?.gap.lostSamplesPerChannel == 10_000)
    #expect(mark?.gap.cause == .suspend)
  }

  /// Samples between two suspends lie between their gaps.
  @Test func aSecondSleepHasAGapOfItsOwn() throws {
    var timeline = try timeline()
    #expect(take(480, &timeline, at: 680, available: 200) == nil)
    let first = CaptureReading(time: instant(680), window: 0, available: 200, isRunning: false)
    timeline.beginGap(
      .suspend, held: 200, stopped: first, asked: instant(680), restarted: instant(10_680))
    #expect(take(200, &timeline, at: 10_700, available: 20) == nil)
    let second = CaptureReading(time: instant(10_830), window: 0, available: 150, isRunning: false)
    timeline.beginGap(
      .suspend, held: 150, stopped: second, asked: instant(10_830), restarted: instant(20_830))
    let mark = take(150, &timeline, at: 20_840, available: 10)
    #expect(mark?.ringPosition == 680)
    #expect(mark?.gap.position == 680)
    #expect(mark?.gap.lostSamplesPerChannel == 10_000)
    let next = take(480, &timeline, at: 21_310)
    #expect(next?.ringPosition == 830)
    #expect(next?.gap.position == 10_830)
    #expect(next?.gap.lostSamplesPerChannel == 10_000)
  }

  /// Lost samples among the held ones are counted, and precede the rest.
  @Test func whatIsLostOfWhatItHeldIsCounted() throws {
    var timeline = try timeline()
    #expect(take(480, &timeline, at: 680, available: 200) == nil)
    timeline.beginGap(.suspend, held: 200, asked: instant(680), restarted: instant(10_680))
    timeline.lose(80, .ringOverflow, isNew: true)
    let first = take(120, &timeline, at: 10_700, available: 20)
    #expect(first?.gap == DeviceGap(cause: .ringOverflow, position: 480, lostSamplesPerChannel: 80))
    let second = take(480, &timeline, at: 11_160)
    #expect(second?.gap.position == 680)
    #expect(second?.gap.lostSamplesPerChannel == 10_000)
  }

  /// If the log is full, the gap stays open and is reported later in full.
  @Test func aGapThatCannotBeToldGoesOn() throws {
    var timeline = try timeline()
    #expect(take(480, &timeline, at: 480) == nil)
    timeline.lose(100, .xrun, isNew: true)
    let reading = CaptureReading(time: instant(1_060), window: 0, available: 0, isRunning: true)
    let isOpen = timeline.read(480, reading)
    #expect(isOpen)
    timeline.push(480)
    timeline.lose(30, .xrun, isNew: true)
    let mark = take(480, &timeline, at: 1_570)
    #expect(
      mark?.gap
        == DeviceGap(cause: .xrun, position: 960, lostSamplesPerChannel: 130, occurrences: 2))
    #expect(mark?.ringPosition == 960)
  }

  /// A device that gives more samples than time allows has no clock.
  @Test func ofAFileNobodyKnowsWhatWasLost() throws {
    var timeline = try timeline()
    #expect(take(4_800, &timeline, at: 10, available: 4_800) == nil)
    #expect(timeline.isUnpaced)
    timeline.beginGap(.xrun, held: 0, asked: instant(20), restarted: instant(30))
    let mark = take(4_800, &timeline, at: 40, available: 4_800)
    #expect(mark != nil)
    #expect(mark?.gap.lostSamplesPerChannel == nil)
    #expect(timeline.drift == nil)
  }

  @Test func anEndInAGapIsEstimatedUpToThere() throws {
    var timeline = try timeline()
    #expect(take(480, &timeline, at: 480) == nil)
    timeline.beginGap(.xrun, held: 0, asked: instant(500), restarted: instant(960))
    timeline.end(
      CaptureReading(time: instant(1_000), window: 0, available: 40, isRunning: true))
    let live = live()
    timeline.endGap(to: live, isLast: true)
    let lost = live.gaps.first?.gap.lostSamplesPerChannel
    #expect(lost == 480)
  }
}
