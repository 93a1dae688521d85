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
}
