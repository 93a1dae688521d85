// SPDX-License-Identifier: Apache-2.0
/// A program that is called for a session's samples, in one sample type; see ``CallingSource``.
///
/// One life cycle: `initialize` → `start` → `fill`… → `stop` → `dispose`, all on the session thread. Where
/// `initialize` answers false or `start` throws, the session ends with an error and nothing is asked for. `dispose`
/// comes exactly once after `initialize`, also after a failure.
public protocol CalledSource: AnyObject {
  associatedtype Sample: FrameSample = Float

  /// The format of the samples, asked before `initialize`; nil = whatever the session proposes.
  var format: StreamFormat? { get }

  /// The length in samples per channel, where it is known before `start`; nil where nothing is said.
  var samplesPerChannel: Int64? { get }

  /// Acquires what the source needs.
  ///
  /// - Parameter format: of all samples that will be asked for.
  /// - Returns: false where the source cannot work: the session ends with an error.
  func initialize(_ format: StreamFormat) -> Bool

  func start() throws(AudioError)

  /// Appends interleaved whole sample frames to `output`: at least one, and no more than it has room for. The
  /// session waits meanwhile.
  ///
  /// - Returns: ``SourceStatus/ready`` where it appended some, ``SourceStatus/ended`` where there are no more.
  ///   After ``SourceStatus/pending`` the session soon asks again.
  func fill(_ output: inout OutputSpan<Sample>) throws(AudioError) -> SourceStatus

  /// Nothing more is asked for.
  func stop()

  /// Releases everything.
  func dispose()
}

extension CalledSource {
  public var format: StreamFormat? { nil }
  public var samplesPerChannel: Int64? { nil }
  public func initialize(_ format: StreamFormat) -> Bool { true }
  public func start() throws(AudioError) {}
  public func stop() {}
  public func dispose() {}
}

/// A source that calls a program whenever the session wants samples, in the program's sample type: what
/// ``CallingSink`` is among the sinks.
///
/// The session sets the pace. A program that has a pace of its own sends to a ``PushSource``. For one session, on
/// the session thread.
public final class CallingSource<Program: CalledSource>: AudioSource {
  private let program: Program
  private let name: String
  private let wanted: StreamFormat?
  private let block = FrameBuffer<Program.Sample>()
  private var isInitialized = false
  private var isStarted = false

  /// - Parameters:
  ///   - program: its format is asked now.
  ///   - name: in messages.
  public init(_ program: Program, name: String = "custom source") {
    self.program = program
    self.name = name
    wanted = program.format
  }

  public var takesProposedFormat: Bool { wanted == nil }

  /// - Throws: `lifeCycle` where the program's `initialize` answers false; `invalidParameter` where neither the
  ///   program states a format nor the session proposes one.
  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    guard let format = wanted ?? proposal else {
      throw AudioError(
        .invalidParameter, cannot: "initialize", name,
        because: "it states no format and the session proposes none", advice: "state a format")
    }
    isInitialized = true
    guard program.initialize(format) else {
      throw AudioError(
        .lifeCycle, cannot: "initialize", name, because: "its initialize answered false")
    }
    return SourceDescription(
      format: format, encoding: Self.encoding, samplesPerChannel: program.samplesPerChannel)
  }

  /// That of the program's sample type.
  private static var encoding: SampleEncoding {
    if Program.Sample.self == Double.self { return .f64 }
    return Program.Sample.self == Int16.self ? .s16 : .f32
  }

  /// - Throws: what the program's `start` throws.
  public func start() throws(AudioError) {
    try program.start()
    isStarted = true
  }

  /// - Throws: what the program's `fill` throws.
  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    var status = SourceStatus.ended
    let block = block
    try block.refill(atMost: output.freeCapacity) { (samples) throws(AudioError) in
      status = try program.fill(&samples)
    }
    Sample.accept(block.readable, into: &output)
    return status
  }

  public func stop() {
    guard isStarted else { return }
    isStarted = false
    program.stop()
  }

  public func dispose() {
    if isInitialized { program.dispose() }
    isInitialized = false
  }
}
