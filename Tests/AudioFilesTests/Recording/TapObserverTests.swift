// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioFiles
import Testing

@Suite struct TapObserverTests {
  /// The tap and the publish sink write the same bytes, samples included, in every precision.
  @Test(arguments: [
    (SampleEncoding.s16, 16), (.s24, 24), (.s32, 32), (.f32, 24), (.f64, 53),
  ])
  func isByteForByteWhatTheSinkGets(encoding: SampleEncoding, bits: Int) throws {
    let directory = ScratchDirectory()
    let samples = Noise.integers(3_001 * 2, seed: 3, bits: bits)
    let session = try Session(
      local: GivenSource(samples, channels: 2, encoding: encoding, pieces: [700, 1]))
    let files = try TapFiles(pattern: directory.file("tap-%s.wav"))
    try session.register(
      TapObserver(.record, to: files.sink, on: try BackgroundWriter()))
    try session.setSink(
      SoundFileSink(path: directory.file("out.wav"), format: try FileFormat(.wav, encoding)),
      at: .publish)
    _ = try session.run()
    #expect(directory.names == ["out.wav", "tap-local.wav"])
    #expect(
      try contents(directory.file("tap-local.wav")) == contents(directory.file("out.wav")))
    let recording = try record(SoundFileSource(path: directory.file("tap-local.wav")))
    #expect(recording.description.encoding == encoding)
    #expect(recording.samples == samples)
    #expect(files.clippedSamples == 0)
  }

  @Test func oneFileForEachSourceNamedAfterGroupAndID() throws {
    let directory = ScratchDirectory()
    let session = Session()
    let first = Noise.integers(500, seed: 1)
    let second = Noise.integers(900, seed: 2)
    try session.addRemote(try GivenSource(first, encoding: .s16), id: SourceID("anna"))
    try session.addRemote(
      try GivenSource(second, encoding: .s16), id: SourceID("ben"), group: SourceID("room"))
    try session.setSink(NullSink(), at: .playback)
    let files = try TapFiles(pattern: directory.file("100%%-%s.wav"))
    try session.register(
      TapObserver(
        [.beforeMixing, .playback], to: files.sink, on: try BackgroundWriter()))
    _ = try session.run()
    #expect(
      directory.names == ["100%-anna.wav", "100%-playback.wav", "100%-room-ben.wav"])
    // Without padding to the length of the other.
    #expect(
      try record(SoundFileSource(path: directory.file("100%-anna.wav"))).samples == first)
    #expect(
      try record(SoundFileSource(path: directory.file("100%-room-ben.wav"))).samples == second)
  }

  @Test func severalStreamsInOneFileAreRefused() throws {
    let directory = ScratchDirectory()
    let session = Session()
    try session.addRemote(try GivenSource([0, 0]))
    try session.addRemote(try GivenSource([0, 0]))
    try session.setSink(NullSink(), at: .playback)
    let files = try TapFiles(pattern: directory.file("tap.wav"), overwrite: true)
    try session.register(
      TapObserver(.beforeMixing, to: files.sink, on: try BackgroundWriter()))
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.kind == .invalidParameter)
    #expect(error?.advice == "put {source}, the source's id, into the name")
    #expect(directory.names.isEmpty)
  }

  @Test(arguments: [
    "tap-%d.wav":
      "'%d' is the day of the month, and all parts of a day would have the same name",
    "tap-%": "'%' means nothing", "tap-{stem}.wav": "'{stem}' is no field",
  ])
  func anythingElseIsAnError(pattern: String, reason: String) {
    let error = #expect(throws: AudioError.self) { try TapFiles(pattern: pattern, container: .wav) }
    #expect(error?.reason == reason)
  }

  @Test func fieldsNumbersAndTimes() throws {
    let files = try TapFiles(
      pattern: "{{%%}}/{source}-%s_%F-%02d.wav", in: .utc, time: { 86_400 })
    #expect(
      files.path(forStreamNamed: "room-a", number: 7) == "{%}/room-a-room-a_1970-01-02-07.wav")
  }

  @Test func anExistingFileNeedsLeaveToBeOverwritten() throws {
    let directory = ScratchDirectory()
    let path = try directory.write([1, 2, 3], "tap.wav")
    for overwrite in [false, true] {
      let session = try Session(local: GivenSource([0.5, 0.25], encoding: .s16))
      try session.setSink(NullSink(), at: .publish)
      let files = try TapFiles(pattern: path, overwrite: overwrite)
      try session.register(
        TapObserver(.record, to: files.sink, on: try BackgroundWriter()))
      if overwrite {
        _ = try session.run()
        #expect(try record(SoundFileSource(path: path)).samples == [0.5, 0.25])
      } else {
        #expect(errorKind { try session.run() } == .alreadyExists)
        #expect(try contents(path) == [1, 2, 3])
      }
    }
  }

  /// Its stream's end is never reported to it, so it completes its file at its release.
  @Test func unregisteredItLeavesACompleteFile() throws {
    let directory = ScratchDirectory()
    let path = directory.file("local.wav")
    let samples = Noise.integers(4_800)
    let session = try Session(local: GivenSource(samples, encoding: .s16, pieces: [480]))
    let box = Box<ObserverRegistration?>(nil)
    let found = Box<[Double]>([])
    var frames = 0
    let other = RecordingObserver<Float>(.record) { _ in
      frames += 1
      guard frames == 4 else { return }
      box.value?.unregister()
      found.value = (try? record(SoundFileSource(path: path)).samples) ?? []
    }
    try session.register(other)
    let files = try TapFiles(pattern: directory.file("%s.wav"))
    box.value = try session.register(
      TapObserver(.record, to: files.sink, on: try BackgroundWriter()))
    _ = try session.run()
    #expect(found.value == Array(samples.prefix(3 * 480)))
    #expect(try record(SoundFileSource(path: path)).samples == found.value)
  }

  @Test func aFullDiskEndsTheSessionWithAnError() throws {
    let session = try Session(local: GivenSource(Noise.integers(100_000), encoding: .s16))
    try session.setSink(NullSink(), at: .publish)
    let files = try TapFiles(pattern: "/dev/full", container: .raw)
    try session.register(
      TapObserver(.record, to: files.sink, on: try BackgroundWriter()))
    let error = #expect(throws: AudioError.self) { try session.run() }
    #expect(error?.kind == .inputOutput)
    #expect(error?.reason == "no space left on device")
  }

  @Test(arguments: [false, true])
  func afterAFailureOnlyALiveRecordingKeepsWhatItHas(isLive: Bool) throws {
    let directory = ScratchDirectory()
    let samples = Noise.integers(960)
    let source = try GivenSource(samples, encoding: .s16, isLive: isLive, pieces: [960])
    source.failingRead = (960, .diskFull)
    let session = try Session(local: source)
    try session.setSink(NullSink(), at: .publish)
    let files = try TapFiles(pattern: directory.file("%s.wav"))
    try session.register(
      TapObserver(.record, to: files.sink, on: try BackgroundWriter()))
    #expect(throws: AudioError.diskFull) { try session.run() }
    #expect(directory.names == (isLive ? ["local.wav"] : []))
  }

  /// A source that leaves a live session may complete its file slowly: the others do not wait.
  @Test func aStreamThatEndsHoldsUpNobody() throws {
    let (first, second) = (Noise.integers(480, seed: 1), Noise.integers(4_800, seed: 2))
    let session = Session()
    try session.addRemote(try GivenSource(first, isLive: true))
    try session.addRemote(try GivenSource(second, isLive: true, pieces: [480]))
    let (gated, collecting) = (GatedSink(), CollectingSink())
    let tap = TapObserver(
      .beforeMixing,
      to: { (stream) throws(AudioError) -> any AudioSink in
        if stream.name == "1" { gated } else { collecting }
      },
      on: try BackgroundWriter())
    try session.register(tap)
    var frames = 0
    var stopsByThen: [StopReason]?
    try session.observe(at: .beforeMixing, from: "2") { _ in
      frames += 1
      guard frames == 10 else { return }
      stopsByThen = gated.stops
      gated.open()
    }
    _ = try session.run()
    #expect(stopsByThen == [])
    #expect(gated.samples == first)
    #expect(gated.stops == [.finished])
    #expect(gated.disposals == 1)
    #expect(collecting.samples == second)
    #expect(tap.droppedSamplesPerChannel == 0)
  }

  @Test func aLiveSessionDropsWhatTheTapDoesNotTake() throws {
    final class Opener: RecordObserver {
      let sink: GatedSink
      init(_ sink: GatedSink) { self.sink = sink }
      func record(_ frame: inout AudioFrame<Float>) -> Bool { true }
      func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) { sink.open() }
    }
    let samples = Noise.integers(24_000)
    let gated = GatedSink()
    let session = try Session(local: GivenSource(samples, rate: 8_000, isLive: true))
    // Opens the gate at the end of its own stream, which comes before the end of the tap's.
    try session.register(Opener(gated))
    let tap = TapObserver(
      .record, to: { (_) throws(AudioError) in gated }, on: try BackgroundWriter())
    try session.register(tap)
    let sink = try session.run(collecting: .publish)
    #expect(sink.samples == samples)
    #expect(tap.droppedSamplesPerChannel == 8_000)
    #expect(gated.samples == Array(samples[..<16_000]))
    #expect(gated.disposals == 1)
  }
}
