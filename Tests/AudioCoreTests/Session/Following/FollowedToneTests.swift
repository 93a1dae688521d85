// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioCore

/// The sound of a tone from one device to another through the real resampler, under control.
@Suite struct FollowedToneTests {
  /// Two minutes of 1 kHz with two clocks 300 ppm apart. Every output is the tone at the sum of the earlier ratios; no
  /// sample is lost or inserted; no bend between samples exceeds that of the tone.
  @Test func theToneHasNoClick() throws {
    let rate = 4_000
    let cycles = 1_000.0 / Double(rate)
    let resampler = try AsynchronousResampler<Double>(
      from: StreamFormat(sampleRate: rate, channelCount: 1), sampleRate: rate, quality: .fast)
    let duplex = try SimulatedDuplex(
      SimulatedDevice(
        "a", rate: rate, period: 40, buffer: 2_000, deviation: 150e-6, wander: 2e-6,
        jitter: (0.001, 0.02), seed: 5, isCapture: true),
      SimulatedDevice(
        "b", rate: rate, period: 40, buffer: 800, deviation: -150e-6,
        jitter: (0.001, 0.02), start: 0.003, seed: 6, isCapture: false),
      resampler: Double(resampler.latency) / Double(rate))
    let stage = ClockFollowingStage(duplex.stream, resampler)
    let queue = SampleQueue<Double>()
    var (fed, time, place) = (0, 0.0, 0.0)
    var (count, noise, largestBend) = (0, 0.0, 0.0)
    var latest = (0.0, 0.0)
    while time < 120 {
      time = duplex.capturePeriod().time
      let input = (fed..<fed + 40).map { sin(2 * Double.pi * cycles * Double($0)) }
      fed += 40
      // The earlier ratio gives the places of these outputs.
      let step = resampler.step
      stage.process(input.span, into: queue)
      duplex.written += Int64(queue.count)
      let outputs = queue.readable
      for index in outputs.indices {
        let output = outputs[index]
        // The beginning of the stream is not yet the tone.
        if place > 100 {
          let error = output - sin(2 * Double.pi * cycles * place)
          noise += error * error
          count += 1
          largestBend = max(largestBend, abs(output - 2 * latest.0 + latest.1))
        }
        latest = (output, latest.0)
        place += step
      }
      queue.removeAll()
    }
    // The filter's gain at 1 kHz is not exactly 1: within ±0.1 dB to 0.8 of Nyquist, here far less.
    #expect(10 * log10(2 * noise / Double(count)) < -95)
    let bend = 2 * (1 - cos(2 * Double.pi * cycles))
    #expect(largestBend < bend * 1.002)
    // All inputs went on, except the latency of the filter.
    #expect(abs(resampler.inputPosition - place) < 1e-6)
    #expect(Double(fed) - resampler.inputPosition <= Double(resampler.latency) + 1)
    #expect(duplex.stream.statistics.resynchronisations == 0)
    #expect(Double(count) < Double(fed) * (1 - 250e-6))
  }

  /// Devices that start far apart: late samples are dropped, early ones wait for silence; then the delay is on target.
  @Test(arguments: [0.25, -0.25]) func aDelayThatIsFarOffIsSetRight(_ start: Double) throws {
    let rate = 8_000
    let resampler = try AsynchronousResampler<Float>(
      from: StreamFormat(sampleRate: rate, channelCount: 2), sampleRate: rate, quality: .fast)
    let duplex = try SimulatedDuplex(
      SimulatedDevice(
        "a", rate: rate, period: 80, buffer: 4_000, deviation: 0, start: max(0, -start), seed: 5,
        isCapture: true),
      SimulatedDevice(
        "b", rate: rate, period: 80, buffer: 4_000, deviation: 0, start: max(0, start), seed: 6,
        isCapture: false),
      resampler: Double(resampler.latency) / Double(rate))
    let stage = ClockFollowingStage(duplex.stream, resampler)
    let queue = SampleQueue<Float>()
    var (fed, time, sum) = (0, 0.0, Int64(0))
    while time < 4 {
      time = duplex.capturePeriod().time
      let input = (0..<160).map { _ in Float(1) }
      fed += 80
      stage.process(input.span, into: queue)
      duplex.written += Int64(queue.count / 2)
      sum += Int64((0..<queue.count).count { queue.readable[$0] > 0.5 })
      queue.removeAll()
    }
    let statistics = duplex.stream.statistics
    #expect(statistics.resynchronisations == 1)
    let moved =
      start > 0 ? statistics.droppedSamplesPerChannel : statistics.insertedSamplesPerChannel
    #expect(
      start > 0
        ? statistics.insertedSamplesPerChannel == 0 : statistics.droppedSamplesPerChannel == 0)
    #expect(abs(Double(moved) - 0.25 * Double(rate)) <= 2)
    let error = try #require(statistics.delay) - statistics.latency
    #expect(abs(error / .seconds(1)) < 0.001)
    // Both channels, without the dropped samples and the latency of the filter.
    let kept = 2 * (Int64(fed) - statistics.droppedSamplesPerChannel)
    #expect((kept - 2 * Int64(resampler.latency) - 8...kept).contains(sum))
  }
}
