// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import AudioDevices

/// The end of a playback on a card whose clock holds samples back.
@Suite(.needsVirtualCard) struct DrainTests {
  init() { _ = AlsaConfiguration.directory }

  /// Shorter than a period, just below and at the start threshold, longer than the buffer.
  @Test(arguments: [1, 440, 8_378, 8_379, 12_345])
  func theLastBufferIsPlayed(length: Int) throws {
    let samples = noise(2 * length)
    let path = AlsaConfiguration.path("drain-\(length).raw")
    let sink = AlsaSink(device: VirtualCard.device("OUTFILE=\(path)"))
    try play(samples.map { Float($0) / 32_768 }, on: sink)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes(of: samples))
    #expect(sink.statistics.movedSamplesPerChannel == length)
    #expect(sink.statistics.xruns == 0)
  }

  /// The last two periods are still in the device when the drain begins.
  @Test func theLastBufferIsPlayedInRealTime() throws {
    let samples = noise(2 * 4_000)
    let path = AlsaConfiguration.path("drain-paced.raw")
    let sink = AlsaSink(device: "card:SPEED=1,OUTFILE=\(path)")
    try play(samples.map { Float($0) / 32_768 }, on: sink)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes(of: samples))
  }

  @Test func aSuspendMeanwhileLosesNothing() throws {
    let samples = noise(2 * 4_000)
    let path = AlsaConfiguration.path("drain-suspend.raw")
    let sink = AlsaSink(device: VirtualCard.device("OUTFILE=\(path),EVENTS=3000:suspend"))
    var gaps: [DeviceGap] = []
    sink.onGap = { gaps.append($0) }
    try play(samples.map { Float($0) / 32_768 }, on: sink)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes(of: samples))
    #expect(sink.statistics.suspends == 1)
    #expect(gaps == [DeviceGap(cause: .suspend, position: 4_000, lostSamplesPerChannel: nil)])
    #expect(sink.gaps.list == gaps)
  }

  @Test(arguments: [
    ("3000:nodev", "it was disconnected"), ("3500:nodev", "it was disconnected"),
    ("3000:stall:3600000", "it moved no sample for 1 s"),
  ])
  func whatWasNotHeardIsAFailure(event: String, reason: String) throws {
    let samples = noise(2 * 4_000)
    let position = try #require(Int(event.prefix(4)))
    let path = AlsaConfiguration.path("drain-\(event.filter { $0 != ":" }).raw")
    var options = AlsaOptions()
    options.stallLimit = .seconds(1)
    let sink = AlsaSink(
      device: "card:SPEED=1,OUTFILE=\(path),EVENTS=\(event)", options: options)
    let error = #expect(throws: AudioError.self) {
      try play(samples.map { Float($0) / 32_768 }, on: sink)
    }
    #expect(error?.kind == .deviceLost)
    let match = try #require(
      error?.reason.wholeMatch(
        of: /(.*), after (\d+) samples per channel were heard(?: \(estimated ±(\d+)\))?/))
    #expect(match.1 == reason)
    let uncertainty = match.3.flatMap { Int($0) } ?? 0
    #expect(abs(try #require(Int(match.2)) - position) <= uncertainty)
    #expect(
      try Data(contentsOf: URL(fileURLWithPath: path))
        == bytes(of: Array(samples.prefix(2 * position))))
  }

  /// Longer than the samples that `snd_pcm_drain` starts by itself.
  @Test func aDeviceThatDoesNotStartIsAFailureAtOnce() throws {
    var options = AlsaOptions()
    options.stallLimit = .seconds(1)
    let sink = AlsaSink(device: VirtualCard.device("START_ERRNO=16"), options: options)
    let silence = [Float](repeating: 0, count: 2 * 4_000)
    let error = #expect(throws: AudioError.self) { try play(silence, on: sink) }
    #expect(error?.reason == "the device is in use, after 0 samples per channel were heard")
  }
}
