import Foundation
import Testing

@testable import AudioCore

@Suite struct CaptureTests {
  init() { _ = AlsaConfiguration.directory }

  /// The device keeps no time and the ring holds a fraction of the stream: nothing may be lost.
  @Test(arguments: [1, 2, 3])
  func givesExactlyWhatTheDeviceHolds(channelCount: Int) throws {
    let samples = noise(30_000 * channelCount)
    var options = AlsaOptions()
    // So slow that even a busy machine fills the ring before a clock would.
    options.sampleRate = 1_000
    options.channelCount = channelCount
    options.encoding = .s16
    options.buffer = .samplesPerChannel(2_000)
    options.ring = .samplesPerChannel(4_096)
    let source = try source(of: samples, named: "capture-\(channelCount).raw", options)
    defer { source.dispose() }
    let wakeup = Wakeup()
    _ = try source.initialize(proposing: nil, wakeup: wakeup)
    try source.start()
    let captured = try read(samples.count, from: source, wakeup)
    #expect(captured == samples.map { Float($0) / 32_768 })
    #expect(source.statistics.xruns == 0)
    #expect(source.statistics.samplesOverflowed == 0)
    #expect(source.nextGap() == nil)
  }

  @Test func afterStopItGivesTheRestAndThenEnds() throws {
    let samples = noise(40_000)
    var options = AlsaOptions()
    options.encoding = .s16
    let source = try source(of: samples, named: "capture-stop.raw", options)
    defer { source.dispose() }
    let wakeup = Wakeup()
    _ = try source.initialize(proposing: nil, wakeup: wakeup)
    try source.start()
    var captured = try read(2_000, from: source, wakeup)
    source.stop()
    let moved = Int(source.statistics.samplesMoved) * 2
    while captured.count < moved {
      let rest = try read(min(4_000, moved - captured.count), from: source, wakeup)
      if rest.isEmpty { break }
      captured += rest
    }
    #expect(captured.count == moved)
    #expect(captured.prefix(40_000) == samples.prefix(moved).map { Float($0) / 32_768 }[...])
    #expect(try read(2, from: source, wakeup).isEmpty)
  }

  @Test func cannotStartBeforeItIsInitialised() {
    let source = AlsaSource(device: "unpaced")
    let error = #expect(throws: AudioError.self) { try source.start() }
    #expect(error?.kind == .lifeCycle)
  }

  /// Reads `count` samples, in blocks that divide nothing, or as many as come before the end.
  private func read(_ count: Int, from source: AlsaSource, _ wakeup: Wakeup) throws -> [Float] {
    let channelCount = source.parameters?.format.channelCount ?? 1
    let queue = SampleQueue<Float>()
    while queue.count < count {
      let block = min(777 * channelCount, count - queue.count)
      let status = try queue.append(atMost: block) { output throws(AudioError) in
        try source.read(into: &output)
      }
      if status == .ended { break }
      if status == .pending { wakeup.wait(milliseconds: 100) }
    }
    return queue.readable.indices.map { queue.readable[$0] }
  }

  private func source(
    of samples: [Int16], named name: String, _ options: AlsaOptions
  ) throws -> AlsaSource {
    let path = AlsaConfiguration.path(name)
    let bytes = samples.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return AlsaSource(device: "file-in:\(path)", options: options)
  }
}

/// Deterministic samples over the whole range (a linear congruential generator; Knuth's MMIX).
func noise(_ count: Int) -> [Int16] {
  var state: UInt64 = 2_024
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int16(truncatingIfNeeded: state >> 48)
  }
}
