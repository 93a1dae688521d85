// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioTasks
import Testing

/// Sending in a task, which waits without blocking a thread.
@Suite struct AsyncSendingTests {
  /// A session in its own task, with a microphone whose ring holds 10 ms.
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
        let sink = try session.collect(.publish)
        _ = try await session.run()
        return sink.samples
      }
    }
  }

  /// Returns an unread microphone: it is full after 10 ms, and stays full.
  private func fullMicrophone() throws -> PushSource {
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1),
      options: .init(name: "mic", capacity: 480))
    _ = try microphone.initialize(proposing: nil, wakeup: Wakeup())
    try microphone.start()
    #expect(try microphone.sender.send([Float](repeating: 0.5, count: 480).span) == 480)
    return microphone
  }

  /// Many times the length of the ring, from the main actor.
  @MainActor @Test func everythingArrives() async throws {
    let bench = try Bench()
    let samples = Noise.integers(48_000)
    #expect(await bench.sender.started())
    try await bench.sender.send(samples)
    bench.sender.finish()
    #expect(try await bench.running.value == samples)
  }

  @Test func bytesArrive() async throws {
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

  /// Cancelling acts at once, before or during the wait.
  @Test func cancellingTheTaskEndsTheWait() async throws {
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

  /// A cancelled task leaves the stream open, for another one or for the end of it.
  @Test func aCancelledTaskLeavesTheStreamOpen() async throws {
    let bench = try Bench()
    let sender = bench.sender
    #expect(await sender.started())
    let sending = Task {
      while true { try await sender.send([Float](repeating: 0.25, count: 480)) }
    }
    sending.cancel()
    let error = await #expect(throws: AudioError.self) { try await sending.value }
    #expect(error?.kind == .interrupted)
    try await sender.send([Float](repeating: 0.5, count: 100))
    sender.finish()
    #expect(
      try await bench.running.value.suffix(101).dropFirst()
        == Array(repeating: 0.5, count: 100)[...])
  }

  /// The end of the session ends the wait of a task that sends, with an error.
  @Test func cancellingTheSessionEndsTheSending() async throws {
    let bench = try Bench()
    let sender = bench.sender
    #expect(await sender.started())
    let sending = Task {
      while true { try await sender.send([Float](repeating: 0.25, count: 480)) }
    }
    bench.running.cancel()
    let samples = try await bench.running.value
    let error = await #expect(throws: AudioError.self) { try await sending.value }
    #expect(error?.kind == .lifeCycle && error?.reason == "it is stopped")
    #expect(samples.allSatisfy { $0 == 0.25 })
  }

  /// A stop and an end set by another thread end the wait with an error.
  @Test(arguments: [false, true])
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

  /// The thread that makes room reports it to the waiting task; otherwise the wait would never end.
  @Test func aSourceThatIsHeardAgainStarts() async throws {
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
