// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// What the client of a source and the session share: samples as the client wrote them, gaps between them,
/// and counts. The listener's thread writes, the session's reads; neither waits.
final class SourceLink: Sendable {
  let format: StreamFormat
  let layout: SampleLayout
  /// Whole sample frames in `layout`.
  let ring: SampleRing
  /// Where the samples stand, wherever they do not simply follow; each added before the samples behind it.
  let marks = RealTimeQueue<SourceMark>(capacity: 256)
  /// By how much samples may come late.
  let latency: Duration
  /// The client's grant. It is held as long as the session has its samples.
  private let share: SampleShare?
  private let wakeup = AtomicLazyReference<Wakeup>()
  private let hasEnded = Atomic(false)
  private let isDismissed = Atomic(false)
  private let gapCount = Atomic(0)
  private let filled = Atomic<Int64>(0)
  private let late = Atomic<Int64>(0)
  private let jumped = Atomic<Int64>(0)
  private let passed = Atomic<Int64>(0)

  /// How long a client may be ahead of the session.
  static let ringLength = Duration.seconds(4)
  /// And how many bytes: no voice has as many, but 16 channels at 192 kHz in f64 would have 94 MiB.
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

  /// The client jumps ahead by so many samples per channel. Listener's thread.
  func jump(_ samplesPerChannel: Int64) {
    jumped.wrappingAdd(samplesPerChannel, ordering: .relaxed)
  }

  /// The session has come over so much of a jump. Session thread.
  func passJump(_ samplesPerChannel: Int64) {
    passed.wrappingAdd(samplesPerChannel, ordering: .relaxed)
  }

  /// Jumps that the session has not come over, in samples per channel. Listener's thread.
  var pendingJump: Int64 { jumped.load(ordering: .relaxed) - passed.load(ordering: .relaxed) }

  /// Any thread.
  func count(gap samplesPerChannel: Int64) {
    gapCount.wrappingAdd(1, ordering: .relaxed)
    filled.wrappingAdd(samplesPerChannel, ordering: .relaxed)
  }

  /// Any thread.
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

/// Where the sample at `index` stands, and those behind it.
struct SourceMark: BitwiseCopyable {
  /// Samples per channel that were written to the ring before it.
  var index: Int
  /// As the client counts, from its first sample; nil = right behind the samples before, and behind the
  /// silence that may have stood in since.
  var position: Int64?
  /// How far that is behind the samples before; 0 for none.
  var jump: Int64
}

/// What a client sent, in samples per channel at its rate.
struct SourceStatistics: Sendable, Equatable {
  /// That came and were not dropped at once.
  var samples: Int64 = 0
  /// How often a packet began after the end of the one before.
  var gaps = 0
  /// The silence that stands there; less where the session had put silence there before.
  var samplesFilled: Int64 = 0
  /// Dropped: they began before the end of the packet before, or came when silence stood in their place.
  var samplesLate: Int64 = 0
}
