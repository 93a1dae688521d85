// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioDevices

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
    #expect(source.statistics.overflowedSamplesPerChannel == 0)
    #expect(source.gaps.count == 0)
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
    let moved = Int(source.statistics.movedSamplesPerChannel) * 2
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

  private func source(
    of samples: [Int16], named name: String, _ options: AlsaOptions
  ) throws -> AlsaSource {
    let path = AlsaConfiguration.path(name)
    try bytes(of: samples).write(to: URL(fileURLWithPath: path))
    return AlsaSource(device: "file-in:\(path)", options: options)
  }
}
