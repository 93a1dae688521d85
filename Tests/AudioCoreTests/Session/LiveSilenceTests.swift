import AudioCore
import Testing

@Suite struct LiveSilenceTests {
  /// A device that plays ten samples whenever it is asked how much fits.
  private final class PlayingSink: AudioSink {
    private let capacity = 400
    private var queued = 0
    private var hasStarted = false
    private(set) var samples: [Double] = []
    private(set) var underruns = 0

    var precision: SamplePrecision { .single }
    let pace = Pace.device(StubClock("playing"))

    func initialize(
      proposing proposal: StreamFormat, wakeup: Wakeup
    ) throws(AudioError) -> StreamFormat { proposal }

    func start() throws(AudioError) {}

    var room: Int {
      if hasStarted, queued < 10 { underruns += 1 }
      queued = max(0, queued - 10)
      return capacity - queued
    }

    func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
      for index in samples.indices { self.samples.append(Double(samples[index])) }
      queued += samples.count
      hasStarted = true
      return .accepted
    }

    func stop(_ reason: StopReason) throws(AudioError) {}
    func dispose() {}
  }

  private let samples = (1...5_000).map { Double($0) / 8_192 }

  @Test(arguments: [[100, 0, 0, 0, 0, 0, 0], [40, 0], [1, 0, 0], [300]])
  func standsInForASourceThatHasNothing(pieces: [Int]) throws {
    let session = Session()
    try session.addRemote(try ArraySource(samples, isLive: true, pieces: pieces))
    let sink = PlayingSink()
    try session.setSink(.playback, sink)
    let report = try session.run()
    #expect(sink.samples.filter { $0 != 0 } == samples)
    let zeros = sink.samples.count { $0 == 0 }
    #expect(report.sources.map(\.missingSamplesPerChannel) == [Int64(zeros)])
    #expect((zeros > 0) == (pieces != [300]))
    #expect(sink.underruns == 0)
  }

  @Test func aSilentSourceDoesNotStopTheOthers() throws {
    let session = Session()
    try session.addRemote(try ArraySource([0.5], isLive: true, pieces: [0]))
    try session.addRemote(try ArraySource(samples))
    let sink = PlayingSink()
    try session.setSink(.playback, sink)
    session.onProgress = { [unowned session, unowned sink] _ in
      if sink.samples.count > 4_000 { session.control.requestStop(.finish) }
    }
    let report = try session.run()
    #expect(sink.samples == Array(samples.prefix(sink.samples.count)))
    #expect(report.sources[0].missingSamplesPerChannel >= 4_000)
    #expect(report.sources[1].missingSamplesPerChannel == 0)
  }

  @Test func withoutAClockTheSumWaits() throws {
    let session = Session()
    try session.addRemote(try ArraySource(samples, isLive: true, pieces: [50, 0, 0, 0]))
    try session.addRemote(try ArraySource(samples))
    let sink = CollectingSink()
    try session.setSink(.playback, sink)
    let report = try session.run()
    #expect(sink.samples == samples.map { $0 * 2 })
    #expect(report.sources.map(\.missingSamplesPerChannel) == [0, 0])
  }
}
