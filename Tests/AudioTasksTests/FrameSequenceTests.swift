// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioTasks
import Foundation
import Testing

/// Frames as an asynchronous sequence, and sessions that run in tasks.
@Suite struct FrameSequenceTests {
  private func session(_ samples: [Double], isLive: Bool = false) throws -> Session {
    let session = try Session(
      local: GivenSource(samples, encoding: .s16, isLive: isLive, pieces: [480]))
    return session
  }

  /// Takes all frames in a new task; returns when that has begun.
  private func listen<Sample: FrameSample>(
    to frames: FrameSequence<Sample>
  ) async -> Task<[AudioFrameCopy<Sample>], Never> {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      var iterator = frames.makeAsyncIterator()
      beginning.finish()
      var all: [AudioFrameCopy<Sample>] = []
      while let frame = await iterator.next() { all.append(frame) }
      return all
    }
    for await _ in begun {}
    return task
  }

  /// A session that is not live waits for its reader, at every buffer size.
  @Test(arguments: [1, 100])
  func everyFrameComesAndThenTheEnd(capacity: Int) async throws {
    let samples = Noise.integers(48_100)
    let session = try session(samples)
    let frames = try session.frames(at: .record, bufferingPerSource: capacity)
    let listening = await listen(to: frames)
    let report = try await session.run()
    let all = await listening.value
    #expect(report.outcome == .finished)
    #expect(all.flatMap(\.samples) == samples.map { Float($0) })
    #expect(all.map(\.samplePosition) == (0...100).map { $0 * 480 })
    #expect(all.last?.isPartial == true)
    #expect(all.allSatisfy { $0.droppedFrames == 0 })
    #expect(frames.droppedFrames == 0)
  }

  @Test func inAnyShapeAndSampleType() async throws {
    let samples = Noise.integers(9_600)
    let session = try session(samples)
    let frames = try session.frames(
      at: .record,
      as: FrameParameters(channelCount: 2, mode: .writeOnly, samplesPerCall: 1_920),
      from: .local, of: Int16.self)
    let sink = try session.collect(.publish)
    let listening = await listen(to: frames)
    _ = try await session.run()
    let all = await listening.value
    #expect(all.allSatisfy { $0.format.channelCount == 2 && $0.samplesPerChannel == 960 })
    #expect(all.flatMap(\.samples) == samples.flatMap { [Int16($0 * 32_768), Int16($0 * 32_768)] })
    // The reader never edits, in any mode.
    #expect(sink.samples == samples)
  }

  /// A mode set on the session does not apply to a reader.
  @Test func whatOnlyLooksLooksInAnyMode() async throws {
    let samples = Noise.integers(9_600)
    for mode in ObserverMode.allCases {
      let session = try session(samples)
      try session.setParameters(FrameParameters(mode: mode, samplesPerCall: 960), at: .record)
      let frames = try session.frames(at: .record)
      let track = CollectingSink()
      try session.register(
        TapObserver(
          .record, to: { (_) throws(AudioError) -> any AudioSink in track },
          on: try BackgroundWriter()))
      try session.register(LoudnessObserver(.record) { _ in })
      let sink = try session.collect(.publish)
      let listening = await listen(to: frames)
      _ = try await session.run()
      let all = await listening.value
      #expect(all.allSatisfy { $0.samplesPerChannel == 960 })
      #expect(all.flatMap(\.samples) == samples.map { Float($0) })
      #expect(sink.samples == samples)
      #expect(track.samples == samples)
    }
  }

  /// A session asked to finish does not wait for a slow reader.
  @Test func whoIsSlowDoesNotHoldUpTheEnd() throws {
    let samples = Noise.integers(48_000)
    let session = try session(samples)
    let control = session.control
    var count = 0
    try session.register(
      RecordingObserver<Double>(.record) { _ in
        count += 1
        if count == 5 { control.requestStop(.finish) }
      })
    let frames = try session.frames(at: .record, bufferingPerSource: 4)
    // The reader iterates but takes nothing.
    let iterator = frames.makeAsyncIterator()
    let report = try session.run()
    withExtendedLifetime(iterator) {}
    #expect(report.outcome == .stopped)
    #expect(frames.droppedFrames > 0)
  }

  /// A live session never waits.
  @Test func whatALiveSessionDropsIsCountedAndTold() async throws {
    let session = try session(Noise.integers(4_800), isLive: true)
    let frames = try session.frames(at: .record, bufferingPerSource: 3)
    _ = try await session.run()
    var all: [AudioFrameCopy<Float>] = []
    for await frame in frames { all.append(frame) }
    #expect(all.map(\.samplePosition) == [0, 480, 960])
    #expect(frames.droppedFrames == 7)
    #expect(frames.registration.statistics[.record]?.calls == 10)
  }

  /// A source that gives much takes no room from another.
  @Test func everySourceHasRoomOfItsOwn() async throws {
    let session = Session()
    for id: SourceID in ["anna", "ben"] {
      try session.addRemote(
        GivenSource(Noise.integers(4_800), isLive: true, pieces: [480]), id: id)
    }
    let frames = try session.frames(at: .beforeMixing, bufferingPerSource: 3)
    _ = try await session.run()
    var positions: [SourceKey?: [Int64]] = [:]
    for await frame in frames { positions[frame.key, default: []].append(frame.samplePosition) }
    #expect(positions == ["anna": [0, 480, 960], "ben": [0, 480, 960]])
    #expect(frames.droppedFrames == 14)
  }

  /// The next frame that fits states the number of dropped ones.
  @Test func theNextFrameTellsOfThoseBeforeIt() async throws {
    let session = try session(Noise.integers(4_800), isLive: true)
    let frames = try session.frames(at: .record, bufferingPerSource: 2)
    let taken = Box<[AudioFrameCopy<Float>]>([])
    let calls = Box(0)
    // Takes one frame after the sixth.
    try session.observe(at: .record) { _ in
      calls.value += 1
      guard calls.value == 6 else { return }
      let isDone = DispatchSemaphore(value: 0)
      Task {
        var iterator = frames.makeAsyncIterator()
        if let frame = await iterator.next() { taken.value.append(frame) }
        isDone.signal()
      }
      isDone.wait()
    }
    _ = try await session.run()
    for await frame in frames { taken.value.append(frame) }
    #expect(taken.value.map(\.samplePosition) == [0, 480, 2_880])
    #expect(taken.value.map(\.droppedFrames) == [0, 0, 4])
    #expect(frames.droppedFrames == 7)
  }

  @Test func cancellingTheTaskUnregisters() async throws {
    let session = Session()
    let microphone = PushSource(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1))
    try session.setLocal(microphone)
    let frames = try session.frames(at: .record)
    let (sender, control) = (microphone.sender, session.control)
    let running = Task { try await session.run() }
    let (heard, hearing) = AsyncStream.makeStream(of: Int64.self)
    let listening = Task {
      for await frame in frames { hearing.yield(frame.samplePosition) }
      hearing.finish()
    }
    let sending = OtherThread.run {
      _ = sender.waitForStart()
      _ = try? sender.sendWaiting([Float](repeating: 0.5, count: 480))
    }
    for await _ in heard {
      listening.cancel()
    }
    await listening.value
    // The session goes on, and the observer is not called.
    sending.wait()
    _ = try sender.sendWaiting([Float](repeating: 0.5, count: 960))
    control.requestStop(.finish)
    let report = try await running.value
    #expect(report.sources[0].samplesPerChannel == 1_440)
    #expect(frames.registration.statistics[.record]?.calls == 1)
  }

  /// An actor without access to the session joins it during the run: its first frame is the next one.
  @MainActor @Test func anActorMayJoinARunningSession() async throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let microphone = PushSource(format: format)
    let sender = microphone.sender
    let session = try Session(local: microphone)
    let (live, control) = (session.live, session.control)
    let running = Task { @concurrent in try await session.run() }
    let hasJoined = DispatchSemaphore(value: 0)
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    // Sample n is n / 2^20. It runs before the actor joins, and gives enough for two frames after that.
    let sending = OtherThread.run {
      _ = sender.waitForStart()
      for place in stride(from: 0, to: 48_000, by: 480) {
        if place == 9_600 {
          beginning.finish()
          hasJoined.wait()
        }
        _ = try? sender.sendWaiting((place..<place + 480).map { Float($0) / 0x1p20 })
      }
    }
    for await _ in begun {}
    let frames = try live.frames(at: .record, as: FrameParameters(samplesPerCall: 960))
    let calls = Box(0)
    let registration = try live.observe(at: .record) { _ in calls.value += 1 }
    hasJoined.signal()
    var iterator = frames.makeAsyncIterator()
    let first = try #require(await iterator.next())
    let second = try #require(await iterator.next())
    sending.wait()
    control.requestStop(.finish)
    let report = try await running.value
    #expect(first.samples.count == 960)
    #expect(first.samples[0] == Float(first.samplePosition) / 0x1p20)
    let between = Int64(960 * (1 + second.droppedFrames))
    #expect(second.samplePosition == first.samplePosition + between)
    #expect(second.samples[0] == Float(second.samplePosition) / 0x1p20)
    #expect(report.sources[0].samplesPerChannel > second.samplePosition)
    #expect(registration.statistics[.record]?.calls == calls.value)
    #expect(throws: AudioError.self) { try live.frames(at: .record) }
  }

  /// A sequence without a reader acts as if it had never existed.
  @Test func withoutASequenceThereIsNoObserver() throws {
    let session = try session(Noise.integers(480))
    let registration = try session.frames(at: .record).registration
    _ = try session.run()
    #expect(registration.statistics.isEmpty)
  }

  @Test func aSessionThatNeverRunsEndsItToo() async throws {
    var session: Session? = Session()
    let frames = try #require(try session?.frames(at: .record))
    session = nil
    for await _ in frames { Issue.record("a frame out of nowhere") }
  }

  @Test func aBufferOfNothingIsAnError() {
    #expect(
      errorKind { try Session().frames(at: .record, bufferingPerSource: 0) } == .invalidParameter)
  }
}
