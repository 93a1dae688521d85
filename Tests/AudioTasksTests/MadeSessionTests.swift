// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioTasks
import Testing

/// Sessions created on their own thread, as actors need them.
@Suite struct MadeSessionTests {
  private struct Refusal: Error, CustomStringConvertible {
    var description: String { "the list is empty" }
  }

  /// A model of the main actor that takes the frames of a session it never holds.
  @MainActor private final class Model {
    private(set) var positions: [Int64] = []

    func listen(to samples: [Double]) async throws -> SessionReport {
      let (sequences, sending) = AsyncStream.makeStream(of: FrameSequence<Float>.self)
      async let report: SessionReport = Session.run { session in
        try session.setLocal(try GivenSource(samples))
        sending.yield(try session.frames(at: .record))
        sending.finish()
      }
      for await frames in sequences {
        for await frame in frames { positions.append(frame.samplePosition) }
      }
      return try await report
    }
  }

  @MainActor @Test func theMainActorRunsOneAndTakesItsFrames() async throws {
    let model = Model()
    let report = try await model.listen(to: Noise.integers(1_000))
    #expect(report.outcome == .finished)
    #expect(report.sources[0].samplesPerChannel == 1_000)
    #expect(model.positions == [0, 480, 960])
  }

  /// Objects created with the session belong to the caller after the run.
  @MainActor @Test func whatTheSessionLeavesComesBack() async throws {
    let samples = Noise.integers(4_800)
    let (report, sink) = try await Session.run { session in
      try session.setLocal(try GivenSource(samples))
      let sink = try session.collect(.publish)
      return sink
    }
    #expect(report.outcome == .finished)
    #expect(sink.samples == samples)
    #expect(sink.calls == [.initialize, .start, .finish, .dispose])
  }

  @Test func whatMakingItThrowsIsWrapped() async throws {
    let error = await #expect(throws: AudioError.self) {
      try await Session.run { session in throw Refusal() }
    }
    #expect(error?.description == "cannot set up the session: the list is empty")
    #expect(error?.underlying is Refusal)
    await #expect(throws: AudioError.diskFull) {
      try await Session.run { session in throw AudioError.diskFull }
    }
  }

  /// By its control and by its task: it delivers its remaining samples.
  @Test(arguments: [false, true])
  func endsEarly(byCancelling isCancelled: Bool) async throws {
    let control = SessionControl()
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await Session.run(control: control) { session in
        try session.setLocal(
          PushSource(format: try StreamFormat(sampleRate: 48_000, channelCount: 1)))
        session.onStart = { _ in beginning.finish() }
        let sink = try session.collect(.publish)
        return sink
      }.report
    }
    for await _ in begun {}
    if isCancelled { task.cancel() } else { control.requestStop(.finish) }
    #expect(try await task.value.outcome == .stopped)
  }
}
