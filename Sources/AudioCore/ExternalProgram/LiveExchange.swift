/// A program beside a stream that waits for nobody.
///
/// Everything goes on `latency` after it came, so that the program has that long for its answer. What
/// has no answer by then goes on as it was, and its answer is dropped when it comes: every sample keeps
/// its place. While the stream runs the session thread never waits for the program; at its end it does
/// so for the last samples, no longer than they last.
final class LiveExchange<Sample: AudioSample>: ProgramExchange {
  private let port: ProgramPort<Sample>
  private let wakeup: Wakeup?
  private let latency: Int64
  /// What came and has not gone on.
  private let originals = SampleQueue<Sample>()
  private var timeline = AnswerTimeline()
  /// Samples per channel that reached this stage, and that went on.
  private var arrived: Int64 = 0
  private var emitted: Int64 = 0
  private var brokenSince: MonotonicTime?
  private var isOver = false

  init(_ port: ProgramPort<Sample>, latency: Int, wakeup: Wakeup?) {
    self.port = port
    self.latency = Int64(latency)
    self.wakeup = wakeup
  }

  private var channelCount: Int { port.format.channelCount }

  func advance(
    _ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>
  ) throws(AudioError) {
    try take(pending)
    try exchange()
    emit(upTo: arrived - latency, into: output)
    if let fault = try fault() {
      emit(upTo: arrived, into: output)
      isOver = true
      throw fault
    }
  }

  func finish(
    _ pending: SampleQueue<Sample>, into output: SampleQueue<Sample>
  ) throws(AudioError) {
    try advance(pending, into: output)
    if port.mode == .readWrite { port.connection.endInput() }
    let begin = MonotonicTime.now
    let remaining = arrived - emitted
    // elapsed < remaining / rate, without dividing
    while isAnswerMissing, wakeup?.request != .abandon,
      MonotonicTime.now.elapsed(since: begin) * port.format.sampleRate < .seconds(remaining)
    {
      try exchange()
      if isAnswerMissing { port.connection.wait(milliseconds: 5) }
    }
    emit(upTo: arrived, into: output)
  }

  func stop(_ reason: StopReason) throws(AudioError) {
    guard reason == .finished, !isOver else { return port.child.terminate() }
    isOver = true
    dropAnswers(port.answers.count / channelCount)
    if port.mode == .writeOnly { return port.dismiss() }
    port.connection.endInput()
    var lastMotion = MonotonicTime.now
    while !port.connection.isOutputEnded || port.connection.toProgram.count > 0 {
      if try port.exchange() {
        dropAnswers(port.answers.count / channelCount)
        lastMotion = .now
        if port.connection.isInputRefused { throw port.fail(.closedInput, .midway) }
        if port.isFlooding { throw port.failStalled(.flooded) }
        continue
      }
      if wakeup?.request == .abandon { return port.child.terminate() }
      if MonotonicTime.now.elapsed(since: lastMotion) >= port.program.timeout {
        throw port.failStalled(.stalled(port.program.timeout))
      }
      port.connection.wait(milliseconds: 50)
    }
    try port.conclude { wakeup?.request == .abandon }
  }

  /// Keeps what came for the program, and apart from it for itself; what the program leaves standing
  /// for too long it never gets.
  private func take(_ pending: SampleQueue<Sample>) throws(AudioError) {
    arrived += Int64(pending.count / channelCount)
    if port.mode == .readWrite { originals.append(pending.readable) }
    if port.mode != .writeOnly {
      port.send(pending)
      while !pending.isEmpty, !port.isFlooding, try port.exchange() { port.send(pending) }
      skip(Int64(pending.count / channelCount))
    }
    pending.removeAll()
  }

  private func skip(_ count: Int64) {
    guard count > 0 else { return }
    port.statistics.skipped += count
    if port.mode == .readWrite { timeline.skip(count, after: port.statistics.samplesIn) }
  }

  /// Moves all that can be moved now. A generator is held back by its pipe.
  private func exchange() throws(AudioError) {
    let bound = port.mode == .writeOnly ? latency + port.allowance : .max
    while Int64(port.answers.count / channelCount) < bound, !port.isFlooding {
      guard try port.exchange() else { return }
    }
  }

  /// Whether a sample that has not gone on may still get its answer.
  private var isAnswerMissing: Bool {
    guard port.mode != .readOnly, !port.connection.isOutputEnded, !port.isFlooding else {
      return false
    }
    return timeline.position + Int64(port.answers.count / channelCount) < arrived
  }

  private func emit(upTo due: Int64, into output: SampleQueue<Sample>) {
    guard port.mode != .readOnly else { return emitted = max(emitted, due) }
    dropLateAnswers()
    let answers = port.answers
    while emitted < due {
      let ready = min(Int64(answers.count / channelCount), timeline.run)
      if ready > 0, timeline.position == emitted {
        let count = min(ready, due - emitted)
        answers.move(Int(count) * channelCount, to: output)
        if port.mode == .readWrite { originals.consume(Int(count) * channelCount) }
        timeline.take(count)
        emitted += count
      } else {
        let next = ready > 0 ? min(due, timeline.position) : due
        let count = next - emitted
        if port.mode == .writeOnly {
          output.appendSilence(Int(count) * channelCount)
        } else {
          originals.move(Int(count) * channelCount, to: output)
        }
        port.statistics.late += count
        emitted += count
      }
    }
  }

  private func dropLateAnswers() {
    while !port.answers.isEmpty, timeline.position < emitted {
      let ready = Int64(port.answers.count / channelCount)
      let count = min(ready, timeline.run, emitted - timeline.position)
      dropAnswers(Int(count))
      timeline.take(count)
    }
  }

  private func dropAnswers(_ count: Int) {
    port.answers.consume(count * channelCount)
    port.statistics.discarded += Int64(count)
  }

  /// The error of a program that cannot go on, once it has ended or had time to.
  private func fault() throws(AudioError) -> AudioError? {
    if port.isFlooding { return port.error(.flooded) }
    let connection = port.connection
    let cause: ProgramFault
    if connection.isInputRefused {
      cause = .closedInput
    } else if connection.isOutputEnded, port.mode == .writeOnly,
      port.statistics.samplesOut < arrived
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
      // All that it gave is in the pipe now.
      try exchange()
      if case .fellShort = cause, ending.isSuccess { return port.error(cause) }
      return port.error(.ended(ending))
    }
    return MonotonicTime.now.elapsed(since: since) < ChildProcess.patience ? nil : port.error(cause)
  }
}

/// Where in the stream the samples belong that a program gives back, when not all of the stream was
/// handed to it. All counts in samples per channel.
struct AnswerTimeline {
  private struct Gap {
    /// The number of the answer that it precedes.
    let answer: Int64
    var length: Int64
  }

  /// The place in the stream of the next answer.
  private(set) var position: Int64 = 0
  private var next: Int64 = 0
  private var gaps: [Gap] = []

  /// A piece of the stream was not handed to the program, after `sent` that were.
  mutating func skip(_ length: Int64, after sent: Int64) {
    if let last = gaps.last, last.answer == sent {
      gaps[gaps.count - 1].length += length
    } else {
      gaps.append(Gap(answer: sent, length: length))
    }
    passGap()
  }

  /// How many answers from the next one on follow each other in the stream without a gap; at least 1.
  var run: Int64 { (gaps.first?.answer ?? .max) - next }

  /// The next `count` answers, at most ``run``, were taken.
  mutating func take(_ count: Int64) {
    precondition(count <= run)
    next += count
    position += count
    passGap()
  }

  private mutating func passGap() {
    guard let first = gaps.first, first.answer == next else { return }
    position += first.length
    gaps.removeFirst()
  }
}
