// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Observers that are refreshed or registered again.
@Suite struct RefreshTests {
  /// Changes its shape, mode or position on request.
  private final class Changing: RecordObserver, PlaybackObserver {
    var positions: ObservationPositions
    var asked: FrameParameters
    private(set) var frames: [AudioFrameCopy<Double>] = []
    private(set) var visited: [ObservationPosition] = []
    private(set) var begins: [Int] = []
    private(set) var ends: [StopReason] = []

    init(_ positions: ObservationPositions, _ asked: FrameParameters) {
      self.positions = positions
      self.asked = asked
    }

    func parameters(at position: ObservationPosition) -> FrameParameters { asked }
    func begin(_ stream: ObservedStream) throws(AudioError) { begins.append(stream.samplesPerCall) }
    func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
      ends.append(reason)
    }

    func record(_ frame: inout AudioFrame<Double>) -> Bool { take(&frame, .record) }
    func playback(_ frame: inout AudioFrame<Double>) -> Bool { take(&frame, .playback) }

    private func take(_ frame: inout AudioFrame<Double>, _ position: ObservationPosition) -> Bool {
      frames.append(frame.copy())
      visited.append(position)
      for index in frame.samples.indices { frame.samples[index] /= 2 }
      return true
    }
  }

  private let samples = Noise.integers(200_000).map { $0 / 4 }

  /// Runs a session with a local and a remote source, and calls `change` once after half of the samples.
  ///
  /// - Returns: the samples of publish.
  private func run(
    _ observer: Changing, isRegisteredLate: Bool = false,
    _ change: @escaping (Session, ObserverRegistration) throws -> Void
  ) throws -> [Double] {
    let session = try Session(local: GivenSource(samples, pieces: [1_000]))
    try session.addRemote(try GivenSource(samples, pieces: [1_000]))
    let sink = try session.collect(.publish, precision: .double)
    try session.setSink(NullSink(), at: .playback)
    var registration: ObserverRegistration?
    if !isRegisteredLate { registration = try session.register(observer) }
    session.onStart = { [unowned session] _ in
      if isRegisteredLate { registration = try? session.register(observer) }
    }
    var hasChanged = false
    session.onProgress = { [unowned session] progress in
      guard !hasChanged, progress.samplesPerChannel >= 100_000, let registration else { return }
      hasChanged = true
      do { try change(session, registration) } catch { Issue.record(error) }
    }
    _ = try session.run()
    session.onProgress = nil
    session.onStart = nil
    #expect(hasChanged)
    return sink.samples
  }

  /// No sample is lost or comes twice at the change of shape, and the output stays the same.
  @Test(arguments: [false, true]) func framesGetAnotherSize(isRegisteredLate: Bool) throws {
    let observer = Changing(.record, FrameParameters(samplesPerCall: 700))
    let published = try run(observer, isRegisteredLate: isRegisteredLate) { _, registration in
      observer.asked = FrameParameters(samplesPerCall: 960)
      registration.refresh()
    }
    #expect(observer.frames.flatMap(\.samples) == samples)
    var position: Int64 = 0
    for frame in observer.frames {
      #expect(frame.samplePosition == position)
      position += Int64(frame.samplesPerChannel)
    }
    let sizes = observer.frames.filter { !$0.isPartial }.map(\.samplesPerChannel)
    let change = try #require(sizes.firstIndex(of: 960))
    #expect(sizes[..<change].allSatisfy { $0 == 700 })
    #expect(sizes[change...].allSatisfy { $0 == 960 })
    #expect((99_000...140_000).contains(change * 700))
    #expect(observer.frames.filter(\.isPartial).count <= 2)
    #expect(observer.begins == [700, 960])
    #expect(observer.ends == [.finished, .finished])
    #expect(published == samples)
  }

  /// Its edit goes on from the first frame after the refresh.
  @Test func oneThatLookedEdits() throws {
    let observer = Changing(.record, FrameParameters())
    let published = try run(observer) { _, registration in
      observer.asked = .readWrite
      registration.refresh()
    }
    let first = try #require(samples.indices.first { published[$0] != samples[$0] })
    #expect(first >= 99_000)
    #expect(Array(published[..<first]) == Array(samples[..<first]))
    // A sample of 0 is 0 in either case.
    #expect(published == samples.indices.map { samples[$0] / ($0 < first ? 1 : 2) })
  }

  /// The stream keeps the format of an earlier edit after the observer's refresh.
  @Test(arguments: [ObserverMode.readOnly, .readWrite])
  func theStreamBehindItKeepsItsFormat(mode: ObserverMode) throws {
    let observer = Changing(.record, FrameParameters(channelCount: 2, mode: .readWrite))
    let published = try run(observer) { _, registration in
      observer.asked = FrameParameters(channelCount: 1, mode: mode)
      registration.refresh()
    }
    #expect(published.count == samples.count * 2)
    let left = stride(from: 0, to: published.count, by: 2).map { published[$0] }
    #expect(left == stride(from: 1, to: published.count, by: 2).map { published[$0] })
    let change = left.indices.first { left[$0] != samples[$0] / 2 } ?? samples.count
    let rest = mode == .readOnly ? 1.0 : 2.0
    #expect(left == samples.indices.map { samples[$0] / ($0 < change ? 2 : rest) })
    #expect(mode == .readWrite || (99_000...140_000).contains(change))
  }

  /// It leaves its earlier position.
  @Test func itGoesToAnotherPosition() throws {
    let observer = Changing(.record, FrameParameters())
    _ = try run(observer) { _, registration in
      observer.positions = .playback
      registration.refresh()
    }
    let change = try #require(observer.visited.firstIndex(of: .playback))
    #expect(observer.visited[change...].allSatisfy { $0 == .playback })
    let recorded = observer.frames[..<change].flatMap(\.samples)
    #expect(recorded == Array(samples.prefix(recorded.count)))
    let begin = Int(observer.frames[change].samplePosition)
    #expect(observer.frames[change...].flatMap(\.samples) == Array(samples[begin...]))
  }

  /// An illegal shape or a position without a stream changes nothing.
  @Test(arguments: [
    (ObservationPositions.record, FrameParameters(samplesPerCall: 7)),
    (.beforeMixing, FrameParameters()), (.mixed, FrameParameters()),
  ]) func whatIsIllegalChangesNothing(
    positions: ObservationPositions, parameters: FrameParameters
  ) throws {
    let observer = Changing(.record, FrameParameters(samplesPerCall: 700))
    var handle: ObserverRegistration?
    _ = try run(observer) { _, registration in
      observer.positions = positions
      observer.asked = parameters
      registration.refresh()
      handle = registration
    }
    #expect(observer.frames.flatMap(\.samples) == samples)
    #expect(observer.begins == [700])
    #expect(handle?.rejection?.kind == .invalidParameter)
  }

  /// Nothing changes without a refresh, or after a refresh with equal answers.
  @Test(arguments: [false, true]) func nothingChangesByItself(isAsked: Bool) throws {
    let observer = Changing(.record, FrameParameters(samplesPerCall: 700))
    _ = try run(observer) { _, registration in
      if isAsked { registration.refresh() } else { observer.asked = FrameParameters() }
    }
    #expect(observer.begins == [700])
    #expect(observer.frames.flatMap(\.samples) == samples)
  }

  @Test func beforeAndBehindTheRunItDoesNothing() throws {
    let session = try Session(local: GivenSource([0.5]))
    let observer = Changing(.record, FrameParameters())
    let registration = try session.register(observer)
    registration.refresh()
    _ = try session.run()
    registration.refresh()
    #expect(observer.frames.count == 1)
    #expect(registration.rejection == nil)
  }

  // MARK: Registered again

  /// An observer that is registered twice edits once.
  @Test func theSecondRegistrationReplacesTheFirst() throws {
    let observer = Changing(.record, .readWrite)
    let session = try Session(local: GivenSource(samples))
    let sink = try session.collect(.publish, precision: .double)
    let registration = try session.register(observer)
    #expect(try session.register(observer) === registration)
    #expect(try session.register(observer, from: .local) === registration)
    _ = try session.run()
    #expect(sink.samples == samples.map { $0 / 2 })
    #expect(registration.statistics[.record]?.calls == observer.frames.count)
  }

  @Test func twoObjectsAreCalledTwice() throws {
    let session = try Session(local: GivenSource(samples))
    let sink = try session.collect(.publish, precision: .double)
    for _ in 0..<2 { try session.register(Changing(.record, .readWrite)) }
    _ = try session.run()
    #expect(sink.samples == samples.map { $0 / 4 })
  }

  /// An observer registered for two sources is called once for each source.
  @Test func twoSourcesAreTwoRegistrations() throws {
    let session = Session()
    for value in [0.5, 0.25, 0.125] { try session.addRemote(try GivenSource([value])) }
    let observer = RecordingObserver<Double>(.beforeMixing)
    let first = try session.register(observer, from: "1")
    let second = try session.register(observer, from: "3")
    #expect(first !== second)
    try session.setSink(NullSink(), at: .playback)
    _ = try session.run()
    #expect(observer.frames.map(\.samples) == [[0.5], [0.125]])
  }

  /// The second registration reads the observer's current answers.
  @Test func whileItRunsItIsAskedAgain() throws {
    let observer = Changing(.record, FrameParameters(samplesPerCall: 700))
    _ = try run(observer) { session, registration in
      observer.asked = FrameParameters(samplesPerCall: 960)
      let again = try session.register(observer)
      #expect(again === registration)
    }
    #expect(observer.frames.flatMap(\.samples) == samples)
    #expect(observer.begins == [700, 960])
  }
}
