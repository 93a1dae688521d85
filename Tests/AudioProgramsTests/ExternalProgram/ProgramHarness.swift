// SPDX-License-Identifier: Apache-2.0
import TestSupport
@testable import AudioCore
@testable import AudioPrograms

/// The result of a stream led through a program.
struct ProgramOutcome {
  var samples: [Double]
  var error: AudioError?
  var statistics: ExternalProgramStatistics
  /// The samples output before the stream's end.
  var countBeforeEnd: Int
}

/// A stream that a test leads through one program, step by step.
final class ProgramHarness<Sample: AudioSample> {
  let program: ExternalProgram
  let stage: ExternalProgramStage<Sample>
  private let input: StreamFormat
  private let output = SampleQueue<Sample>()

  init(
    _ command: String, layout: SampleLayout = SampleLayout(.f32), mode: ObserverMode = .readWrite,
    rate: Int = 48_000, channels: Int = 1, programRate: Int? = nil, latency: Int? = nil,
    timeout: Duration = .seconds(60), identity: StreamIdentity = StreamIdentity(position: .record),
    isLive: Bool = false, wakeup: Wakeup? = nil
  ) throws {
    ProgramSignals.ignorePipe()
    let parameters = FrameParameters(sampleRate: programRate, mode: mode)
    program = try ExternalProgram(
      .init(identity.position),
      command, layout: layout, latency: latency, timeout: timeout, parameters: parameters)
    input = try StreamFormat(sampleRate: rate, channelCount: channels)
    stage = try ExternalProgramStage(
      program: program, identity: identity, shape: parameters.resolved(native: input), mode: mode,
      inputFormat: input, quality: .fast, isLive: isLive, wakeup: wakeup)
  }

  var statistics: ExternalProgramStatistics {
    program.statistics.values.first ?? ExternalProgramStatistics()
  }

  /// The samples so far.
  var samples: [Double] {
    let queue = output
    return queue.readable.indices.map { Double(queue.readable[$0]) }
  }

  func process(_ samples: [Double]) throws {
    let samples = samples.map { Sample($0) }
    try stage.process(samples.span, into: output)
  }

  func finish() throws { try stage.finish(into: output) }

  /// Runs the whole life of the stage.
  ///
  /// - Parameter blocks: the samples per channel of each call, repeated.
  func run(_ samples: [Double], blocks: [Int] = [16_384]) -> ProgramOutcome {
    var caught: AudioError?
    var countBeforeEnd = 0
    do throws(AudioError) {
      var start = 0
      var calls = 0
      while start < samples.count {
        let end = min(samples.count, start + blocks[calls % blocks.count] * input.channelCount)
        let block = samples[start..<end].map { Sample($0) }
        try stage.process(block.span, into: output)
        start = end
        calls += 1
      }
      countBeforeEnd = output.count
      try stage.finish(into: output)
      try stage.end(.finished)
    } catch {
      caught = error
    }
    do throws(AudioError) {
      try stage.end(.abandoned)
    } catch {
      caught = caught ?? error
    }
    return ProgramOutcome(
      samples: self.samples, error: caught, statistics: statistics, countBeforeEnd: countBeforeEnd)
  }
}
