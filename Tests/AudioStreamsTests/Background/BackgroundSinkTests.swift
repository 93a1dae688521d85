// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams

@Suite struct BackgroundSinkTests {
  private func started(
    _ sink: any AudioSink, _ overflow: BackgroundOverflow, capacity: Int,
    reserve: Duration = .zero, channels: Int = 1, on writer: BackgroundWriter
  ) throws -> BackgroundSink {
    let background = BackgroundSink(
      sink, on: writer, overflow: overflow, capacity: capacity, reserve: reserve)
    let format = try StreamFormat(sampleRate: 48_000, channelCount: channels)
    try background.begin(format)
    return background
  }

  /// Also with a full reserve of 48 samples per channel.
  @Test(arguments: [Duration.zero, .milliseconds(1)])
  func keepsEverySampleInOrderWhereTheSinkIsSlow(reserve: Duration) throws {
    let samples = Noise.integers(4_000)
    let gated = GatedSink()
    let sink = try started(
      gated, .wait, capacity: 7, reserve: reserve, channels: 2, on: try BackgroundWriter())
    let opener = OtherThread.run { [gate = gated.gate] in
      for _ in 0..<100_000 { gate.signal() }
    }
    for start in stride(from: 0, to: 4_000, by: 40) {
      #expect(try sink.write(samples.span.extracting(start..<start + 40)) == .accepted)
    }
    try sink.stop(.finished)
    opener.wait()
    #expect(gated.samples == samples)
    #expect(gated.stops == [.finished])
    #expect(sink.droppedSamplesPerChannel == 0)
  }

  /// 48,000 samples per channel are 1 s; the gate opens only after they are written.
  @Test(arguments: [1, 7, 40, 999])
  func waitsForNobodyWhileTheReserveLasts(block: Int) throws {
    let samples = Noise.integers(2 * 10_000)
    let gated = GatedSink()
    let sink = try started(
      gated, .wait, capacity: 7, reserve: .milliseconds(250), channels: 2,
      on: try BackgroundWriter())
    for start in stride(from: 0, to: samples.count, by: 2 * block) {
      let end = min(start + 2 * block, samples.count)
      #expect(try sink.write(samples.span.extracting(start..<end)) == .accepted)
    }
    gated.open()
    // Later samples stay behind the kept ones.
    let last: [Double] = [1, 2]
    _ = try sink.write(last.span)
    try sink.stop(.finished)
    #expect(gated.samples == samples + last)
    #expect(gated.stops == [.finished])
  }

  @Test func whatIsAbandonedIsNotKept() throws {
    let gated = GatedSink()
    let sink = try started(
      gated, .wait, capacity: 7, reserve: .seconds(1), on: try BackgroundWriter())
    _ = try sink.write(Noise.integers(1_000).span)
    gated.open()
    try sink.stop(.abandoned)
    #expect(gated.samples.count <= 7)
    #expect(gated.stops == [.abandoned])
  }

  @Test func aFailureComesUpThoughMuchIsKept() throws {
    let failing = CollectingSink()
    failing.writeFailsAfter = 0
    let sink = try started(
      failing, .wait, capacity: 4, reserve: .seconds(1), on: try BackgroundWriter())
    _ = try sink.write(Noise.integers(100).span)
    #expect(throws: AudioError.diskFull) { try sink.stop(.finished) }
    sink.dispose()
    #expect(failing.calls == [.initialize, .start, .abandon, .dispose])
  }

  @Test func flushingWaitsForWhatIsKept() throws {
    let target = GatedTarget()
    let lane = BackgroundLane(target, capacity: 1, unitSize: 1)
    let feed = BackgroundFeed(
      lane, "disk", on: try BackgroundWriter(), .wait, reserve: 10, session: Wakeup())
    let bytes: [UInt8] = [1, 2, 3]
    _ = try unsafe bytes.withUnsafeBytes { try unsafe feed.push($0, isIndivisible: false) }
    target.open()
    try feed.flush()
    #expect(lane.ring.filled() == 0)
    #expect(target.taken == bytes)
    try feed.close(.finished)
  }

  @Test func dropsAndCountsWhatTheRingDoesNotHold() throws {
    let samples = Noise.integers(600)
    let gated = GatedSink()
    let sink = try started(gated, .drop, capacity: 100, channels: 2, on: try BackgroundWriter())
    for start in stride(from: 0, to: 600, by: 60) {
      #expect(try sink.write(samples.span.extracting(start..<start + 60)) == .accepted)
    }
    #expect(sink.droppedSamplesPerChannel == 200)
    gated.open()
    try sink.stop(.finished)
    #expect(gated.samples == Array(samples[..<200]))
  }

  @Test func writesAndStopsEverySinkOnOneOtherThread() throws {
    let writer = try BackgroundWriter()
    let sinks = [GatedSink(), GatedSink()]
    let backgrounds = try sinks.map { try started($0, .wait, capacity: 100, on: writer) }
    for (gated, sink) in zip(sinks, backgrounds) {
      gated.open()
      _ = try sink.write([1, 2, 3].span)
    }
    for sink in backgrounds {
      try sink.complete()
    }
    #expect(sinks[0].threads.count == 1)
    #expect(sinks[0].threads == sinks[1].threads)
    #expect(!sinks[0].threads.contains(UInt(pthread_self())))
    #expect(sinks.map { $0.disposals } == [1, 1])
  }

  @Test func aFailureComesUpAtTheNextCall() throws {
    let failing = CollectingSink()
    failing.writeFailsAfter = 0
    let sink = try started(failing, .wait, capacity: 4, on: try BackgroundWriter())
    let samples = Noise.integers(100)
    #expect(throws: AudioError.diskFull) {
      // More samples than fit: the writer has failed when the first call returns.
      _ = try sink.write(samples.span)
      _ = try sink.write(samples.span)
    }
    #expect(throws: AudioError.diskFull) { try sink.stop(.finished) }
    sink.dispose()
    #expect(failing.calls == [.initialize, .start, .abandon, .dispose])
  }

  @Test func aFailureToCompleteComesUpAtTheEnd() throws {
    let failing = CollectingSink()
    failing.failures[.finish] = .diskFull
    let sink = try started(failing, .drop, capacity: 4, on: try BackgroundWriter())
    #expect(throws: AudioError.diskFull) { try sink.stop(.finished) }
  }

  @Test func aReaderThatLeavesIsNoFailure() throws {
    let leaving = CollectingSink()
    leaving.readerLeavesAfter = 0
    let sink = try started(leaving, .wait, capacity: 4, on: try BackgroundWriter())
    let samples = Noise.integers(100)
    _ = try sink.write(samples.span)
    #expect(try sink.write(samples.span) == .readerGone)
    try sink.stop(.finished)
    #expect(leaving.calls == [.initialize, .start, .finish])
  }

  @Test func lettingGoAbandonsOnce() throws {
    let collecting = CollectingSink()
    let sink = try started(collecting, .wait, capacity: 4, on: try BackgroundWriter())
    sink.dispose()
    #expect(collecting.calls == [.initialize, .start, .abandon, .dispose])
  }

  @Test func aSinkThatStandsStillIsGivenUpAtTheEnd() throws {
    let target = GatedTarget()
    let lane = BackgroundLane(target, capacity: 8, unitSize: 1)
    let feed = BackgroundFeed(
      lane, "pipe", on: try BackgroundWriter(), .drop, session: Wakeup(),
      stallLimit: .milliseconds(1))
    let bytes: [UInt8] = [1, 2]
    _ = try unsafe bytes.withUnsafeBytes { try unsafe feed.push($0, isIndivisible: false) }
    target.entered.wait()
    #expect(errorKind { try feed.close(.finished) } == .unavailable)
    #expect(!lane.isClosed)
    target.gate.signal()
  }

  @Test func abandoningTheSessionEndsTheWaitForRoom() throws {
    let target = GatedTarget()
    let control = SessionControl()
    let lane = BackgroundLane(target, capacity: 1, unitSize: 1)
    let feed = BackgroundFeed(
      lane, "pipe", on: try BackgroundWriter(), .wait, session: control.wakeup)
    control.requestStop(.abandon)
    let bytes: [UInt8] = [1, 2, 3]
    #expect(
      errorKind {
        try unsafe bytes.withUnsafeBytes { _ = try unsafe feed.push($0, isIndivisible: false) }
      } == .interrupted)
    target.gate.signal()
    try feed.close(.abandoned)
    #expect(lane.isClosed)
  }
}

/// A target whose calls wait at a gate.
private final class GatedTarget: BackgroundTarget {
  private(set) var taken: [UInt8] = []
  let entered = DispatchSemaphore(value: 0)
  let gate = DispatchSemaphore(value: 0)

  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    entered.signal()
    gate.wait()
    unsafe taken += bytes
    return .accepted
  }

  func open() { for _ in 0..<1_000 { gate.signal() } }

  func close(_ reason: StopReason) throws(AudioError) {}
}
