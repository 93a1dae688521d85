// SPDX-License-Identifier: Apache-2.0
/// A sink that calls a closure of the program with every block, in the closure's sample type.
///
/// ```swift
/// var energy = 0.0
/// let sink = CustomSink<Double> { samples in
///   for index in samples.indices { energy += samples[index] * samples[index] }
///   return .accepted
/// }
/// ```
///
/// One life cycle: `initialize` → `start` → `write`… → `stop` → `dispose`, all on the session thread. If `initialize`
/// returns false or throws, or `start` throws, the session ends with an error and `write` is never called. `dispose` is
/// called exactly once after `initialize`, also after a failure. For one session.
public final class CustomSink<Samples: FrameSample>: AudioSink {
  private let name: String
  private let format: StreamFormat?
  private let onInitialize: (StreamFormat) throws -> Bool
  private let onStart: () throws -> Void
  private let onStop: (StopReason) throws -> Void
  private let onDispose: () -> Void
  private let accept: (Span<Samples>) throws -> SinkStatus
  private let block = FrameBuffer<Samples>()
  private var channelCount = 1
  private var isInitialized = false
  private var isStarted = false

  /// - Parameters:
  ///   - name: the sink's name in errors.
  ///   - format: the format of the written samples; nil = the stream's own.
  ///   - initialize: gets the format of all samples; returns false if the sink cannot work.
  ///   - start: called before the first `write`.
  ///   - stop: completes the written samples, or drops them.
  ///   - dispose: releases everything.
  ///   - write: takes all of its samples, which are interleaved whole sample frames. The session waits meanwhile.
  ///     ``SinkStatus/readerGone`` ends the session without an error, a thrown error ends it with one.
  public init(
    name: String = "custom sink", format: StreamFormat? = nil,
    initialize: @escaping (StreamFormat) throws -> Bool = { _ in true },
    start: @escaping () throws -> Void = {}, stop: @escaping (StopReason) throws -> Void = { _ in },
    dispose: @escaping () -> Void = {},
    write: @escaping (Span<Samples>) throws -> SinkStatus
  ) {
    self.name = name
    self.format = format
    onInitialize = initialize
    onStart = start
    onStop = stop
    onDispose = dispose
    accept = write
  }

  public var precision: SamplePrecision { Samples.encoding.precision }

  public var room: Int { Int.max }

  /// - Throws: the error of the closure; `lifeCycle` if it returns false.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = format ?? proposal
    channelCount = format.channelCount
    isInitialized = true
    try AudioError.initialize(name) { try onInitialize(format) }
    return format
  }

  public func start() throws(AudioError) {
    try AudioError.wrapping(cannot: "start", name) { try onStart() }
    isStarted = true
  }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    let block = block
    let whole = BlockSize.samples - BlockSize.samples % channelCount
    var start = 0
    while start < samples.count {
      let end = min(start + whole, samples.count)
      block.refill(atMost: end - start) { Sample.present(samples.extracting(start..<end), in: &$0) }
      do {
        if try accept(block.readable) == .readerGone { return .readerGone }
      } catch {
        throw AudioError(wrapping: error, cannot: "write to", name)
      }
      start = end
    }
    return .accepted
  }

  public func stop(_ reason: StopReason) throws(AudioError) {
    guard isStarted else { return }
    isStarted = false
    try AudioError.wrapping(cannot: "complete", name) { try onStop(reason) }
  }

  public func dispose() {
    if isInitialized { onDispose() }
    isInitialized = false
  }
}
