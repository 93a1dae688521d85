// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct LiveSilenceTests {
  /// A device that plays ten samples at each request for its room.
  private final class PlayingSink: PlainSink {
    private let capacity = 400
    private var queued = 0
    private var hasStarted = false
    private(set) var samples: [Double] = []
    private(set) var underruns = 0

    var precision: SamplePrecision { .single }
    let pace = Pace.device(StubClock("playing"))

    var room: Int {
      if hasStarted, queued < 10 { underruns += 1 }
      queued = max(0, queued - 10)
      return capacity - queued
    }

    func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
      self.samples.append(samples)
      queued += samples.count
      hasStarted = true
      return .accepted
    }
  }

  private let samples = (1...5_000).map { Double($0) / 8_192 }

  @Test(arguments: [[100, 0, 0, 0, 0, 0, 0], [40, 0], [1, 0, 0], [300]])
  func standsInForASourceThatHasNothing(pieces: [Int]) throws {
    let session = Session()
    try session.addRemote(try GivenSource(samples, isLive: true, pieces: pieces))
    let sink = PlayingSink()
    try session.setSink(sink, at: .playback)
    let report = try session.run()
    #expect(sink.samples.filter { $0 != 0 } == samples)
    let zeros = sink.samples.count { $0 == 0 }
    #expect(report.sources.map(\.missingSamplesPerChannel) == [Int64(zeros)])
    #expect((zeros > 0) == (pieces != [300]))
    #expect(sink.underruns == 0)
  }

  @Test func aSilentSourceDoesNotStopTheOthers() throws {
    let session = Session()
    try session.addRemote(try GivenSource([0.5], isLive: true, pieces: [0]))
    try session.addRemote(try GivenSource(samples))
    let sink = PlayingSink()
    try session.setSink(sink, at: .playback)
    session.onProgress = { [unowned session, unowned sink] _ in
      if sink.samples.count > 4_000 { session.control.requestStop(.finish) }
    }
    let report = try session.run()
    #expect(sink.samples == Array(samples.prefix(sink.samples.count)))
    #expect(report.sources[0].missingSamplesPerChannel >= 4_000)
    #expect(report.sources[1].missingSamplesPerChannel == 0)
  }

  /// Two microphones and a reader in steps of 20 ms; one microphone falls silent for good.
  @Test func aReaderHearsTheOthersWhileOneIsSilent() throws {
    let session = Session()
    let time = VirtualTime()
    session.time = time
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let (anna, ben) = (PushSource(format: format), PushSource(format: format))
    let (first, second) = (SourceID("anna"), SourceID("ben"))
    try session.addRemote(anna, id: first)
    try session.addRemote(ben, id: second)
    let speaker = VirtualSpeaker(format: format)
    try speaker.attach(to: session)
    let voice = Noise.integers(144_000).map { Float($0) / 2 }
    var sent = 0
    var heard: [Float] = []
    time.onWait = {
      guard sent < voice.count else { return }
      let piece = Array(voice[sent..<sent + 960])
      #expect((try? anna.sender.send(piece)) == 960)
      if sent < 24_000 { #expect((try? ben.sender.send(piece)) == 960) }
      sent += 960
      if sent == voice.count {
        anna.sender.finish()
        ben.sender.finish()
      }
      heard += (try? speaker.mixed.readAvailable(atMost: 960)) ?? []
    }
    let report = try session.run()
    time.onWait = {}
    heard += try speaker.mixed.readAvailable()
    #expect(heard.count == voice.count)
    let expected = voice.enumerated().map { $0.offset < 24_000 ? $0.element * 2 : $0.element }
    #expect(firstDifference(heard.map(Double.init), expected.map(Double.init)) == nil)
    let missing = report.sources.map(\.missingSamplesPerChannel)
    // Until the end, less the allowed lateness.
    #expect(missing[0] == 0 && (110_000...120_000).contains(missing[1]))
  }

  /// Time runs from the beginning, even without any samples: a voice after two seconds stays there.
  @Test func silentMicrophonesDoNotStopTime() throws {
    let session = Session()
    let time = VirtualTime()
    session.time = time
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let (anna, ben) = (PushSource(format: format), PushSource(format: format))
    try session.addRemote(anna)
    try session.addRemote(ben)
    let sink = try session.collect(.playback, precision: .double)
    let voice = Noise.integers(960).map { Float($0) / 2 }
    let begin = time.now
    var isDone = false
    time.onWait = {
      guard time.now.elapsed(since: begin) >= .seconds(2), !isDone else { return }
      isDone = true
      #expect((try? anna.sender.send(voice)) == 960)
      anna.sender.finish()
      ben.sender.finish()
    }
    let report = try session.run()
    time.onWait = {}
    // Later by the allowed lateness.
    let start = try #require(sink.samples.firstIndex { $0 != 0 })
    #expect((91_000...98_000).contains(start))
    #expect((88_000...start).contains(Int(report.sources[0].missingSamplesPerChannel)))
    #expect(
      firstDifference(Array(sink.samples[start..<start + 960]), voice.map(Double.init)) == nil)
    #expect(sink.samples[(start + 960)...].allSatisfy { $0 == 0 })
  }

  /// The machine's clock stands still while the sum is not read.
  @Test func nobodyIsMissedWhileTheReaderRests() throws {
    let session = Session()
    let time = VirtualTime()
    session.time = time
    let source = try VirtualLiveSource(samples, rate: 1_000, time)
    try session.addRemote(source)
    let sink = PullSink(options: .init(capacity: 500))
    try session.setSink(sink, at: .playback)
    var heard: [Float] = []
    var rounds = 0
    time.onWait = {
      rounds += 1
      // No read for two seconds, then all available samples.
      if !(100..<200).contains(rounds) { heard += (try? sink.reader.readAvailable()) ?? [] }
    }
    let report = try session.run()
    time.onWait = {}
    heard += try sink.reader.readAvailable()
    #expect(firstDifference(heard.map(Double.init), samples) == nil)
    #expect(report.sources.map(\.missingSamplesPerChannel) == [0])
  }
}
