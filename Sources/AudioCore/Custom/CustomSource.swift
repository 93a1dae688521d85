// SPDX-License-Identifier: Apache-2.0
/// A source that calls a closure of the program for its samples.
///
/// ```swift
/// var next = 0
/// let steps = CustomSource<Int16>(format: format) { output in
///   while next < 1_000, !output.isFull { output.append(Int16(next)); next += 1 }
///   return output.isEmpty ? .ended : .ready
/// }
/// ```
///
/// The session sets the pace. A program with its own pace sends to a ``PushSource``.
///
/// One life cycle: `initialize` → `start` → `fill`… → `stop` → `dispose`, all on the session thread. If `initialize`
/// returns false or throws, or `start` throws, the session ends with an error and `fill` is never called. `dispose` is
/// called exactly once after `initialize`, also after a failure. For one session.
public final class CustomSource<Samples: FrameSample>: AudioSource {
  private let name: String
  private let format: StreamFormat?
  private let samplesPerChannel: Int64?
  private let onInitialize: (StreamFormat) throws -> Bool
  private let onStart: () throws -> Void
  private let onStop: () -> Void
  private let onDispose: () -> Void
  private let fill: (inout OutputSpan<Samples>) throws -> SourceStatus
  private let block = FrameBuffer<Samples>()
  private var isInitialized = false
  private var isStarted = false

  /// - Parameters:
  ///   - name: the source's name in errors.
  ///   - format: the format of the samples; nil = the format that the session proposes.
  ///   - samplesPerChannel: the length, if it is known before the start.
  ///   - initialize: gets the format of all samples; returns false if the source cannot work.
  ///   - start: called before the first `fill`.
  ///   - stop: called after the last `fill`.
  ///   - dispose: releases everything.
  ///   - fill: appends at least one interleaved sample frame, only whole ones, and returns ``SourceStatus/ready``; or
  ///     returns ``SourceStatus/ended``. After ``SourceStatus/pending`` the session soon asks again. A thrown error
  ///     ends the session.
  public init(
    name: String = "custom source", format: StreamFormat? = nil, samplesPerChannel: Int64? = nil,
    initialize: @escaping (StreamFormat) throws -> Bool = { _ in true },
    start: @escaping () throws -> Void = {}, stop: @escaping () -> Void = {},
    dispose: @escaping () -> Void = {},
    fill: @escaping (inout OutputSpan<Samples>) throws -> SourceStatus
  ) {
    self.name = name
    self.format = format
    self.samplesPerChannel = samplesPerChannel
    onInitialize = initialize
    onStart = start
    onStop = stop
    onDispose = dispose
    self.fill = fill
  }

  public var takesProposedFormat: Bool { format == nil }

  /// - Throws: the error of the closure; `lifeCycle` if it returns false; `invalidParameter` if neither the source nor
  ///   the proposal has a format.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    guard let format = format ?? proposal else { throw .noFormat(of: name) }
    isInitialized = true
    try AudioError.initialize(name) { try onInitialize(format) }
    return SourceDescription(
      format: format, encoding: Samples.encoding, samplesPerChannel: samplesPerChannel)
  }

  public func start() throws(AudioError) {
    try AudioError.wrapping(cannot: "start", name) { try onStart() }
    isStarted = true
  }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    var status = SourceStatus.ended
    let block = block
    try block.refill(atMost: output.freeCapacity) { (samples) throws(AudioError) in
      do {
        status = try fill(&samples)
      } catch {
        throw AudioError(wrapping: error, cannot: "read", name)
      }
    }
    Sample.accept(block.readable, into: &output)
    return status
  }

  public func stop() {
    guard isStarted else { return }
    isStarted = false
    onStop()
  }

  public func dispose() {
    if isInitialized { onDispose() }
    isInitialized = false
  }
}
