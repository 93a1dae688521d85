// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The data that a source's client and the session share: samples as the client wrote them, gaps and counts. The
/// listener's thread writes, the session's thread reads; neither waits.
final class SourceLink: Sendable {
  let format: StreamFormat
  let layout: SampleLayout
  /// Whole sample frames in `layout`.
  let ring: SampleRing
  /// The positions of samples that do not follow the sample before; each added before the samples behind it.
  let marks = RealTimeQueue<SourceMark>(capacity: 256)
  /// The time by which samples may be late.
  let latency: Duration
  /// The client's grant, held as long as the session has its samples.
  private let share: SampleShare?
  private let wakeup = AtomicLazyReference<Wakeup>()
  private let hasEnded = Atomic(false)
  private let isDismissed = Atomic(false)
  private let isDone = Atomic(false)
  private let cleared = Atomic(0)
  private let gaps = RunningCount()
  private let filled = RunningCount()
  /// The dropped samples per channel.
  let late = RunningCount()
  /// The jumps of the client, added by the listener's thread, and those passed by the session, added by its thread; in
  /// samples per channel.
  let jumped = RunningCount()
  let passed = RunningCount()

  /// The most time that a client may be ahead of the session.
  static let ringLength = Duration.seconds(4)
  /// The most bytes in the ring: 4 s of 16 channels at 192 kHz in f64 would have 94 MiB.
  static let mostBytes = 1 << 26

  init(_ request: JoinRequest, _ share: SampleShare? = nil) {
    self.share = share
    format = request.format
    layout = request.layout
    latency = .milliseconds(request.latency)
    let size = layout.bytesPerSample * format.channelCount
    let length = Int(TimePosition.time(Self.ringLength).samples(at: format.sampleRate))
    ring = SampleRing(
      capacity: min(length, Self.mostBytes / size), sampleFrameSize: size, isTouched: false)
  }

  /// Bytes of one sample of every channel.
  var sampleFrameSize: Int { ring.sampleFrameSize }

  /// Marks the end of the client's samples. Listener's thread, after the last samples.
  func finish() {
    hasEnded.store(true, ordering: .releasing)
    signalSession()
  }

  /// Whether ``finish()`` was called; all samples are visible then.
  var isFinished: Bool { hasEnded.load(ordering: .acquiring) }

  /// Ends the session's interest in the samples. Session thread.
  ///
  /// - Parameter isOver: whether the stream is over, too: all of its samples are in the sum.
  /// - Returns: whether this is new.
  func dismiss(isOver: Bool) -> Bool {
    let wasWanted = !isDismissed.exchange(true, ordering: .acquiringAndReleasing)
    return isOver ? !isDone.exchange(true, ordering: .acquiringAndReleasing) : wasWanted
  }

  /// Whether the session wants more samples.
  var isWanted: Bool { !isDismissed.load(ordering: .acquiring) }

  /// Whether the stream is over.
  var isOver: Bool { isDone.load(ordering: .acquiring) }

  /// Whether the session has taken the source.
  var hasJoined: Bool { wakeup.load() != nil }

  /// Drops the samples in the ring. Listener's thread; the session does it with its next look.
  func clear() {
    cleared.store(ring.given(), ordering: .releasing)
    signalSession()
  }

  /// Samples in front of this index are dropped. Session thread.
  var clearedIndex: Int { cleared.load(ordering: .acquiring) }

  /// Sets the session's wake-up. Session thread, once.
  func open(_ wakeup: Wakeup) { _ = self.wakeup.storeIfNil(wakeup) }

  /// Tells the session that there is something to read. Any thread.
  func signalSession() { wakeup.load()?.signal() }

  /// The jumps that the session has not passed, in samples per channel. Listener's thread.
  var pendingJump: Int64 { jumped.total - passed.total }

  /// Any thread.
  func count(gap samplesPerChannel: Int64) {
    gaps.add(1)
    filled.add(samplesPerChannel)
  }

  /// The counts so far. Any thread.
  var statistics: SourceStatistics {
    SourceStatistics(
      samples: Int64(ring.given()), gaps: Int(gaps.total), filledSamplesPerChannel: filled.total,
      lateSamplesPerChannel: late.total)
  }
}

/// The position of the sample at `index`.
struct SourceMark: BitwiseCopyable {
  /// Samples per channel in the ring before it.
  var index: Int
  /// In the client's count, from its first sample; nil means right behind the samples before, and behind the silence
  /// that stood in meanwhile.
  var position: Int64?
  /// The distance behind the samples before; 0 if there is none.
  var jump: Int64
}

/// The counts of a client's samples, per channel at its rate.
struct SourceStatistics: Sendable, Equatable {
  /// The samples that arrived and were not dropped at once.
  var samples: Int64 = 0
  /// The number of packets that began after the end of the one before.
  var gaps = 0
  /// The silence in these gaps, without the silence that the session had put there before.
  var filledSamplesPerChannel: Int64 = 0
  /// The dropped samples: they began before the end of the packet before, or arrived after silence had replaced them.
  var lateSamplesPerChannel: Int64 = 0
}
