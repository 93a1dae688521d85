// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct VirtualSpeakerTests {
  private struct Streams: Sendable {
    var mixed: [Float] = []
    var shared: [Float] = []
    var first: [Float] = []
  }

  /// Runs `session` and reads three streams of the speaker in equal steps on another thread.
  private func run(
    _ session: Session, _ speaker: VirtualSpeaker, atStart: @escaping () -> Void = {}
  ) throws -> Streams {
    let readers = [speaker.mixed, speaker.shared, speaker.reader(for: "1")]
    let box = Box(Streams())
    let opened = Opened(session)
    let signal = session.onStart
    session.onStart = { summary in
      atStart()
      signal?(summary)
    }
    defer { session.onStart = nil }
    let thread = OtherThread.run {
      opened.wait()
      var streams = [[Float]](repeating: [], count: 3)
      while !readers.allSatisfy({ $0.isEnded }) {
        guard readers[0].wait(atMost: .milliseconds(20_000)) else { break }
        for (index, reader) in readers.enumerated() {
          streams[index] += (try? reader.readAvailable(atMost: 480)) ?? []
        }
      }
      box.value = Streams(mixed: streams[0], shared: streams[1], first: streams[2])
    }
    _ = try session.run()
    thread.wait()
    return box.value
  }

  /// A remote source and two shared ones of different lengths; one ends on a whole frame.
  @Test(arguments: [100, 48_000])
  func offersEachTheSharedAndTheMix(capacity: Int) throws {
    let remote = Noise.integers(20_000, seed: 1).map { $0 / 4 }
    let music = Noise.integers(9_600, seed: 2).map { $0 / 4 }
    let bell = Noise.integers(12_345, seed: 3).map { $0 / 4 }
    let bellID = SourceID("bell")
    let session = Session()
    try session.addRemote(try GivenSource(remote), entry: MixEntry(gain: 0.5))
    try session.addShared(try GivenSource(music, pieces: [1_000, 3]))
    try session.addShared(try GivenSource(bell, pieces: [7, 700]), id: bellID)
    let speaker = VirtualSpeaker(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1), capacity: capacity)
    try speaker.attach(to: session)
    let streams = try run(session, speaker)
    func at(_ samples: [Double], _ index: Int) -> Double {
      index < samples.count ? samples[index] : 0
    }
    #expect(streams.first == remote.map { Float($0) })
    #expect(streams.shared == remote.indices.map { Float(at(music, $0) + at(bell, $0)) })
    #expect(
      streams.mixed
        == remote.indices.map { Float(remote[$0] / 2 + at(music, $0) + at(bell, $0)) })
    #expect(speaker.sources.map { $0.description } == ["1", "shared", "bell"])
    #expect(speaker.shared.statistics.droppedSamplesPerChannel == 0)
    #expect(speaker.mixed.statistics.droppedSamplesPerChannel == 0)
  }

  /// Two shared sources at once, then one alone: the shared sum lags the mix by at most one frame.
  @Test func theSharedSumKeepsUpWhenASourceEnds() throws {
    let short = Noise.integers(4_800, seed: 1).map { $0 / 4 }
    let long = Noise.integers(48_000, seed: 2).map { $0 / 4 }
    let bell = SourceID("bell")
    let session = Session()
    try session.addShared(try GivenSource(short))
    try session.addShared(try GivenSource(long), id: bell)
    let speaker = VirtualSpeaker(
      format: try StreamFormat(sampleRate: 48_000, channelCount: 1), capacity: 480)
    try speaker.attach(to: session)
    let (mixed, shared, opened) = (speaker.mixed, speaker.shared, Opened(session))
    let box = Box((samples: [Float](), lag: 0))
    let thread = OtherThread.run {
      opened.wait()
      var heard = 0
      while !mixed.isEnded, mixed.wait(atMost: .milliseconds(20_000)) {
        heard += (try? mixed.readAvailable().count) ?? 0
        box.value.samples += (try? shared.readAvailable()) ?? []
        box.value.lag = max(box.value.lag, heard - box.value.samples.count)
      }
      box.value.samples += (try? shared.readAvailable()) ?? []
    }
    _ = try session.run()
    thread.wait()
    #expect(box.value.lag <= 480)
    #expect(
      box.value.samples
        == long.indices.map { Float(long[$0] + ($0 < short.count ? short[$0] : 0)) })
  }

  /// Shared sources keep their places in the session, even if they begin late.
  @Test(arguments: [0, 500, 10_000])
  func theSharedSumStandsInTheSession(offset: Int) throws {
    let first = Noise.integers(3_000, seed: 1).map { $0 / 4 }
    let second = Noise.integers(2_000, seed: 2).map { $0 / 4 }
    let bell = SourceID("bell")
    let session = Session()
    let late = MixEntry(offset: .samples(Int64(offset)))
    try session.addShared(try GivenSource(first, rate: 1_000), entry: late)
    let later = MixEntry(offset: .samples(Int64(offset) + 400))
    try session.addShared(try GivenSource(second, rate: 1_000), id: bell, entry: later)
    let speaker = VirtualSpeaker(
      format: try StreamFormat(sampleRate: 1_000, channelCount: 1), capacity: 100)
    try speaker.attach(to: session)
    let streams = try run(session, speaker)
    var expected = [Float](repeating: 0, count: offset + 3_000)
    for index in first.indices { expected[offset + index] += Float(first[index]) }
    for index in second.indices { expected[offset + 400 + index] += Float(second[index]) }
    #expect(streams.mixed == expected)
    #expect(streams.shared == expected)
    #expect(speaker.shared.statistics.droppedSamplesPerChannel == 0)
  }

  private enum Arrival: CaseIterable {
    case beforeTheSpeaker, behindIt, whileTheSessionRuns
  }

  /// The stream of one source follows its edits, in either order of registration.
  @Test(arguments: Arrival.allCases)
  private func oneWayIsWhatEntersTheSum(_ arrival: Arrival) throws {
    let samples = Noise.integers(5_000, seed: 1).map { $0 / 4 }
    let session = Session()
    try session.addRemote(try GivenSource(samples, pieces: [300]))
    let speaker = VirtualSpeaker(format: try StreamFormat(sampleRate: 48_000, channelCount: 1))
    let halve = { [unowned session] in
      #expect(throws: Never.self) {
        try session.observe(at: .beforeMixing, as: .readWrite) { frame in
          for index in frame.samples.indices { frame.samples[index] /= 2 }
        }
      }
    }
    if arrival == .beforeTheSpeaker { halve() }
    try speaker.attach(to: session)
    if arrival == .behindIt { halve() }
    let streams = try run(session, speaker) { if arrival == .whileTheSessionRuns { halve() } }
    #expect(streams.mixed == samples.map { Float($0 / 2) })
    #expect(streams.first == streams.mixed)
  }

  /// The session's parameters apply to other observers: the readers give the format that they state.
  @Test func theSessionsParametersAreNotItsOwn() throws {
    let samples = Noise.integers(9_600)
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let session = Session()
    try session.addRemote(try GivenSource(samples))
    try session.addShared(try GivenSource(samples))
    try session.setParameters(
      FrameParameters(sampleRate: 16_000, channelCount: 2, mode: .writeOnly, samplesPerCall: 640),
      at: .beforeMixing)
    let speaker = VirtualSpeaker(format: format)
    try speaker.attach(to: session)
    let streams = try run(session, speaker)
    #expect(speaker.shared.format == format)
    #expect(streams.first == samples.map { Float($0) })
    #expect(streams.shared == samples.map { Float($0) })
    #expect(streams.mixed == samples.map { Float($0 * 2) })
  }

  /// Unread samples are dropped and counted, and the mix goes on.
  @Test func aStreamThatNobodyReadsIsCounted() throws {
    let session = Session()
    let samples = Noise.integers(80_000)
    try session.addRemote(try GivenSource(samples, rate: 1_000))
    let speaker = VirtualSpeaker(
      format: try StreamFormat(sampleRate: 1_000, channelCount: 1), capacity: 500)
    let first = speaker.reader(for: "1")
    try speaker.attach(to: session)
    let (mixed, box, opened) = (speaker.mixed, Box([Float]()), Opened(session))
    let thread = OtherThread.run {
      opened.wait()
      box.value = (try? mixed.readToEnd(as: Float.self)) ?? []
    }
    _ = try session.run()
    thread.wait()
    #expect(box.value == samples.map { Float($0) })
    let kept = try first.readAvailable()
    #expect(first.statistics.droppedSamplesPerChannel == Int64(samples.count - kept.count))
    #expect(kept.count > 500 && kept.count < samples.count)
    #expect(kept == samples.prefix(kept.count).map { Float($0) })
  }

  @Test func everyStreamEndsWithTheMix() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0.5]))
    let speaker = VirtualSpeaker(format: try StreamFormat(sampleRate: 48_000, channelCount: 1))
    let first = speaker.reader(for: "1")
    try speaker.attach(to: session)
    _ = try session.run()
    var block: [Float] = [9, 9]
    var span = block.mutableSpan
    let read = try first.read(into: &span)
    #expect(read == PullRead(samplesPerChannel: 1, silence: 1, state: .ended))
    #expect(block == [0.5, 0])
    #expect(try speaker.shared.readAvailable() == [0])
    #expect(speaker.shared.isEnded)
    #expect(try speaker.mixed.readAvailable() == [0.5])
    #expect(speaker.mixed.isEnded)
    // Requested after the end.
    #expect(speaker.reader(for: .shared).isEnded)
  }

  @Test func aPushSourceIsHeardInTheSpeaker() throws {
    let format = try StreamFormat(sampleRate: 16_000, channelCount: 1)
    let microphone = PushSource(format: format)
    let session = Session()
    try session.addRemote(microphone)
    let speaker = VirtualSpeaker(format: format, capacity: 64)
    try speaker.attach(to: session)
    let samples = Noise.integers(5_000).map { Float($0) }
    let sender = microphone.sender
    let sending = OtherThread.run {
      #expect(sender.waitForStart(atMost: .milliseconds(20_000)))
      _ = try? sender.sendWaiting(samples)
      sender.finish()
    }
    let streams = try run(session, speaker)
    sending.wait()
    #expect(streams.mixed == samples)
    #expect(streams.first == samples)
    // The sum of no sources.
    #expect(streams.shared == samples.map { _ in 0 })
  }
}
