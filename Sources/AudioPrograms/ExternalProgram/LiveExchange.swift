// SPDX-License-Identifier: Apache-2.0
/// A program beside a stream that does not wait for it.
///
/// Every sample passes `latency` after its arrival, so the program has that time for its answer. A sample without an
/// answer by then passes unchanged, and a late answer is dropped: every sample keeps its place. While samples arrive
/// steadily the session thread never waits for the program. If many arrive at once, in one call or in several, as at
/// the end of a program before this one, it waits for the due answers until `latency` has passed. At the end of the
/// stream it waits for the last answers, at most for their length, or a second if they are shorter.
final class LiveExchange<Sample: AudioSample>: ProgramExchange {
  private let port: ProgramPort<Sample>
  private let wakeup: Wakeup?
  private let latency: Int64
  private let stream: RoundTripStream<Sample>
  /// When samples came that are not due yet, and how many had come by then.
  private var arrivals: [(count: Int64, time: MonotonicTime)] = []
  /// Silence of the stream that a generator has not got yet.
  private var owedSilence: Int64 = 0
  private var brokenSince: MonotonicTime?
  private var isOver = false
  private var isFinishing = false
  private lazy var ending = ProgramEnding(port, wakeup: wakeup) { [unowned self] in dropAnswers() }

  init(_ port: ProgramPort<Sample>, latency: Int, wakeup: Wakeup?) {
    self.port = port
    self.latency = Int64(latency)
    self.wakeup = wakeup
    stream = RoundTripStream(
      channelCount: port.format.channelCount, answers: port.answers,
      keepsOriginals: port.mode == .readWrite)
  }

  private var channelCount: Int { port.format.channelCount }

  func advance(
    _ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>
  ) throws(AudioError) {
    try accept(pending)
    let due = stream.arrived - latency
    arrivals.removeAll { $0.count < due }
    // If the program had less than half of its time for the latest of them, it gets the rest of it.
    if due > 0, let arrival = arrivals.first?.time, !hasPassed(latency / 2, since: arrival) {
      try waitForAnswers(upTo: due, within: latency, of: arrival)
    }
    emit(upTo: due, into: output)
    try throwFault(into: output)
  }

  /// Takes samples, and moves all bytes that can be moved now.
  private func accept(_ pending: SampleQueue<Sample>) throws(AudioError) {
    if !pending.isEmpty {
      arrivals.append((stream.arrived + Int64(pending.count / channelCount), .now))
    }
    try take(pending)
    try exchange()
  }

  /// Throws the error of a program that cannot continue, behind all samples of the stream.
  private func throwFault(into output: SampleQueue<Sample>) throws(AudioError) {
    guard let fault = try fault() else { return }
    emit(upTo: stream.arrived, into: output)
    isOver = true
    throw fault
  }

  func finish(
    _ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>
  ) throws(AudioError) {
    // The last samples may make others due, which wait with them.
    try accept(pending)
    try throwFault(into: output)
    if port.mode == .readWrite { port.connection.endInput() }
    isFinishing = true
    // Nothing follows that the wait could make late. A busy machine may need longer than a short latency.
    let rest = stream.arrived - stream.emitted
    try waitForAnswers(
      upTo: stream.arrived, within: max(rest, Int64(port.format.sampleRate)), of: MonotonicTime.now)
    emit(upTo: stream.arrived, into: output)
  }

  /// Waits until all samples up to `end` have their answers, or `length` has passed since `begin`.
  ///
  /// - Parameter length: in samples per channel.
  private func waitForAnswers(
    upTo end: Int64, within length: Int64, of begin: MonotonicTime
  ) throws(AudioError) {
    while isAnswerMissing(upTo: end), wakeup?.request != .abandon, !hasPassed(length, since: begin)
    {
      try exchange()
      if isAnswerMissing(upTo: end) { port.connection.wait(milliseconds: 5) }
    }
  }

  /// Whether so many samples per channel have passed since `begin`.
  private func hasPassed(_ length: Int64, since begin: MonotonicTime) -> Bool {
    // elapsed >= length / rate, without dividing
    MonotonicTime.now.elapsed(since: begin) * port.format.sampleRate >= .seconds(length)
  }

  func beginStop(_ reason: StopReason) {
    if reason == .finished, ending.hasBegun { return }
    guard reason == .finished, !isOver else { return ending.terminate() }
    isOver = true
    dropAnswers()
    if port.mode == .writeOnly { ending.dismiss() } else { ending.drain() }
  }

  func advanceStop() -> Bool { ending.advance() }

  func failure() -> AudioError? { ending.takeFailure() }

  /// Keeps the samples as originals and sends them to the program; the program never gets samples that it leaves
  /// unread for too long.
  private func take(_ pending: SampleQueue<Sample>) throws(AudioError) {
    stream.take(pending.readable)
    if port.mode == .writeOnly {
      owedSilence += Int64(pending.count / channelCount)
    } else {
      port.send(pending)
      while !pending.isEmpty, !port.isFlooding, try port.exchange() { port.send(pending) }
      skip(Int64(pending.count / channelCount))
    }
    pending.removeAll()
  }

  private func skip(_ count: Int64) {
    guard count > 0 else { return }
    port.statistics.skipped += count
    if port.mode == .readWrite { stream.skip(count, after: port.statistics.samplesIn) }
  }

  /// Moves all bytes that can be moved now. A full pipe holds a generator back.
  private func exchange() throws(AudioError) {
    let isGenerator = port.mode == .writeOnly
    let bound = isGenerator ? latency + port.allowance : .max
    while !port.isFlooding {
      port.sendSilence(&owedSilence)
      if isGenerator, isFinishing, owedSilence == 0 { port.connection.endInput() }
      let isReading = stream.readyCount < bound
      guard try port.exchange(isReading: isReading), isReading else { return }
    }
  }

  /// Whether a waiting sample before `end` may still get its answer.
  private func isAnswerMissing(upTo end: Int64) -> Bool {
    guard port.mode != .readOnly, !port.connection.isOutputEnded, !port.isFlooding else {
      return false
    }
    return stream.isAnswerMissing(upTo: end)
  }

  /// Passes the due samples; a read-only program's stream has passed already.
  private func emit(upTo due: Int64, into output: SampleQueue<Sample>) {
    guard port.mode != .readOnly else { return }
    stream.emit(upTo: due, into: output)
    count()
  }

  private func dropAnswers() {
    stream.dropAnswers()
    count()
  }

  private func count() {
    port.statistics.late = stream.late
    port.statistics.discarded = stream.discarded
  }

  /// The error of a program that cannot continue, once it has ended or had time to end.
  private func fault() throws(AudioError) -> AudioError? {
    if port.isFlooding { return port.error(.flooded) }
    let connection = port.connection
    let cause: ProgramFault
    if connection.isInputRefused, port.mode != .writeOnly {
      cause = .closedInput
    } else if connection.isOutputEnded, port.mode == .writeOnly,
      port.statistics.samplesOut < stream.arrived
    {
      cause = .fellShort(strayBytes: port.strayBytes)
    } else if connection.isOutputEnded, port.mode == .readWrite,
      port.statistics.samplesOut < port.statistics.samplesIn
    {
      cause = .closedOutput
    } else {
      return nil
    }
    let since = brokenSince ?? .now
    brokenSince = since
    if let ending = port.child.check() {
      // All of its output is in the pipe now.
      try exchange()
      if case .fellShort = cause, ending.isSuccess { return port.error(cause) }
      return port.error(.ended(ending))
    }
    return MonotonicTime.now.elapsed(since: since) < ChildProcess.patience ? nil : port.error(cause)
  }
}
