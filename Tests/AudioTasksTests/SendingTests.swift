// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// What the compiler makes of sessions in tasks and actors: everything that is safe, and nothing else.
@Suite struct SendingTests {
  private static let accepted = [
    // In a function that belongs to no actor: what the closures left is there when the run returns.
    """
    func run() async throws {
      let session = Session()
      var peak: Float = 0
      try session.observe(.record) { frame in peak = max(peak, frame.samples[0]) }
      _ = try await session.run()
      print(peak)
    }
    """,
    // In a task of its own.
    """
    func start() throws -> Task<SessionReport, any Error> {
      let session = Session()
      try session.observe(.record, .readWrite) { frame in frame.samples[0] = 0 }
      return Task { try await session.run() }
    }
    """,
    // Beside an actor that iterates.
    """
    actor Studio {
      var samples = 0
      func run() async throws -> SessionReport {
        let session = Session()
        let frames = try session.frames(at: .record, as: Int16.self)
        async let report = session.run()
        for await frame in frames { samples += frame.samples.count }
        return try await report
      }
    }
    """,
    // In a task of the main actor's that is not on it, and the actor joins while that runs.
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
    // On the main actor, where no closure touches what is the actor's.
    """
    @MainActor func run() async throws {
      let session = Session()
      try session.observe(.record, .readWrite) { @Sendable frame in frame.samples[0] = 0 }
      _ = try await session.run()
    }
    """,
    // A session that the main actor has made up, whose closures send to it.
    """
    @MainActor final class Model {
      var level: Float = 0
      var outcome: SessionReport.Outcome?
      func run(control: SessionControl) async throws {
        let report = try await Session.run(control: control) { session in
          try session.observe(.record) { [weak self] frame in
            let sample = frame.samples[0]
            Task { @MainActor in self?.level = sample }
          }
        }
        outcome = report.outcome
      }
    }
    """,
    // What the session's closures left is the actor's afterwards.
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
    // One of an actor's, beside the frames that it iterates over.
    """
    actor Studio {
      var level: Float = 0
      func show(_ level: Float) { self.level = level }
      func run() async throws -> SessionReport {
        let (sequences, sending) = AsyncStream.makeStream(of: FrameSequence<Float>.self)
        async let report: SessionReport = Session.run { session in
          sending.yield(try session.frames(at: .record))
          sending.finish()
          try session.observe(.playback) { frame in
            let sample = frame.samples[0]
            Task { await self.show(sample) }
          }
        }
        for await frames in sequences { for await frame in frames { level = frame.samples[0] } }
        return try await report
      }
    }
    """,
    // In `main()`, which is the main actor's.
    """
    @main struct Program {
      static func main() async throws {
        let report = try await Session.run { session in
          var peak: Float = 0
          try session.observe(.record) { frame in peak = max(peak, frame.samples[0]) }
        }
        print(report.outcome)
      }
    }
    """,
    // With errors of any type in it, and `AudioError` outside.
    """
    struct Refusal: Error {}
    func run() async throws(AudioError) -> SessionReport {
      try await Session.run { session in
        try session.setSink(.publish) { _ in throw Refusal() }
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
        try session.observe(.record) { frame in self.level = frame.samples[0] }
        _ = try await session.run()
      }
    }
    """,
    // Others could use the actor's session meanwhile.
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
      try session.observe(.record) { _ in }
      _ = try await report
    }
    """,
    // An observer that the session would share with the actor, or with what runs beside it.
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

  /// The actor's memory in a session that `Session.run` makes, and the line that names it.
  private static let named = [
    """
    @MainActor final class Model {
      var level: Float = 0
      func run() async throws {
        try await Session.run { session in
          try session.observe(.record) { frame in self.level = frame.samples[0] }
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
