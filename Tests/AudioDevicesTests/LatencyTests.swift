// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioDevices

/// A device with latency to spare: its thread rests, and no sample is lost.
@Suite(.needsVirtualCard) struct LatencyTests {
  init() { _ = AlsaConfiguration.directory }

  private func options(buffer: Int? = nil) -> AlsaOptions {
    var options = AlsaOptions()
    options.sampleRate = 8_000
    options.channelCount = 1
    options.encoding = .s16
    options.latency = .milliseconds(500)
    options.buffer = buffer.map { .samplesPerChannel($0) }
    return options
  }

  /// The card's samples are the numbers of their frames. The samples held at the stop of the capture are given too.
  @Test func givesEverythingUntilItIsStopped() throws {
    let source = AlsaSource(device: "card:SPEED=1", options: options())
    defer { source.dispose() }
    let wakeup = Wakeup()
    _ = try source.initialize(proposing: nil, wakeup: wakeup)
    #expect(try #require(source.parameters).bufferSize == 8_000)
    #expect(try #require(source.parameters).periodSize == 2_000)
    try source.start()
    let began = MonotonicTime.now
    var samples = try read(4_000, from: source, wakeup)
    // Until the thread is in the middle of a rest.
    while MonotonicTime.now.elapsed(since: began) < .milliseconds(900) { usleep(1_000) }
    let least = MonotonicTime.now.elapsed(since: began)
    source.stop()
    while true {
      let more = try read(1_000, from: source, wakeup)
      if more.isEmpty { break }
      samples += more
    }
    // Beyond 32768 the numbers wrap; a machine paused for seconds may get there.
    let expected = (0..<samples.count).map { Float(Int16(truncatingIfNeeded: $0)) / 32_768 }
    #expect(firstDifference(samples, expected) == nil || source.gaps.count > 0)
    let held = Int(least / .milliseconds(1)) * 8
    #expect(samples.count >= held)
  }

  /// Each reading covers a quarter of a second, even at short periods.
  @Test func looksSeldom() throws {
    var options = options(buffer: 8_000)
    options.period = .samplesPerChannel(80)
    let source = AlsaSource(device: "card:SPEED=1", options: options)
    defer { source.dispose() }
    let wakeup = Wakeup()
    _ = try source.initialize(proposing: nil, wakeup: wakeup)
    try source.start()
    let samples = try read(8_000, from: source, wakeup)
    source.stop()
    // A second of rests, the first periods, which teach the device's clock, and one begun by the last reading.
    let most = source.statistics.movedSamplesPerChannel / 2_000 + 12
    #expect(samples.count == 8_000)
    #expect(source.statistics.wakeUps.count <= Int(most))
  }

  /// The played samples reach the card exactly, with rests between and a device that holds little.
  @Test(arguments: [nil, 4_410, 44_100])
  func playsEverySample(buffer: Int?) throws {
    let path = AlsaConfiguration.path("latency-\(buffer ?? 0).raw")
    let samples = noise(2 * 66_150)
    var options = AlsaOptions()
    options.encoding = .s16
    options.latency = .milliseconds(500)
    options.buffer = buffer.map { .samplesPerChannel($0) }
    let sink = AlsaSink(device: "card:SPEED=0,OUTFILE=\(path)", options: options)
    try play(samples.map { Float($0) / 32_768 }, on: sink)
    let played = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(played.prefix(samples.count * 2) == bytes(of: samples))
  }
}
