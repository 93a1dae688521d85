// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// The compiler accepts all safe uses of sessions in tasks and actors, and no others.
@Suite struct SendingTests {
  private static let accepted = [
    // In a function outside any actor: the closures' results are there when the run returns.
    """
    func run() async throws {
      let session = Session()
      var peak: Float = 0
      try session.observe(at: .record) { frame in peak = max(peak, frame.samples[0]) }
      _ = try await session.run()
      print(peak)
    }
    """,
    // In its own task.
    """
    func start() throws -> Task<SessionReport, any Error> {
      let session = Session()
      try session.observe(at: .record, as: .readWrite) { frame in frame.samples[0] = 0 }
      return Task { try await session.run() }
    }
    """,
    // Beside an iterating actor.
    """
    actor Studio {
      var samples = 0
      func run() async throws -> SessionReport {
        let session = Session()
        let frames = try session.frames(at: .record, of: Int16.self)
        async let report = session.run()
        for await frame in frames { samples += frame.samples.count }
        return try await report
      }
    }
    """,
    // In a task of the main actor that runs elsewhere; the actor joins during the run.
    """
    @MainActor final class Model {
      var level: Float = 0
      var live: LiveSession?
      func start() throws -> Task<SessionReport, any Error> {
        let session = Session()
        live = session.live
        return Task { @concurrent in try await session.run() }
      }
      func listen() async throws {
        guard let frames = try live?.frames(at: .playback) else { return }
        for await frame in frames { level = frame.samples[0] }
      }
    }
    """,
    // On the main actor, if no closure touches the actor's memory.
    """
    @MainActor func run() async throws {
      let session = Session()
      try session.observe(at: .record, as: .readWrite) { @Sendable frame in frame.samples[0] = 0 }
      _ = try await session.run()
    }
    """,
    // A session created by the main actor, whose closures send to it.
    """
    @MainActor final class Model {
      var level: Float = 0
      var outcome: SessionReport.Outcome?
      func run(control: SessionControl) async throws {
        let report = try await Session.run(control: control) { session in
          try session.observe(at: .record) { [weak self] frame in
            let sample = frame.samples[0]
            Task { @MainActor in self?.level = sample }
          }
        }
        outcome = report.outcome
      }
    }
    """,
    // The closures' results are the actor's afterwards.
    """
    @MainActor final class Model {
      var missing: Int64 = 0
      func run() async throws {
        let (report, music) = try await Session.run { session in
          let music = MixObserver(.record) { _ in SilenceSource(duration: nil) }
          try session.register(music)
          return music
        }
        missing = music.missingSamplesPerChannel
        print(report.outcome)
      }
    }
    """,
    // An actor's session, beside the frames that the actor iterates over.
    """
    actor Studio {
      var level: Float = 0
      func show(_ level: Float) { self.level = level }
      func run() async throws -> SessionReport {
        let (sequences, sending) = AsyncStream.makeStream(of: FrameSequence<Float>.self)
        async let report: SessionReport = Session.run { session in
          sending.yield(try session.frames(at: .record))
          sending.finish()
          try session.observe(at: .playback) { frame in
            let sample = frame.samples[0]
            Task { await self.show(sample) }
          }
        }
        for await frames in sequences { for await frame in frames { level = frame.samples[0] } }
        return try await report
      }
    }
    """,
    // In `main()` on the main actor.
    """
    @main struct Program {
      static func main() async throws {
        let report = try await Session.run { session in
          var peak: Float = 0
          try session.observe(at: .record) { frame in peak = max(peak, frame.samples[0]) }
        }
        print(report.outcome)
      }
    }
    """,
    // With errors of any type inside, and `AudioError` outside.
    """
    struct Refusal: Error {}
    func run() async throws(AudioError) -> SessionReport {
      try await Session.run { session in
        try session.setSink(at: .publish) { _ in throw Refusal() }
        throw Refusal()
      }
    }
    """,
  ]

  private static let refused = [
    // A closure that touches the main actor's memory would run on the session's thread.
    """
    @MainActor final class Model {
      var level: Float = 0
      func run() async throws {
        let session = Session()
        try session.observe(at: .record) { frame in self.level = frame.samples[0] }
        _ = try await session.run()
      }
    }
    """,
    // Other code could use the actor's session meanwhile.
    """
    @MainActor final class Model {
      let session = Session()
      func run() async throws { _ = try await session.run() }
    }
    """,
    """
    func run() async throws {
      let session = Session()
      async let report = session.run()
      try session.observe(at: .record) { _ in }
      _ = try await report
    }
    """,
    // An observer that the session would share with the actor or with concurrent code.
    """
    @MainActor final class Model {
      let music = MixObserver(.record) { _ in SilenceSource(duration: nil) }
      func run() async throws {
        let music = self.music
        try await Session.run { session in try session.register(music) }
      }
    }
    """,
    """
    func run() async throws {
      let music = MixObserver(.record) { _ in SilenceSource(duration: nil) }
      async let report: SessionReport = Session.run { session in try session.register(music) }
      print(music.missingSamplesPerChannel)
      _ = try await report
    }
    """,
  ]

  /// The actor's memory in a session created by `Session.run`, and the line that names it.
  private static let named = [
    """
    @MainActor final class Model {
      var level: Float = 0
      func run() async throws {
        try await Session.run { session in
          try session.observe(at: .record) { frame in self.level = frame.samples[0] }
        }
      }
    }
    """,
    """
    actor Studio {
      var kept: Session?
      func run() async throws {
        try await Session.run { session in self.kept = session }
      }
    }
    """,
  ]

  @Test(arguments: accepted)
  func theCompilerAccepts(program: String) throws {
    #expect(try Typecheck.diagnostics(of: "import AudioTasks\n" + program) == "")
  }

  @Test(arguments: refused)
  func theCompilerRefuses(program: String) throws {
    let diagnostics = try Typecheck.diagnostics(of: "import AudioTasks\n" + program)
    #expect(diagnostics.contains("risks causing data races"))
  }

  @Test(arguments: named)
  func theCompilerNamesWhatIsTheActors(program: String) throws {
    let diagnostics = try Typecheck.diagnostics(of: "import AudioTasks\n" + program)
    #expect(diagnostics.contains("-isolated property"))
    #expect(diagnostics.contains("can not be mutated from a nonisolated context"))
  }
}
