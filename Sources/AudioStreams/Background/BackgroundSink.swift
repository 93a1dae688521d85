// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Writes to another sink on a ``BackgroundWriter``'s thread.
///
/// `initialize` and `start` run on the caller's thread, `write` and `stop` of the other sink on the writer's. The next
/// `write`, or `stop`, throws an error of the other sink. The other sink must not be used elsewhere until `stop` has
/// returned. Session thread only.
///
/// If the other sink blocks in `write`, a session that is asked to abandon waits a second for it, then ends and leaves the
/// writer's thread in that call; the other sink is not disposed of. A session that finishes waits as long as the other sink
/// does, but with ``BackgroundOverflow/drop`` eleven seconds at most.
public final class BackgroundSink: HandoverSink, ComposedSink {
  /// The upper limit of the reserve, in bytes.
  private static let largestReserve = 256 << 20
  private let sink: any AudioSink
  package var behind: any AudioSink { sink }
  private let name: String
  private let writer: BackgroundWriter
  private let overflow: BackgroundOverflow
  private let asked: Int?
  private let reserve: Duration
  private var session = Wakeup()
  private var format: StreamFormat?
  private var feed: BackgroundFeed?
  /// Nil if samples are dropped: the arrival times of the remaining ones are unknown.
  private let arrivals: Arrivals?
  private var lanePrecision: SamplePrecision?
  private var isStarted = false
  private var isHandedOver = false

  /// - Parameters:
  ///   - sink: the other sink, which must not be live.
  ///   - name: the sink's name in errors.
  ///   - writer: its thread writes to `sink`.
  ///   - overflow: the behaviour if `sink` does not keep up.
  ///   - capacity: how much may wait for the writer, in samples per channel; nil = two seconds if samples are dropped,
  ///     otherwise four of the session's blocks.
  ///   - reserve: how much more is kept in memory for a stalled disk before the session waits, if nothing is dropped.
  ///     The memory is allocated only then, 256 MiB at most.
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

  /// - Throws: the error of the other sink; `unsupported` if that is live, for a device has its own thread and ring.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    guard !sink.pace.isLive else {
      throw AudioError(
        .unsupported, cannot: "write in the background to", name,
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

  /// Hands the samples over. If the ring is full, they go to the reserve. If that is full, too, it waits for room, or
  /// drops the samples that do not fit.
  ///
  /// - Throws: the error of the other sink; `lifeCycle` before `start` and after `stop`, and if the type of the samples
  ///   changes.
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
    // A sink that got no samples is stopped on the writer thread, too.
    let feed = if let feed { feed } else { try feed(Float.self) }
    isStarted = false
    try feed.close(reason)
  }

  package func beginHandingOver() {
    isHandedOver = true
    feed?.isHandedOver = true
  }

  package func handOver() { feed?.handOver() }

  /// Asks the writer to stop the other sink, without waiting. ``stop(_:)`` is still to be called.
  package func requestStop(_ reason: StopReason) {
    // A sink that got no samples has no lane yet: ``stop(_:)`` stops it.
    guard isStarted, let feed else { return }
    feed.requestClose(reason)
  }

  /// Whether ``stop(_:)`` returns without waiting.
  package var isClosed: Bool { feed?.lane.isClosed ?? true }

  /// Releases everything, unless the other sink is still inside a write.
  public func dispose() {
    // An error here cannot be reported any more.
    if isStarted { try? stop(.abandoned) }
    if feed?.lane.isClosed != false { sink.dispose() }
  }

  private func feed<Sample: AudioSample>(_ type: Sample.Type) throws(AudioError) -> BackgroundFeed {
    guard let format, isStarted, lanePrecision ?? Sample.precision == Sample.precision else {
      throw AudioError(
        .lifeCycle, cannot: "write in the background to", name,
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

/// A sink behind a lane whose units are sample frames.
final class SinkTarget<Sample: AudioSample>: BackgroundTarget {
  private let sink: any AudioSink
  private let arrivals: Arrivals?
  private let unitSize: Int

  /// - Parameter unitSize: bytes of a sample frame.
  init(_ sink: any AudioSink, _ arrivals: Arrivals?, unitSize: Int) {
    self.sink = sink
    self.arrivals = arrivals
    self.unitSize = unitSize
  }

  func ready(_ count: Int) throws(AudioError) -> Int {
    try sink.ready(count, as: Sample.self)
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

/// The arrival times of units that wait for a writer thread.
final class Arrivals: Sendable {
  /// Units handed over within this time count as one piece, whose arrival time is that of its last units.
  private static let longestPiece: Duration = .milliseconds(100)

  private struct Piece {
    /// The end of the piece, in units from the beginning.
    var end: Int64
    var first: MonotonicTime
    var last: MonotonicTime
  }

  private struct State {
    /// Oldest first.
    var pieces: [Piece] = []
    var given: Int64 = 0
    var taken: Int64 = 0
  }

  private let state = Mutex(State())

  /// Records the arrival of `count` units. Session thread, before they are handed over.
  func add(_ count: Int, at time: MonotonicTime) {
    guard count > 0 else { return }
    state.withLock { state in
      state.given += Int64(count)
      if let last = state.pieces.indices.last,
        time.elapsed(since: state.pieces[last].first) < Self.longestPiece
      {
        state.pieces[last].end = state.given
        state.pieces[last].last = time
      } else {
        state.pieces.append(Piece(end: state.given, first: time, last: time))
      }
    }
  }

  /// Takes the next units that arrived together. Writer thread.
  ///
  /// - Parameter limit: the number of available units, at least 1.
  /// - Returns: how many it took, and the arrival time of the last one of the piece.
  func take(atMost limit: Int) -> (count: Int, time: MonotonicTime) {
    state.withLock { state in
      guard let piece = state.pieces.first else { preconditionFailure("all was added before") }
      let count = min(Int64(limit), piece.end - state.taken)
      state.taken += count
      if state.taken == piece.end { state.pieces.removeFirst() }
      return (Int(count), piece.last)
    }
  }
}
