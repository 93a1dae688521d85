// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct StageFailureTests {
  /// Passes every block on one block late and fails from the third block on.
  private final class Failing<Sample: AudioSample>: ObservingStage {
    let inputFormat: StreamFormat
    var outputFormat: StreamFormat { inputFormat }
    private let held = SampleQueue<Sample>()
    private var blocks = 0

    init(_ format: StreamFormat) { inputFormat = format }

    var isActive: Bool { true }
    var nextPosition: Int64 { 0 }
    func begin() throws(AudioError) {}

    func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
      blocks += 1
      if blocks > 2 { throw .diskFull }
      let held = held
      output.append(held.readable)
      held.removeAll()
      held.append(input)
    }

    func finish(into output: SampleQueue<Sample>) throws(AudioError) {
      let held = held
      output.append(held.readable)
      held.removeAll()
      throw .diskFull
    }

    func end(_ reason: StopReason) throws(AudioError) {}
  }

  private final class FailingObserver: StageObserver {
    let positions = ObservationPositions.record
    func parameters(at position: ObservationPosition) -> FrameParameters { .readWrite }
    func holdBack(_ shape: FrameShape) -> Int { 0 }
    func stage<Sample: AudioSample>(
      _ setting: StageSetting<Sample>
    ) throws(AudioError) -> any ObservingStage<Sample> { Failing(setting.inputFormat) }
  }

  @Test(arguments: [false, true])
  func aRecordingKeepsAllThatCameBeforeTheFailure(isLive: Bool) throws {
    let samples = Noise.integers(500)
    let session = Session()
    let source = try GivenSource(samples, isLive: isLive, pieces: [100])
    try session.setLocal(source)
    try session.register(FailingObserver())
    let sink = try session.collect(.publish)
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(sink.samples == Array(samples.prefix(isLive ? 200 : 100)))
    #expect(sink.calls == [.initialize, .start, isLive ? .finish : .abandon, .dispose])
    #expect(source.calls == [.initialize, .start, .stop, .dispose])
  }

  /// Ends the session without its outputs, and cannot store its data.
  private final class AbandoningObserver: RecordObserver {
    private var control: SessionControl?

    func begin(_ stream: ObservedStream) throws(AudioError) { control = stream.control }

    func record(_ frame: inout AudioFrame<Float>) -> Bool {
      control?.requestStop(.abandon)
      return true
    }

    func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
      throw .diskFull
    }
  }

  @Test func anAbandonedSessionTellsTheErrorOfAnObserversEnd() throws {
    let session = try Session(local: GivenSource(Noise.integers(5_000), pieces: [500]))
    try session.register(AbandoningObserver())
    let sink = try session.collect(.publish)
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(sink.calls == [.initialize, .start, .abandon, .dispose])
  }
}
