// SPDX-License-Identifier: Apache-2.0
/// Writes to another sink on a ``BackgroundWriter``'s thread.
///
/// `initialize` and `start` run on the caller's thread, `write` and `stop` of the other sink on the
/// writer's. What it fails with there is thrown by the next `write`, or by `stop`. The other sink must
/// not be used elsewhere until `stop` has returned. Session thread only.
public final class BackgroundSink: AudioSink {
  /// In bytes.
  private static let largestReserve = 256 << 20
  private let sink: any AudioSink
  private let name: String
  private let writer: BackgroundWriter
  private let overflow: BackgroundOverflow
  private let asked: Int?
  private let reserve: Duration
  private var session = Wakeup()
  private var format: StreamFormat?
  private var feed: BackgroundFeed?
  /// Nil where samples are dropped: nobody knows the times of what is left.
  private let arrivals: Arrivals?
  private var lanePrecision: SamplePrecision?
  private var isStarted = false
  private var isHandedOver = false

  /// - Parameters:
  ///   - sink: one that is not live.
  ///   - name: what errors call it.
  ///   - writer: on whose thread it is written.
  ///   - overflow: what happens where `sink` does not keep up.
  ///   - capacity: how much may wait for the writer, in samples per channel; nil = two seconds where
  ///     samples are dropped, and four of the session's blocks where they are not.
  ///   - reserve: how much is kept in memory besides, where nothing is dropped, before the session waits: for a disk
  ///     that stands still. The memory is taken only then, 256 MiB at most.
  public init(
    _ sink: any AudioSink, named name: String = "sink", on writer: BackgroundWriter,
    overflow: BackgroundOverflow, capacity: Int? = nil, reserve: Duration = .zero
  ) {
    self.reserve = reserve
    self.sink = sink
    self.name = name
    self.writer = writer
    self.overflow = overflow
    arrivals = overflow == .wait ? Arrivals() : nil
    asked = capacity
  }

  public var precision: SamplePrecision { sink.precision }
  public var room: Int { .max }

  /// Samples per channel that were dropped because the other sink did not keep up.
  public var droppedSamplesPerChannel: Int64 { feed?.dropped ?? 0 }

  /// - Throws: what the other sink throws; `unsupported` where that is live, for a device has a thread
  ///   and a ring of its own.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    guard !sink.pace.isLive else {
      throw AudioError(
        .unsupported, cannot: "write in the background", "",
        because: "the sink is live and does so by itself")
    }
    session = wakeup
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    return format
  }

  public func start() throws(AudioError) {
    try sink.start()
    isStarted = true
  }

  /// Hands the samples over. Where the ring is full they are kept in the reserve; where that is full, too, it waits for
  /// room, or drops what does not fit.
  ///
  /// - Throws: what the other sink failed with; `lifeCycle` before `start` and after `stop`, and where
  ///   the type of the samples changes.
  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    let feed = try feed(Sample.self)
    arrivals?.add(samples.count / (format?.channelCount ?? 1), at: .now)
    return try unsafe samples.bytes.withUnsafeBytes {
      (bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus in
      try unsafe feed.push(bytes, isIndivisible: false)
    }
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    guard isStarted else {
      if format != nil { try sink.stop(reason) }
      return
    }
    // A sink that was given nothing is stopped on the same thread as any other.
    let feed = if let feed { feed } else { try feed(Float.self) }
    isStarted = false
    try feed.close(reason)
  }

  /// Asks for what ``stop(_:)`` does, which is still to be called, and waits for nothing.
  package func requestStop(_ reason: StopReason) {
    // A sink that was given nothing has no lane yet, and is stopped at once.
    guard isStarted, let feed else { return }
    feed.requestClose(reason)
  }

  /// Whether ``stop(_:)`` has nothing to wait for.
  package var isClosed: Bool { feed?.lane.isClosed ?? true }

  /// Releases everything, except where the other sink is still inside a write.
  public func dispose() {
    // A failure here cannot be reported any more.
    if isStarted { try? stop(.abandoned) }
    if feed?.lane.isClosed != false { sink.dispose() }
  }

  private func feed<Sample: AudioSample>(_ type: Sample.Type) throws(AudioError) -> BackgroundFeed {
    guard let format, isStarted, lanePrecision ?? Sample.precision == Sample.precision else {
      throw AudioError(
        .lifeCycle, cannot: "write in the background", "",
        because: isStarted ? "the type of the samples has changed" : "the sink is not started")
    }
    if let feed { return feed }
    let standard =
      overflow == .drop
      ? 2 * format.sampleRate : 4 * BlockSize.samplesPerChannel(format)
    let unitSize = MemoryLayout<Sample>.stride * format.channelCount
    let lane = BackgroundLane(
      SinkTarget<Sample>(sink, arrivals, unitSize: unitSize), capacity: max(1, asked ?? standard),
      unitSize: unitSize)
    let kept = Int(TimePosition.time(reserve).samples(at: format.sampleRate))
    let made = BackgroundFeed(
      lane, name, on: writer, overflow, reserve: min(kept * unitSize, Self.largestReserve),
      session: session)
    made.isHandedOver = isHandedOver
    feed = made
    lanePrecision = Sample.precision
    return made
  }
}

extension BackgroundSink: HandedOverSink {
  package func beginHandingOver() {
    isHandedOver = true
    feed?.isHandedOver = true
  }

  package func handOver() { feed?.handOver() }
}

/// A sink behind a lane whose units are sample frames.
final class SinkTarget<Sample: AudioSample>: BackgroundTarget {
  private let sink: any AudioSink
  private let stepping: (any SteppingSink)?
  private let arrivals: Arrivals?
  private let unitSize: Int

  /// - Parameter unitSize: bytes of a sample frame.
  init(_ sink: any AudioSink, _ arrivals: Arrivals?, unitSize: Int) {
    self.sink = sink
    stepping = sink as? any SteppingSink
    self.arrivals = arrivals
    self.unitSize = unitSize
  }

  func ready(_ count: Int) throws(AudioError) -> Int {
    try stepping?.ready(count, as: Sample.self) ?? count
  }

  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    guard let arrivals else { return try unsafe write(bytes) }
    var taken = 0
    while taken < bytes.count {
      let (count, time) = arrivals.take(atMost: (bytes.count - taken) / unitSize)
      let end = taken + count * unitSize
      try sink.receive(.waited(MonotonicTime.now.elapsed(since: time)))
      let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[taken..<end])
      if try unsafe write(piece) == .readerGone { return .readerGone }
      taken = end
    }
    return .accepted
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    let samples = unsafe Span<Sample>(_unsafeElements: bytes.assumingMemoryBound(to: Sample.self))
    return try sink.write(samples)
  }

  func rest() throws(AudioError) { try sink.receive(.idle) }

  func close(_ reason: StopReason) throws(AudioError) { try sink.stop(reason) }
}
