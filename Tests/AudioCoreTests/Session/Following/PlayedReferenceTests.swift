// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import AudioCore

/// The samples of the loudspeaker that an observer of record gets.
@Suite struct PlayedReferenceTests {
  private final class Listener: ReferencedObserver {
    private(set) var heard: [Double] = []
    private(set) var captured: [Double] = []
    private(set) var format: StreamFormat?
    private let rate: Int?

    init(rate: Int? = nil) { self.rate = rate }

    func parameters(at position: ObservationPosition) -> FrameParameters {
      FrameParameters(sampleRate: rate, mode: .readWrite)
    }

    func begin(_ stream: ObservedStream) throws(AudioError) { format = stream.playedFormat }

    func record(_ frame: inout AudioFrame<Float>, played: Span<Float>) -> Bool {
      #expect(played.count == frame.samplesPerChannel * (format?.channelCount ?? 0))
      #expect(frame.samplePosition == Int64(captured.count / frame.channelCount))
      for index in played.indices { heard.append(Double(played[index])) }
      captured += frame.array.map(Double.init)
      return true
    }
  }

  private static func tone(_ count: Int, _ frequency: Double, rate: Int) -> [Double] {
    (0..<count).map { sin(2 * Double.pi * frequency * Double($0) / Double(rate)) / 2 }
  }

  /// The phase of a tone in samples, by least squares.
  private static func place(_ samples: ArraySlice<Double>, _ cycles: Double) -> Double {
    var (cosine, sine) = (0.0, 0.0)
    for (index, sample) in zip(samples.indices, samples) {
      cosine += sample * cos(2 * Double.pi * cycles * Double(index))
      sine += sample * sin(2 * Double.pi * cycles * Double(index))
    }
    return atan2(cosine, sine) / (2 * Double.pi * cycles)
  }

  /// Two devices 100 ppm apart in virtual time: the samples that were played at the time of the microphone's, no more than
  /// 2 ppm off from 15 s on, without a step.
  @Test(arguments: [100e-6, -100e-6, 0]) func itFollowsTheMicrophone(_ deviation: Double) throws {
    let (rate, seconds, cycles) = (16_000, 40, 500.0 / 16_000)
    let session = Session()
    let time = VirtualTime()
    session.time = time
    let voice = Noise.integers(rate * seconds)
    let source = try VirtualLiveSource(
      voice, rate: rate, device: "a", deviation: deviation, time)
    let player = VirtualPlayer("b", rate: rate, bufferSize: rate / 10, time)
    try session.setLocal(source)
    try session.addRemote(
      GivenSource(Self.tone(rate * (seconds + 1), 500, rate: rate), rate: rate))
    try session.setSink(player, at: .playback)
    let listener = Listener()
    try session.register(listener)
    let publish = try session.collect(.publish, precision: .double)
    session.duration = .time(.seconds(seconds))
    _ = try session.run()
    // The record stays as it is.
    #expect(publish.samples == voice)
    #expect(listener.captured == voice)
    let (begin, began) = (try #require(source.begin), try #require(player.begin))
    let offset = began.seconds(since: begin) * Double(rate)
    // The truth: at the time of the microphone's sample k the player is at (k / (1 + deviation) - offset).
    let step = rate / 10
    let errors = stride(from: rate, to: rate * (seconds - 1), by: step).map { first in
      let middle = Double(first) + Double(step) / 2
      let truth = middle / (1 + deviation) - offset
      let measured = Self.place(listener.heard[first..<first + step], cycles) + middle
      let error = (measured - truth) * cycles
      return (error - error.rounded()) / cycles / Double(rate)
    }
    #expect(abs(try #require(errors.first)) < 2e-4)
    for second in 14..<(seconds - 3) {
      let part = errors[second * 10..<second * 10 + 20]
      let slope = ((part.last ?? 0) - (part.first ?? 0)) / 1.9
      #expect(abs(slope) < 2e-6, "second \(second + 1)")
    }
    for (earlier, later) in zip(errors, errors.dropFirst()) {
      #expect(abs(later - earlier) < 12e-6)
    }
  }

  private static func run(
    local: [Double], remote: [Double], localRate: Int = 48_000, channels: Int = 1,
    _ listener: Listener = Listener(), isMixed: Bool = false
  ) throws -> (Listener, playback: [Double], publish: [Double]) {
    let session = Session()
    try session.setLocal(GivenSource(local, rate: localRate))
    try session.addRemote(GivenSource(remote, channels: channels))
    try session.register(listener)
    let (playback, publish) = (try session.collect(.playback), try session.collect(.publish))
    if isMixed { _ = try session.collect(.mixed) }
    // Arrays are never late.
    let time = VirtualTime()
    session.time = time
    time.onWait = { session.control.requestStop(.abandon) }
    #expect(try session.run().outcome == .finished)
    return (listener, playback.samples, publish.samples)
  }

  /// Files have one clock: equal positions, silence behind the shorter one, and nothing waits for ever.
  @Test(arguments: [(100_000, 100_000), (30_000, 400_000), (400_000, 30_000)])
  func filesHaveOneClock(_ local: Int, _ remote: Int) throws {
    let noise = Noise.integers(remote, seed: 2).map { $0 / 4 }
    let voice = Noise.integers(local).map { $0 / 2 }
    let (listener, playback, publish) = try Self.run(local: voice, remote: noise)
    #expect(playback.count == remote)
    #expect(publish == voice)
    let silence = Array(repeating: 0.0, count: max(0, local - remote))
    #expect(listener.heard == Array(noise.prefix(local)) + silence)
  }

  /// A conversion of the record may hold much of it back, and the loudspeaker must not wait for that.
  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 44_100], [false, true])
  func framesOfAnotherRateNeverStandStill(_ rate: Int, isMixed: Bool) throws {
    let tone = Self.tone(480_000, 400, rate: 48_000)
    let listener = Listener(rate: rate)
    let (_, playback, publish) = try Self.run(
      local: tone, remote: tone, listener, isMixed: isMixed)
    #expect(playback.count == tone.count)
    // The record keeps the rate of its frames.
    #expect(publish.count == 10 * rate)
    #expect(listener.heard.count == 10 * rate)
    let differences = zip(listener.heard, listener.captured).dropFirst(100).dropLast(100)
    #expect(differences.allSatisfy { abs($0 - $1) < 2e-3 })
  }

  /// The reference has the rate of the frames and the channels of the loudspeaker.
  @Test func aReferenceIsConvertedToTheRateOfTheRecord() throws {
    let tone = Self.tone(96_000, 1_000, rate: 48_000)
    let (listener, _, _) = try Self.run(
      local: Noise.integers(32_000), remote: tone.flatMap { [$0, -$0] }, localRate: 16_000,
      channels: 2)
    #expect(listener.format?.channelCount == 2)
    #expect(listener.heard.count == 64_000)
    for index in 100..<31_900 {
      guard abs(listener.heard[2 * index] - tone[3 * index]) < 1e-3,
        abs(listener.heard[2 * index + 1] + tone[3 * index]) < 1e-3
      else {
        Issue.record("\(listener.heard[2 * index]) at \(index), not \(tone[3 * index])")
        return
      }
    }
  }

  @Test func itNeedsALoudspeaker() throws {
    let session = Session()
    try session.setLocal(GivenSource([0.5]))
    try session.register(Listener())
    _ = try session.collect(.publish)
    let error = try #require(throws: AudioError.self) { _ = try session.run() }
    #expect(
      "\(error)"
        == "cannot compare 'record with the loudspeaker': the session has no playback sink, whose samples it needs;"
        + " capture from a device and play to a device, or take files for both")
  }

  @Test func bothEndsAreDevicesOrNoneIs() throws {
    let time = VirtualTime()
    let session = Session()
    session.time = time
    try session.setLocal(GivenSource([0.5]))
    try session.addRemote(GivenSource([0.5]))
    try session.setSink(VirtualPlayer("b", time), at: .playback)
    try session.register(Listener())
    let error = try #require(throws: AudioError.self) { _ = try session.run() }
    #expect("\(error)".contains("the local source has no device's clock"))
  }
}
