// SPDX-License-Identifier: Apache-2.0
/// The stream of a joined client, as the session reads it. Session thread only.
///
/// Samples with positions keep their places: a sample that arrives after silence has replaced it is dropped. Samples
/// without positions follow that silence. After a rest they are delayed by the latency, so that the client does not
/// stutter from then on.
///
/// The session gets a burst of samples at about their own pace, so that observers that answer have the promised time.
final class JoinedSource: FillingSource {
  private let link: SourceLink
  private let onChange: @Sendable (_ isOver: Bool) -> Void
  private let latency: Int64
  /// Samples per channel taken from the ring.
  private var index = 0
  /// The next sample's position in the client's count.
  private var position: Int64 = 0
  private var isPositioned = false
  /// Samples per channel of the stream so far.
  private var end: Int64 = 0
  /// The place in the stream at which the client began to count.
  private var origin: Int64 = 0
  /// Silence still to give, in samples per channel.
  private var silence: Int64 = 0
  /// The jump for which the silence stands.
  private var jump: Int64 = 0
  /// The ranges of that silence in the stream that the session has not taken yet.
  private var filled = FilledRanges()
  /// Whether silence stood in after the last sample.
  private var hasRested = false
  private var isStopped = false
  /// The end of the samples in the ring that were dropped for the client.
  private var cleared = 0
  /// Whether no sample has come since the client has taken back those before.
  private var isInterrupted = false
  /// The end of the samples in the stream that it has taken back, and of the silence behind them, if the session does not
  /// know it.
  private var withdrawn: Int64?
  /// Whether samples are read at most at their own pace.
  var isPaced = true
  /// The time at which the first sample was read.
  private var begin: MonotonicTime?

  /// - Parameter onChange: called when the source is in the session, when the session wants no more samples, and when the
  ///   stream is over.
  init(
    _ link: SourceLink, onChange: @escaping @Sendable (_ isOver: Bool) -> Void = { _ in }
  ) {
    self.link = link
    self.onChange = onChange
    latency = TimePosition.time(link.latency).samples(at: link.format.sampleRate)
  }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    link.open(wakeup)
    onChange(false)
    return SourceDescription(
      format: link.format, encoding: link.layout.encoding, pace: .arrival, latency: link.latency)
  }

  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    dropCleared()
    let channelCount = link.format.channelCount
    let before = output.count
    // Read before the ring, so that the samples before the end are seen.
    let isFinished = isStopped || link.isFinished
    var allowance = allowance
    while output.freeCapacity >= channelCount, allowance > 0 {
      if silence > 0 {
        let count = min(Int(silence), output.freeCapacity / channelCount, allowance)
        allowance -= count
        output.append(repeating: 0, count: count * channelCount)
        silence -= Int64(count)
        fill(Int64(count))
        continue
      }
      // Samples first: the marks of the samples seen here were added before them.
      let held = link.ring.filled()
      let mark = link.marks.first
      if let mark, mark.index == index {
        apply(mark)
        continue
      }
      let count = min(held, mark.map { $0.index - index } ?? held)
      if count == 0 { break }
      switch placement {
      case ..<0: drop(Int(min(Int64(count), -placement)))
      case 0: allowance -= take(min(count, allowance), into: &output)
      default:
        // A stopped session does not wait for the end of a long silence.
        if isStopped, placement > Int64(link.ring.capacity) {
          return output.count > before ? .ready : .ended
        }
        silence = placement
        if isPositioned { link.count(gap: silence) }
        hasRested = false
      }
    }
    if output.count > before { return .ready }
    return isFinished && allowance > 0 ? .ended : .pending
  }

  private func fill(_ count: Int64) {
    filled.add(end..<end + count)
    end += count
  }

  func takeFilled() -> [Range<Int64>] { filled.take(before: end) }

  func takeWithdrawn() -> Int64? {
    dropCleared()
    // The end of a conversion's filter is behind the last sample, and not heard either.
    if isInterrupted { return end }
    defer { withdrawn = nil }
    return withdrawn
  }

  /// The most time that samples may be ahead of the time that has passed.
  static let lead = Duration.milliseconds(40)

  var lead: Duration? { Self.lead }

  /// Samples per channel that may be read now; 5 % more than the passed time and the lead, for no two clocks agree.
  private var allowance: Int {
    guard isPaced, !isStopped else { return .max }
    let now = MonotonicTime.now
    guard let begin else {
      if link.ring.filled() > 0 { begin = now }
      return leadLength
    }
    let passed = now.seconds(since: begin) * 1.05 * Double(link.format.sampleRate)
    return max(0, leadLength + Int(passed) - Int(end))
  }

  private var leadLength: Int {
    Int(TimePosition.time(Self.lead).samples(at: link.format.sampleRate))
  }

  /// The distance of the next sample behind the end of the stream.
  private var placement: Int64 {
    if isPositioned { return origin + position - end }
    return hasRested ? latency : 0
  }

  private func apply(_ mark: SourceMark) {
    if let place = mark.position {
      // Samples without a position have moved the origin of the client's count.
      if !isPositioned { origin = end - position }
      position = place
    }
    isPositioned = mark.position != nil
    link.passed.add(jump)
    jump = mark.jump
    link.marks.removeFirst()
  }

  /// - Returns: the number of samples per channel taken.
  private func take<Sample: AudioSample>(
    _ count: Int, into output: inout OutputSpan<Sample>
  ) -> Int {
    let held = unsafe link.ring.readable()
    let room = output.freeCapacity / link.format.channelCount
    let taken = min(count, room, held.count / link.sampleFrameSize)
    let bytes = unsafe RawSpan(_unsafeBytes: held[..<(taken * link.sampleFrameSize)])
    Sample.decode(bytes, as: link.layout, into: &output)
    pop(taken)
    if isInterrupted { (isInterrupted, withdrawn) = (false, end) }
    end += Int64(taken)
    return taken
  }

  /// Drops the samples that were there when the source was cleared, and takes back those that the session has read.
  private func dropCleared() {
    let last = link.clearedIndex
    guard cleared < last else { return }
    cleared = last
    isInterrupted = true
    guard index < last else { return }
    let rests = hasRested
    silence = 0
    while index < last {
      if let mark = link.marks.first, mark.index == index {
        apply(mark)
      } else {
        pop(min(last, link.marks.first?.index ?? last) - index)
      }
    }
    hasRested = rests
  }

  private func drop(_ count: Int) {
    link.late.add(Int64(count))
    pop(count)
  }

  private func pop(_ count: Int) {
    link.ring.pop(count)
    index += count
    position += Int64(count)
    hasRested = false
    link.passed.add(jump)
    jump = 0
  }

  func silenceStoodIn(samplesPerChannel count: Int64) {
    end += count
    hasRested = true
  }

  func stop() {
    isStopped = true
    silence = min(silence, Int64(link.ring.capacity))
    dismiss(isOver: false)
  }

  func dispose() { dismiss(isOver: true) }

  // A source that could not join is only released.
  deinit { dispose() }

  private func dismiss(isOver: Bool) {
    guard link.dismiss(isOver: isOver) else { return }
    onChange(isOver)
  }
}
