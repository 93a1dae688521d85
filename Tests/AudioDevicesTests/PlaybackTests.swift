// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioDevices

@Suite struct PlaybackTests {
  init() { _ = AlsaConfiguration.directory }

  /// Shorter than a period, shorter than the start threshold, no multiple of either: each sample is played once.
  @Test(arguments: [1, 100, 441, 12_345])
  func playsEverySampleOnce(length: Int) throws {
    let samples = noise(2 * length)
    let path = AlsaConfiguration.path("play-\(length).raw")
    let sink = AlsaSink(device: "file-out:\(path)")
    try play(samples.map { Float($0) / 32_768 }, on: sink)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes(of: samples))
    #expect(sink.statistics.movedSamplesPerChannel == length)
    #expect(sink.statistics.xruns == 0)
    #expect(sink.statistics.clippedSamples == 0)
  }

  @Test func countsWhatItClips() throws {
    let path = AlsaConfiguration.path("play-clipped.raw")
    let sink = AlsaSink(device: "file-out:\(path)")
    try play([1.5, -1.5, 0.25, -1], on: sink)
    let expected = bytes(of: [32_767, -32_768, 8_192, -32_768])
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == expected)
    #expect(sink.statistics.clippedSamples == 2)
  }

  @Test func refusesWritesThatBreakTheContract() throws {
    let sink = AlsaSink(device: "unpaced")
    defer { sink.dispose() }
    let samples: [Float] = [0, 0, 0]
    #expect(kind { () throws(AudioError) in try sink.write(samples.span) } == .lifeCycle)
    let stereo = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    _ = try sink.initialize(proposing: stereo, wakeup: Wakeup())
    try sink.start()
    #expect(kind { () throws(AudioError) in try sink.write(samples.span) } == .invalidParameter)
    let tooMany = [Float](repeating: 0, count: 2 * (sink.room + 24_000))
    #expect(kind { () throws(AudioError) in try sink.write(tooMany.span) } == .invalidParameter)
    try sink.stop(.abandoned)
  }

  @Test func anEmptyStreamEndsAtOnce() throws {
    let path = AlsaConfiguration.path("play-empty.raw")
    let sink = AlsaSink(device: "file-out:\(path)")
    try play([], on: sink)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)).isEmpty)
  }

  private func kind(_ body: () throws(AudioError) -> SinkStatus) -> AudioError.Kind? {
    do {
      _ = try body()
    } catch {
      return error.kind
    }
    return nil
  }
}
