// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// A program whose closure fills the requested samples.
@Suite struct CustomSourceTests {
  private final class Filler<Sample: FrameSample> {
    let format: StreamFormat?
    private var samples: ArraySlice<Sample>
    var initializes = true
    var failures: [GivenSource.Call: AudioError] = [:]
    var fillFails = false
    private(set) var calls: [GivenSource.Call] = []
    private(set) var settled: StreamFormat?

    init(_ samples: [Sample], _ format: StreamFormat?) {
      self.samples = samples[...]
      self.format = format
    }

    var source: CustomSource<Sample> {
      CustomSource(
        format: format, initialize: initialize, start: start,
        stop: { self.calls.append(.stop) }, dispose: { self.calls.append(.dispose) }, fill: fill)
    }

    private func initialize(_ format: StreamFormat) -> Bool {
      calls.append(.initialize)
      settled = format
      return initializes
    }

    private func start() throws {
      calls.append(.start)
      if let error = failures[.start] { throw error }
    }

    private func fill(_ output: inout OutputSpan<Sample>) throws -> SourceStatus {
      if samples.isEmpty { return .ended }
      let count = min(output.freeCapacity, 700, samples.count)
      for sample in samples.prefix(count) { output.append(sample) }
      samples = samples.dropFirst(count)
      if fillFails { throw AudioError.diskFull }
      return .ready
    }
  }

  private func format(_ channels: Int = 1) throws -> StreamFormat {
    try StreamFormat(sampleRate: 48_000, channelCount: channels)
  }

  private func run<Sample>(_ program: Filler<Sample>) throws -> CollectingSink {
    let session = try Session(local: program.source)
    let sink = try session.run(collecting: .publish, precision: .double)
    return sink
  }

  @Test func everySampleOfAnyTypeIsHeard() throws {
    let samples = Noise.integers(20_000)
    let floats = Filler(samples.map { Float($0) }, try format(2))
    #expect(try run(floats).samples == samples)
    #expect(floats.calls == [.initialize, .start, .stop, .dispose])
    #expect(try run(Filler(samples.map { Int16($0 * 32_768) }, try format())).samples == samples)
    let wide = Noise.integers(20_000, bits: 48)
    #expect(try run(Filler(wide, try format())).samples == wide)
  }

  @Test func withoutAFormatItFollowsTheSession() throws {
    let program = Filler([Float](repeating: 0.25, count: 1_000), nil)
    let session = Session()
    try session.addRemote(try GivenSource([0.5], rate: 22_050))
    try session.addRemote(program.source)
    let sink = try session.run(collecting: .playback)
    #expect(program.settled == (try StreamFormat(sampleRate: 22_050, channelCount: 1)))
    #expect(sink.samples == [0.75] + [Double](repeating: 0.25, count: 999))
  }

  @Test func oneLifeWhateverFails() throws {
    let refusing = Filler([Float(0)], try format())
    refusing.initializes = false
    #expect(throws: AudioError.self) { try run(refusing) }
    #expect(refusing.calls == [.initialize, .dispose])
    let failing = Filler([Float(0)], try format())
    failing.failures[.start] = .diskFull
    #expect(throws: AudioError.diskFull) { try run(failing) }
    #expect(failing.calls == [.initialize, .start, .dispose])
    let breaking = Filler([Float(0)], try format())
    breaking.fillFails = true
    #expect(throws: AudioError.diskFull) { try run(breaking) }
    #expect(breaking.calls == [.initialize, .start, .stop, .dispose])
  }
}
