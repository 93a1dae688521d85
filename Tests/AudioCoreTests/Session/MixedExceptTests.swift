// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Each source hears all but itself. ``OpenRoom`` compares such sums in open sessions, with observers and devices.
@Suite struct MixedExceptTests {
  private static let length = 9_600

  private final class Streams: MixedObserver {
    var begun: [ObservedStream] = []
    func begin(_ stream: ObservedStream) throws(AudioError) { begun.append(stream) }
    func mixed(_ frame: inout AudioFrame<Float>) -> Bool { true }
  }

  private func voice(_ number: Int, _ length: Int = length) -> [Double] {
    Noise.integers(length, seed: UInt64(number)).map { $0 / 32 }
  }

  private func talkers(_ count: Int) -> [(key: SourceKey, samples: [Double])] {
    (1...count).map { number in
      (SourceKey(SourceID(ordinal: number)), voice(number, Self.length - 31 * number))
    }
  }

  /// The local source, 16 remote ones of different lengths, and a sink and an observer for each of them.
  @Test func sixteenTalkersHearTheOthers() throws {
    let session = Session()
    let local = voice(100)
    let remote = talkers(16)
    try session.setLocal(try GivenSource(local, encoding: .s24, pieces: [700]))
    for (key, samples) in remote {
      try session.addRemote(try GivenSource(samples, encoding: .s24, pieces: [500]), id: key.id)
    }
    let all = [(key: SourceKey.local, samples: local)] + remote
    var heard: [(SourceKey, CollectingSink, RecordingObserver<Double>)] = []
    for (key, _) in all {
      let (sink, observer) = (
        CollectingSink(precision: .double), RecordingObserver<Double>(.mixed)
      )
      try session.setSink(sink, at: .playbackOf(key))
      try session.register(observer, mixedExcept: key)
      heard.append((key, sink, observer))
    }
    let mixed = try session.collect(.mixed, precision: .double)
    // An edit of the whole sums changes nothing that a source hears.
    try session.observe(at: .playback, as: .readWrite) { $0.samples[0] = 1 }
    let report = try session.run()
    for (key, sink, observer) in heard {
      var expected = [Double](repeating: 0, count: Self.length)
      for (other, samples) in all where other != key { expected.add(samples, at: 0) }
      #expect(firstDifference(sink.samples, expected) == nil)
      #expect(firstDifference(observer.samples(from: nil), expected) == nil)
    }
    #expect(mixed.samples.count == Self.length)
    #expect(
      report.sinks.map(\.place).contains(.playbackOf("16")) && report.sinks.count == 18)
  }

  /// The sum needs no mixed sink, no local source, and no other source.
  @Test func oneSourceHearsNothing() throws {
    let session = Session()
    session.end = .onRequest
    let time = VirtualTime()
    session.time = time
    session.mixSampleRate = 48_000
    session.mixChannelCount = 1
    session.duration = .time(.milliseconds(100))
    try session.addRemote(try VirtualLiveSource(voice(1), time), id: "anna")
    let sink = try session.collect(.playbackOf("anna"), precision: .double)
    let observer = Streams()
    try session.register(observer, mixedExcept: "anna")
    _ = try session.run()
    #expect(sink.samples == [Double](repeating: 0, count: 4_800))
    #expect(observer.begun.map(\.except) == ["anna"])
    #expect(observer.begun.map(\.name) == ["mixed-except-anna"])
  }

  /// An observer that registers late begins with the next sample, and the source that it leaves out comes and goes.
  @Test(arguments: OpenRoom.Local.allCases) func anObserverMayComeLate(_ local: OpenRoom.Local)
    throws
  {
    let room = try OpenRoom(local: local, milliseconds: 3_000)
    try room.hold(.playback, seconds: 0.1)
    let observer = RecordingObserver<Double>(.mixed)
    let streams = Streams()
    room.after(100) { try room.join("ben", .init(samples: voice(2, 100_000))) }
    room.after(300) { try room.join("carl", .init(samples: voice(3, 40_000))) }
    room.after(700) {
      _ = try room.session.register(observer, mixedExcept: "carl")
      _ = try room.session.register(streams, mixedExcept: "zoe")
    }
    room.after(2_000) { try room.join("carl", .init(samples: voice(4, 30_000))) }
    try room.run()
    #expect(room.fault == nil)
    #expect(room.told.left == 3)
    #expect(streams.begun.map(\.except) == ["zoe"])
    let start = Int(try #require(observer.frames.first?.samplePosition))
    #expect((28_000...40_000).contains(start))
    let expected = room.heard(by: "carl", 144_000)[start...]
    #expect(firstDifference(observer.samples(from: nil), Array(expected)) == nil)
  }

  /// A sum without observers goes, and comes back with the next one, of this source or of another.
  @Test func observersMayComeAndGo() throws {
    let room = try OpenRoom(local: .device, milliseconds: 3_000)
    room.after(100) { try room.join("ben", .init(samples: voice(2, 120_000))) }
    room.after(200) { try room.join("carl", .init(samples: voice(3, 90_000))) }
    var visits: [(key: SourceKey, observer: RecordingObserver<Double>)] = []
    for (number, key) in (["ben", "carl", "ben", "zoe", "ben"] as [SourceKey]).enumerated() {
      let observer = RecordingObserver<Double>(.mixed)
      visits.append((key, observer))
      var registration: ObserverRegistration?
      room.after(300 + 500 * number) {
        registration = try room.session.register(observer, mixedExcept: key)
      }
      // The last one stays to the end; the others leave before the next one or in its time.
      if number < 4 { room.after(650 + 500 * number) { registration?.unregister() } }
    }
    try room.run()
    #expect(room.fault == nil)
    for (key, observer) in visits {
      let start = Int(try #require(observer.frames.first?.samplePosition))
      let samples = observer.samples(from: nil)
      #expect(samples.count > 10_000)
      let expected = room.heard(by: key, 144_000)[start...].prefix(samples.count)
      #expect(firstDifference(samples, Array(expected)) == nil, "\(key) from \(start)")
    }
  }

  @Test func anEditIsAnError() throws {
    let session = Session()
    try session.addRemote(try GivenSource(voice(1), encoding: .s24), id: "anna")
    try session.register(
      RecordingObserver<Double>(.mixed, FrameParameters(mode: .readWrite)), mixedExcept: "anna")
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(
      error?.description == "cannot edit 'mixed except anna': that stream goes nowhere else; "
        + "edit its sources before mixing, or ask for the mode read-only")
  }

  @Test func aMissingSourceIsAnError() throws {
    for isSink in [true, false] {
      let session = Session()
      try session.addRemote(try GivenSource(voice(1), encoding: .s24), id: "anna")
      if isSink {
        _ = try session.collect(.playbackOf("zoe"))
      } else {
        try session.register(RecordingObserver<Double>(.mixed), mixedExcept: "zoe")
      }
      let error = #expect(throws: AudioError.self) { try session.run() }
      #expect(
        error?.description
          == (isSink
            ? "cannot run the session: there is no source 'zoe' whose playback its sink could take"
            : "cannot observe source 'zoe': there is no such source; add it first, or let the session be open")
      )
    }
  }

  @Test func anObserverElsewhereIsAnError() throws {
    let session = Session()
    try session.addRemote(try GivenSource(voice(1), encoding: .s24), id: "anna")
    try session.register(RecordingObserver<Double>(.playback), mixedExcept: "anna")
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(
      error?.description
        == "cannot observe 'mixed except anna': the observer does not observe mixed")
  }

  /// A second registration of an observer replaces the first.
  @Test func anObserverMayMove() throws {
    let session = Session()
    let voices = talkers(2)
    for (key, samples) in voices {
      try session.addRemote(try GivenSource(samples, encoding: .s24), id: key.id)
    }
    let observer = RecordingObserver<Double>(.mixed)
    try session.register(observer)
    try session.register(observer, mixedExcept: "2")
    _ = try session.run()
    #expect(
      firstDifference(
        Array(observer.samples(from: nil).prefix(100)), Array(voices[0].samples.prefix(100))) == nil
    )
  }
}
