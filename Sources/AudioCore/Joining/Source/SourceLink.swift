internal import Synchronization

/// What the client of a source and the session share: samples as the client wrote them, gaps between them,
/// and counts. The listener's thread writes, the session's reads; neither waits.
final class SourceLink: Sendable {
  let format: StreamFormat
  let layout: SampleLayout
  /// Whole sample frames in `layout`.
  let ring: SampleRing
  /// Gaps between the samples, each added before the samples behind it.
  let gaps = RealTimeQueue<SourceGap>(capacity: 256)
  private let wakeup = AtomicLazyReference<Wakeup>()
  private let hasEnded = Atomic(false)
  private let isDismissed = Atomic(false)
  private let gapCount = Atomic(0)
  private let filled = Atomic<Int64>(0)
  private let late = Atomic<Int64>(0)
  private let given = Atomic<Int64>(0)

  /// How long a client may be ahead of the session.
  static let ringLength = Duration.seconds(4)
  /// And how many bytes: no voice has as many, but 64 channels at 768 kHz would have 1.5 GB.
  static let mostBytes = 1 << 26

  init(_ request: JoinRequest) {
    format = request.format
    layout = request.layout
    let size = layout.bytesPerSample * format.channelCount
    let length = Int(TimePosition.time(Self.ringLength).samples(at: format.sampleRate))
    ring = SampleRing(
      capacity: min(length, Self.mostBytes / size), sampleFrameSize: size, isTouched: false)
  }

  /// Bytes of one sample of every channel.
  var sampleFrameSize: Int { ring.sampleFrameSize }

  /// The client sends no more. Listener's thread, after the last samples.
  func finish() {
    hasEnded.store(true, ordering: .releasing)
    signalSession()
  }

  /// Whether ``finish()`` was called; all samples are visible then.
  var isFinished: Bool { hasEnded.load(ordering: .acquiring) }

  /// The session wants no more. Session thread.
  func dismiss() { isDismissed.store(true, ordering: .releasing) }

  /// Whether the session wants more.
  var isWanted: Bool { !isDismissed.load(ordering: .acquiring) }

  /// Says whom to wake. Session thread, once.
  func open(_ wakeup: Wakeup) { _ = self.wakeup.storeIfNil(wakeup) }

  /// There is something to read. Any thread.
  func signalSession() { wakeup.load()?.signal() }

  /// Listener's thread.
  func count(gap samplesPerChannel: Int64) {
    gapCount.wrappingAdd(1, ordering: .relaxed)
    filled.wrappingAdd(samplesPerChannel, ordering: .relaxed)
  }

  /// Silence of gaps that the session has not read, in samples per channel. Listener's thread.
  var pendingSilence: Int64 {
    filled.load(ordering: .relaxed) - given.load(ordering: .relaxed)
  }

  /// So much silence of a gap was read. Session thread.
  func give(silence samplesPerChannel: Int64) {
    given.wrappingAdd(samplesPerChannel, ordering: .relaxed)
  }

  /// Listener's thread.
  func count(late samplesPerChannel: Int64) {
    late.wrappingAdd(samplesPerChannel, ordering: .relaxed)
  }

  /// What came so far. Any thread.
  var statistics: SourceStatistics {
    SourceStatistics(
      samples: Int64(ring.given()), gaps: gapCount.load(ordering: .relaxed),
      samplesFilled: filled.load(ordering: .relaxed), samplesLate: late.load(ordering: .relaxed))
  }
}

/// Silence before the sample at `position`.
struct SourceGap: BitwiseCopyable {
  /// Samples per channel that were written to the ring before the gap.
  var position: Int
  /// Samples per channel.
  var length: Int64
}

/// What a client sent, in samples per channel at its rate.
struct SourceStatistics: Sendable, Equatable {
  /// That went into the stream.
  var samples: Int64 = 0
  /// How often a packet began after the end of the one before.
  var gaps = 0
  /// The silence that stands there.
  var samplesFilled: Int64 = 0
  /// Dropped, because they began before the end of the packet before.
  var samplesLate: Int64 = 0
}
