// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioTasks
import Foundation
import Synchronization
import Testing

@Suite struct AsyncRunTests {
  /// A model of the main actor, as in an application. The session runs on its own thread, outside the actor; the actor
  /// gets its frames.
  @MainActor private final class Model {
    private(set) var frames = 0
    private(set) var outcome: SessionReport.Outcome?

    func listen(to samples: [Double]) async throws {
      let session = try Session(local: GivenSource(samples))
      let sequence = try session.frames(at: .record)
      let listening = Task { for await _ in sequence { frames += 1 } }
      outcome = try await session.run().outcome
      await listening.value
    }
  }

  @MainActor @Test func anActorMayListen() async throws {
    let model = Model()
    try await model.listen(to: Noise.integers(1_000))
    #expect(model.outcome == .finished)
    #expect(model.frames == 3)
  }

  /// The session's thread is not the caller's, and the observers' results are there when the run returns.
  @Test func runsOnAThreadOfItsOwn() async throws {
    let session = try Session(local: GivenSource(Noise.integers(4_800)))
    var threads: Set<String> = []
    var frames = 0
    try session.observe(at: .record) { _ in
      frames += 1
      threads.insert((try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? "")
    }
    _ = try await session.run()
    #expect(frames == 10)
    #expect(threads == ["session\n"])
  }

  @Test func throwsWhatTheSessionThrows() async throws {
    let session = Session()
    let source = try GivenSource([0, 0])
    source.failingRead = (1, .diskFull)
    try session.setLocal(source)
    await #expect(throws: AudioError.diskFull) { try await session.run() }
    let error = await #expect(throws: AudioError.self) { try await session.run() }
    #expect(error?.reason == "it has run already")
  }

  /// Earlier samples are delivered, and the sink completes.
  @Test(arguments: [false, true])
  func cancellingTheTaskFinishesTheSession(before: Bool) async throws {
    let sink = Mutex<[CollectingSink.Call]>([])
    let sender = Mutex<PushSender?>(nil)
    let begun = DispatchSemaphore(value: 0)
    let task = Task {
      let session = Session()
      let microphone = PushSource(
        format: try StreamFormat(sampleRate: 48_000, channelCount: 1))
      sender.withLock { $0 = microphone.sender }
      try session.setLocal(microphone)
      let collecting = try session.collect(.publish)
      session.onStart = { _ in begun.signal() }
      if before { unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() } }
      let report = try await session.run()
      sink.withLock { $0 = collecting.calls }
      return report
    }
    if !before {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          begun.wait()
          continuation.resume()
        }
      }
      task.cancel()
    }
    let report = try await task.value
    #expect(report.outcome == .stopped)
    #expect(sink.withLock { $0 } == [.initialize, .start, .finish, .dispose])
    #expect(sender.withLock { $0?.room } == 0)
  }
}
