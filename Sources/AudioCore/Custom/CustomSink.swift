// SPDX-License-Identifier: Apache-2.0
/// A program that wants to be called with a session's audio, in one sample type; see ``CallingSink``.
///
/// One life cycle: `initialize` → `start` → `write`… → `stop` → `dispose`, all on the session thread.
/// Where `initialize` answers false or `start` throws, the session ends with an error and nothing is
/// written. `dispose` comes exactly once after `initialize`, also after a failure.
public protocol CustomSink: AnyObject {
  associatedtype Sample: FrameSample = Float

  /// The format that `write` wants, asked before `initialize`; nil = the stream's own.
  var format: StreamFormat? { get }

  /// Acquires what the sink needs.
  ///
  /// - Parameter format: of everything that will be written.
  /// - Returns: false where the sink cannot work: the session ends with an error.
  func initialize(_ format: StreamFormat) -> Bool

  func start() throws(AudioError)

  /// Takes all of `samples`: interleaved whole sample frames. The session waits meanwhile.
  ///
  /// - Returns: ``SinkStatus/readerGone`` to end the session without an error.
  func write(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus

  /// Ends the stream: completes what was written, or drops it.
  func stop(_ reason: StopReason) throws(AudioError)

  /// Releases everything.
  func dispose()
}

extension CustomSink {
  public var format: StreamFormat? { nil }
  public func initialize(_ format: StreamFormat) -> Bool { true }
  public func start() throws(AudioError) {}
  public func stop(_ reason: StopReason) throws(AudioError) {}
  public func dispose() {}
}

/// A sink that calls a program with every block, in the program's sample type.
///
/// An ``AudioSink`` of the program's own does as much; this one spares it the generic `write` and keeps
/// it to the life cycle. For one session, on the session thread.
public final class CallingSink<Program: CustomSink>: AudioSink {
  private let program: Program
  private let name: String
  private let wanted: StreamFormat?
  private let block = FrameBuffer<Program.Sample>()
  private var channelCount = 1
  private var isInitialized = false
  private var isStarted = false

  /// - Parameters:
  ///   - program: its format is asked now.
  ///   - name: in messages.
  public init(_ program: Program, name: String = "custom sink") {
    self.program = program
    self.name = name
    wanted = program.format
  }

  public var precision: SamplePrecision {
    Program.Sample.self == Double.self ? .double : .single
  }

  public var room: Int { Int.max }

  /// - Throws: `lifeCycle` where the program's `initialize` answers false.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = wanted ?? proposal
    channelCount = format.channelCount
    isInitialized = true
    guard program.initialize(format) else {
      throw AudioError(
        .lifeCycle, cannot: "initialize", name, because: "its initialize answered false")
    }
    return format
  }

  /// - Throws: what the program's `start` throws.
  public func start() throws(AudioError) {
    try program.start()
    isStarted = true
  }

  /// - Throws: what the program's `write` throws.
  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    let block = block
    let whole = BlockSize.samples - BlockSize.samples % channelCount
    var start = 0
    while start < samples.count {
      let end = min(start + whole, samples.count)
      block.refill(atMost: end - start) { Sample.present(samples.extracting(start..<end), in: &$0) }
      if try program.write(block.readable) == .readerGone { return .readerGone }
      start = end
    }
    return .accepted
  }

  /// - Throws: what the program's `stop` throws.
  public func stop(_ reason: StopReason) throws(AudioError) {
    guard isStarted else { return }
    isStarted = false
    try program.stop(reason)
  }

  public func dispose() {
    if isInitialized { program.dispose() }
    isInitialized = false
  }
}
