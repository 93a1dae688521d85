// SPDX-License-Identifier: Apache-2.0
/// A program and a stream that wait for each other.
///
/// The stream sends all its samples even if little comes back, for a filter may answer only after a second of audio.
/// It waits if the program's pipe is full, and at the end.
final class OfflineExchange<Sample: AudioSample>: ProgramExchange {
  private let port: ProgramPort<Sample>
  private let wakeup: Wakeup?
  /// Samples per channel that reached this stage, and that left it.
  private var arrived: Int64 = 0
  private var released: Int64 = 0
  /// Silence of the stream that a generator has not got yet.
  private var owedSilence: Int64 = 0
  private var isFinishing = false
  private(set) var isFinished = false
  private lazy var ending = ProgramEnding(port, wakeup: wakeup)

  init(_ port: ProgramPort<Sample>, wakeup: Wakeup?) {
    self.port = port
    self.wakeup = wakeup
  }

  func advance(
    _ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>
  ) throws(AudioError) {
    let (port, isGenerator) = (port, port.mode == .writeOnly)
    if isGenerator { takeSilence(of: pending) }
    try move(pending, into: output) {
      if isGenerator, released == arrived { return true }
      // A generator without input must still give as much as the stream's length.
      return pending.isEmpty && owedSilence == 0 && port.connection.toProgram.count == 0
        && !(isGenerator && port.connection.isInputRefused)
    }
  }

  /// Counts the samples for a generator, which gets only their number.
  private func takeSilence(of pending: SampleQueue<Sample>) {
    let count = Int64(pending.count / port.format.channelCount)
    arrived += count
    owedSilence += count
    pending.removeAll()
  }

  func finish(
    _ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>
  ) throws(AudioError) {
    isFinishing = true
    let port = port
    if port.mode == .writeOnly {
      takeSilence(of: pending)
      try move(pending, into: output) { released == arrived }
      isFinished = true
      return ending.dismiss()
    }
    if !pending.isEmpty { try advance(pending, into: output) }
    port.connection.endInput()
    let start = output.count
    let most = BlockSize.samplesPerChannel(port.format) * port.format.channelCount
    try move(pending, into: output) {
      // A program may give a whole echo, or all of its input, behind the end.
      port.connection.isOutputEnded || port.changesLength && output.count - start >= most
    }
    guard port.connection.isOutputEnded else { return }
    isFinished = true
    if let miscount = port.miscount { throw port.fail(miscount, .atEnd) }
    ending.conclude()
    while !ending.advance(), !ending.isTerminating { port.connection.wait(milliseconds: 1) }
    if let failure = ending.takeFailure() { throw failure }
    if ending.isTerminating { throw port.abandoned }
  }

  func beginStop(_ reason: StopReason) {
    if reason != .finished || !ending.isDismissing { ending.terminate() }
  }

  func advanceStop() -> Bool { ending.advance() }

  /// ``finish(_:into:)`` throws the program's faults.
  func failure() -> AudioError? { nil }

  private func move(
    _ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>, until isDone: () -> Bool
  ) throws(AudioError) {
    var lastMotion = MonotonicTime.now
    while true {
      if port.changesLength, port.connection.isInputRefused {
        // The program takes no more input.
        pending.removeAll()
        port.connection.toProgram.consume(port.connection.toProgram.count)
      }
      port.send(pending)
      port.sendSilence(&owedSilence)
      if isFinishing, port.mode == .writeOnly, owedSilence == 0 { port.connection.endInput() }
      let hasMoved = try port.exchange(isReading: isReading)
      release(into: output)
      try check(into: output)
      if isDone() { return }
      if hasMoved {
        lastMotion = .now
        continue
      }
      if try isAskedToEnd() { return }
      let limit = limit
      if MonotonicTime.now.elapsed(since: lastMotion) >= limit {
        throw port.failStalled(.stalled(limit))
      }
      port.connection.wait(milliseconds: Self.longestWait(limit))
    }
  }

  /// A full pipe holds back a generator that gives more than the stream has.
  private var isReading: Bool {
    port.mode != .writeOnly
      || Int64(port.answers.count / port.format.channelCount) < arrived - released
  }

  /// Passes the samples that certainly belong to the stream.
  private func release(into output: SampleQueue<Sample>) {
    let queue = port.answers
    let channelCount = port.format.channelCount
    if port.changesLength {
      released += Int64(queue.count / channelCount)
      return queue.move(queue.count, to: output)
    }
    let due = (port.mode == .writeOnly ? arrived : port.statistics.samplesIn) - released
    let count = min(due, Int64(queue.count / channelCount))
    queue.move(Int(count) * channelCount, to: output)
    released += count
    port.statistics.discarded = port.statistics.samplesOut - released
  }

  private func check(into output: SampleQueue<Sample>) throws(AudioError) {
    let connection = port.connection
    if port.isFlooding { throw port.failStalled(.flooded) }
    // It may need no more input.
    if connection.isInputRefused, port.changesLength, try hasEndedInOrder(into: output) { return }
    if connection.isInputRefused, port.mode != .writeOnly {
      try takeRest(into: output)
      throw port.fail(.closedInput, .midway)
    }
    guard connection.isOutputEnded else { return }
    switch port.mode {
    case .readWrite where port.changesLength: return
    case .readWrite where port.statistics.samplesOut < port.statistics.samplesIn:
      if isFinishing, connection.toProgram.count == 0 { return }
      throw port.fail(.closedOutput, .midway)
    case .writeOnly where released < arrived:
      throw port.fail(.fellShort(strayBytes: port.strayBytes), .atEnd)
    default: break
    }
  }

  /// Whether a program that closed its input ends by itself and without an error.
  private func hasEndedInOrder(into output: SampleQueue<Sample>) throws(AudioError) -> Bool {
    try takeRest(into: output)
    return port.child.wait(ChildProcess.patience)?.isSuccess == true
  }

  /// Passes the samples that a program gave before it failed.
  private func takeRest(into output: SampleQueue<Sample>) throws(AudioError) {
    var lastMotion = MonotonicTime.now
    while !port.connection.isOutputEnded, !port.isFlooding, wakeup?.request != .abandon,
      MonotonicTime.now.elapsed(since: lastMotion) < ChildProcess.patience
    {
      if try port.exchange() {
        lastMotion = .now
        release(into: output)
      } else {
        port.connection.wait(milliseconds: Self.longestWait(ChildProcess.patience))
      }
    }
  }

  /// The longest time without motion: shorter once the session was asked to end.
  private var limit: Duration {
    let timeout = port.program.timeout
    return wakeup?.request == .finish ? min(timeout, ChildProcess.patience) : timeout
  }

  /// Whether to stop waiting because `finish` follows at once.
  private func isAskedToEnd() throws(AudioError) -> Bool {
    switch wakeup?.request {
    case .abandon:
      beginStop(.abandoned)
      throw port.abandoned
    case .finish: return !isFinishing
    case nil: return false
    }
  }

  /// Short enough to notice the end of the session soon.
  private static func longestWait(_ limit: Duration) -> Int {
    min(50, max(1, limit.inNanoseconds / 1_000_000))
  }
}
