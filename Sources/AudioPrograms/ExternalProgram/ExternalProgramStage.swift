// SPDX-License-Identifier: Apache-2.0
/// An external program in one stream.
///
/// Converts to the program's format as an observer's stage does. A fault during the stream is thrown by the next
/// call, after the samples before it have left. A fault at the end is thrown at once, with all returned samples
/// appended.
final class ExternalProgramStage<Sample: AudioSample>: ObservingStage {
  let inputFormat: StreamFormat
  let outputFormat: StreamFormat

  private(set) var nextPosition: Int64
  private let program: ExternalProgram
  private let identity: StreamIdentity
  private let port: ProgramPort<Sample>
  private let exchange: any ProgramExchange<Sample>
  private let conversion: Chain<Sample>
  private let isLive: Bool
  private var fault: AudioError?
  /// Whether the stream continues without the program, which failed.
  private var isBypassed = false
  private var counted = ExternalProgramStatistics()

  /// Starts the program.
  ///
  /// - Parameters:
  ///   - start: the start of the stream, in samples per channel of the program's rate.
  ///   - isLive: whether the stream never waits.
  ///   - wakeup: carries the session's request to end into waits.
  init(
    program: ExternalProgram, identity: StreamIdentity, shape: FrameShape, mode: ObserverMode,
    inputFormat: StreamFormat, inputLayout: Metadata.ChannelLayout? = nil, start: Int64 = 0,
    quality: ResamplerQuality, isLive: Bool,
    wakeup: Wakeup? = nil
  ) throws(AudioError) {
    nextPosition = start
    self.program = program
    self.identity = identity
    self.inputFormat = inputFormat
    outputFormat = mode == .readOnly ? inputFormat : shape.format
    conversion = Chain(format: inputFormat, inputLayout)
    try conversion.convert(to: shape.format, quality: quality, isLive: isLive)
    let latency = program.latency ?? shape.format.sampleRate
    let block = BlockSize.samplesPerChannel(shape.format)
    self.isLive = isLive
    if program.changesLength, isLive || mode != .readWrite {
      throw AudioError(
        .invalidParameter, cannot: "run", program.command,
        because: isLive
          ? "it changes the length, and a live stream cannot wait for it"
          : "only a read-write program changes the length",
        advice: isLive ? "record first, and convert the file" : nil)
    }
    port = try ProgramPort(
      program, at: identity, shape, mode,
      backlog: isLive ? max(shape.format.sampleRate, block) : block)
    if isLive, case .program(_, _, let reports) = program.launch {
      // A live stream begins once the program is ready, so that its first answers are not late.
      port.child.wait(ProgramReports.patience) { reports.isReady }
    }
    exchange =
      isLive
      ? LiveExchange(port, latency: latency, wakeup: wakeup)
      : OfflineExchange(port, wakeup: wakeup)
  }

  func begin() {}

  /// Always true: the samples in the program could not be recovered.
  var isActive: Bool { true }

  /// A program that changes the length may have much output behind the end of its input.
  var isFinished: Bool { exchange.isFinished }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    if let fault { throw fault }
    let before = output.count
    defer { nextPosition += Int64((output.count - before) / outputFormat.channelCount) }
    if port.mode == .readOnly { output.append(input) }
    conversion.input.append(input)
    try conversion.run()
    if isBypassed { return pass(to: output) }
    defer { count() }
    do {
      try exchange.advance(conversion.output, into: output)
    } catch {
      if error.kind == .interrupted { throw error }
      if goesOn(without: error) { pass(to: output) } else { fault = error }
    }
  }

  /// Decides whether the stream continues after a failure of the program.
  private func goesOn(without error: AudioError) -> Bool {
    guard isLive, program.isDispensable else { return false }
    program.note(error)
    exchange.beginStop(.abandoned)
    isBypassed = true
    return true
  }

  /// Passes the samples that the program did not get.
  private func pass(to output: SampleQueue<Sample>) {
    if port.mode == .readWrite { output.append(conversion.output.readable) }
    if port.mode == .writeOnly { output.appendSilence(conversion.output.count) }
    conversion.output.removeAll()
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    if let fault { throw fault }
    try conversion.end()
    if isBypassed { return pass(to: output) }
    defer { count() }
    do {
      try exchange.finish(conversion.output, into: output)
    } catch {
      guard error.kind != .interrupted, goesOn(without: error) else { throw error }
      pass(to: output)
    }
  }

  /// - Parameter reason: after `finished` a live program gets its timeout to end by itself; after `abandoned` it is
  ///   killed.
  func beginEnd(_ reason: StopReason) {
    exchange.beginStop(fault == nil ? reason : .abandoned)
  }

  func advanceEnd() -> Bool { exchange.advanceStop() }

  /// Ends the program if it has not ended yet: the session calls this last of all, also after a failure; later calls
  /// do nothing.
  ///
  /// - Throws: the fault of a live program at its end.
  func end(_ reason: StopReason) throws(AudioError) {
    defer { count() }
    beginEnd(reason)
    while !advanceEnd() { port.connection.wait(milliseconds: 1) }
    guard let failure = exchange.failure(), !isBypassed else { return }
    guard isLive, program.isDispensable else { throw failure }
    program.note(failure)
  }

  private func count() {
    program.count(port.statistics, since: counted, at: identity.position)
    counted = port.statistics
  }
}

/// The exchange of a stream and a running program: offline or live.
protocol ProgramExchange<Sample> {
  associatedtype Sample: AudioSample

  /// Takes all of `pending`, which has the program's format, and appends the passing samples to `output`, even if it
  /// throws.
  func advance(_ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>) throws(AudioError)

  /// Takes the last samples: `output` then has exactly as many samples as the stream.
  func finish(_ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>) throws(AudioError)

  /// Whether ``finish(_:into:)`` need not be called again.
  var isFinished: Bool { get }

  /// Begins to end the program; a later call may only be less patient.
  func beginStop(_ reason: StopReason)

  /// Continues to end the program, without waiting.
  ///
  /// - Returns: whether no process is left.
  func advanceStop() -> Bool

  /// The program's fault at its end, once.
  func failure() -> AudioError?
}

extension ProgramExchange {
  var isFinished: Bool { true }
}
