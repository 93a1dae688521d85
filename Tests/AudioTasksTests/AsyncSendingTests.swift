// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioCore
import AudioTasks
import Foundation
import Testing

/// Sending in a task, which waits without a thread.
@Suite struct AsyncSendingTests {
  /// A session with a microphone whose ring holds 10 ms, in a task of its own.
  private struct Bench {
    let sender: PushSender
    let control = SessionControl()
    let running: Task<[Double], any Error>

    init() throws {
      let microphone = PushSource(
        format: try StreamFormat(sampleRate: 48_000, channelCount: 1),
        options: .init(name: "mic", capacity: 480))
      sender = microphone.sender
      let session = Session(control: control)
      try session.setLocal(microphone)
      running = Task {
        let sink = CollectingSink()
        try session.setSink(.publish, sink)
        _ = try await session.run()
        return sink.samples
      }
    }
  }

  /// A microphone that no session reads: it is full behind 10 ms, and stays so.
  private func fullMicrophone() throws -> PushSource {
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1),
      options: .init(name: "mic", capacity: 480))
    _ = try microphone.initialize(proposing: nil, wakeup: Wakeup())
    try microphone.start()
    #expect(try microphone.sender.send([Float](repeating: 0.5, count: 480).span) == 480)
    return microphone
  }

  /// Many times the ring, from the main actor.
  @MainActor @Test(.timeLimit(.minutes(1))) func everythingArrives() async throws {
    let bench = try Bench()
    let samples = Noise.integers(48_000)
    #expect(await bench.sender.started())
    try await bench.sender.send(samples)
    bench.sender.finish()
    #expect(try await bench.running.value == samples)
  }

  @Test(.timeLimit(.minutes(1))) func bytesArrive() async throws {
    let bench = try Bench()
    let bytes = (0..<9_600).map { UInt8(truncatingIfNeeded: $0 * 7) }
    await bench.sender.started()
    try await bench.sender.send(bytes: bytes, as: SampleLayout(.s16, .little))
    bench.sender.finish()
    let expected = stride(from: 0, to: bytes.count, by: 2).map {
      Double(Int16(truncatingIfNeeded: Int(bytes[$0]) | Int(bytes[$0 + 1]) << 8)) / 32_768
    }
    #expect(try await bench.running.value == expected)
  }

  /// The task is told at once, whether it waits already or is about to.
  @Test(.timeLimit(.minutes(1))) func cancellingTheTaskEndsTheWait() async throws {
    let microphone = try fullMicrophone()
    let sender = microphone.sender
    let sending = Task { try await sender.send([Float](repeating: 0.5, count: 480)) }
    sending.cancel()
    let error = await #expect(throws: AudioError.self) { try await sending.value }
    #expect(
      error?.description == "cannot send to 'mic': the task was cancelled while it waited")
    #expect(error?.kind == .interrupted)
    let starting = PushSource().sender
    let waiting = Task { await starting.started() }
    waiting.cancel()
    #expect(await waiting.value == false)
    microphone.dispose()
  }

  /// Stopping, and the end that another thread sets, end the wait with an error.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func theEndEndsTheWait(byFinishing isFinished: Bool) async throws {
    let microphone = try fullMicrophone()
    let sender = microphone.sender
    let sending = Task { try await sender.send([Float](repeating: 0.5, count: 480)) }
    if isFinished { sender.finish() } else { microphone.stop() }
    let error = await #expect(throws: AudioError.self) { try await sending.value }
    #expect(error?.kind == .lifeCycle)
    #expect(
      error?.reason == (isFinished ? "its stream was finished" : "it is stopped"))
    microphone.dispose()
  }

  /// What waits is told of room by the thread that makes it: a wait that was not told would never end.
  @Test(.timeLimit(.minutes(1))) func aSourceThatIsHeardAgainStarts() async throws {
    let microphone = try fullMicrophone()
    let sender = microphone.sender
    microphone.mute()
    #expect(sender.isMuted)
    let error = await #expect(throws: AudioError.self) { try await sender.send([Float(0)]) }
    #expect(error?.reason == "it is muted")
    let starting = Task { await sender.started() }
    try microphone.unmute()
    #expect(await starting.value)
    microphone.stop()
    #expect(await sender.started() == false)
    microphone.dispose()
  }
}
