// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import AudioDevices

/// A capture whose card fails at a scripted position.
@Suite(.needsVirtualCard) struct CaptureRecoveryTests {
  private static let fed = noise(2 * 60_000)
  private static let samples = fed.map { Float($0) / 32_768 }

  init() { _ = AlsaConfiguration.directory }

  @Test(arguments: [
    ("20000:xrun", DeviceGap.Cause.xrun, 20_000, 1),
    // The second comes before any sample was read: still one gap, counted again.
    ("20000:xrun 20100:xrun", .xrun, 20_100, 2),
    ("20000:eio:once", .fault, 20_000, 1),
  ])
  func itGoesOnBehindAGap(
    events: String, cause: DeviceGap.Cause, next: Int, count: Int
  ) throws {
    try withSource("EVENTS='\(events)'") { source, wakeup in
      let captured = try read(2 * 30_000, from: source, wakeup)
      let gap = try #require(source.gaps.list.first)
      #expect(gap.cause == cause)
      #expect(gap.position <= 20_000)
      #expect(gap.occurrences == count)
      // A card without a clock cannot tell the length of the loss.
      #expect(gap.lostSamplesPerChannel == nil)
      #expect(source.gaps.count == 1)
      let statistics = source.statistics
      #expect((cause == .xrun ? statistics.xruns : statistics.faults) == count)
      let begin = 2 * Int(gap.position)
      #expect(captured.prefix(begin) == Self.samples.prefix(begin))
      let rest = captured.dropFirst(begin)
      #expect(rest == Self.samples[(2 * next)..<(2 * next + rest.count)])
    }
  }

  @Test func aSuspendLosesNothing() throws {
    try withSource("EVENTS=20000:suspend") { source, wakeup in
      let captured = try read(2 * 30_000, from: source, wakeup)
      #expect(captured == Array(Self.samples.prefix(2 * 30_000)))
      #expect(source.gaps.list.map(\.cause) == [.suspend])
      #expect(source.statistics.suspends == 1)
      #expect(source.statistics.xruns == 0)
    }
  }

  /// The samples read before the loss come first, then the error, once, then the end.
  @Test(arguments: [
    ("nodev", "it was disconnected"), ("stall", "it moved no sample for 1 s"),
  ])
  func aLossIsToldAfterTheLastSample(end: String, reason: String) throws {
    try withSource("AT_EOF=\(end)") { source, wakeup in
      let queue = SampleQueue<Float>()
      var loss: AudioError?
      while loss == nil {
        do throws(AudioError) {
          let status = try queue.append(atMost: 2_000) { output throws(AudioError) in
            try source.read(into: &output)
          }
          if status == .ended { break }
          if status == .pending { wakeup.wait(atMost: .milliseconds(100)) }
        } catch {
          loss = error
        }
      }
      let captured = queue.readable.indices.map { queue.readable[$0] }
      #expect(loss?.kind == .deviceLost)
      #expect(loss?.reason == "\(reason), after \(captured.count / 2) samples per channel")
      #expect(captured == Array(Self.samples.prefix(captured.count)))
      if end == "stall" { #expect(captured.count == Self.samples.count) }
      let rest = try read(2, from: source, wakeup)
      #expect(rest.isEmpty)
    }
  }

  /// A running source of a card that records ``fed``.
  private func withSource(
    _ settings: String, _ body: (AlsaSource, Wakeup) throws -> Void
  ) throws {
    let path = AlsaConfiguration.path("recovery-\(UUID().uuidString).raw")
    try bytes(of: Self.fed).write(to: URL(fileURLWithPath: path))
    var options = AlsaOptions()
    options.encoding = .s16
    options.stallLimit = .seconds(1)
    let source = AlsaSource(
      device: VirtualCard.device("INFILE=\(path),\(settings)"), options: options)
    defer { source.dispose() }
    let wakeup = Wakeup()
    _ = try source.initialize(proposing: nil, wakeup: wakeup)
    try source.start()
    try body(source, wakeup)
  }
}
