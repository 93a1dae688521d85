// SPDX-License-Identifier: Apache-2.0
/// Σ: adds its inputs at unity, sample by sample, in the order of the inputs, and hands the sum to `output`.
///
/// Its slowest input limits its advance. An input that has ended adds nothing more, so the level of the others never
/// depends on it.
final class Mixer<Sample: AudioSample> {
  let output: Chain<Sample>
  let format: StreamFormat
  private(set) var inputs: [MixerInput<Sample>] = []
  private var hasOffsets = false
  /// Whether inputs may join at any time: the sum goes on without any, up to ``limit``.
  private(set) var isOpen: Bool
  /// Whether another stream waits for the sum, even if its output is full.
  var isWanted: () -> Bool = { false }
  /// The end of an open sum for now, in samples per channel; it never goes back.
  var limit: Int64 = 0
  /// The samples left until the sum ends, across all channels.
  private var remaining: Int64
  /// The position of the sum, in samples per channel.
  private(set) var position: Int64 = 0
  /// The sums of some of the inputs, for observers and sinks, which are as long as the sum.
  private var parts: [PartOfSum<Sample>] = []
  /// The sums without a source that parts of another mixer add.
  private var remainders: [SumWithoutSource<Sample>] = []

  /// - Parameters:
  ///   - length: the length of the sum in samples per channel, regardless of its inputs.
  ///   - isOpen: whether inputs may join at any time.
  init(format: StreamFormat, length: Int64? = nil, isOpen: Bool = false) {
    self.isOpen = isOpen
    self.format = format
    remaining = length.map { $0 * Int64(format.channelCount) } ?? .max
    output = Chain(format: format)
  }

  /// Makes the stream of the shared sources' part of the sum.
  func makeSharedPart() -> Chain<Sample> {
    let part = PartOfSum<Sample>(format: format) { $0.isShared }
    parts.append(part)
    return part.chain
  }

  /// Makes the stream of the sum without the source of `key`.
  ///
  /// - Parameters:
  ///   - hasSink: whether a sink takes it; without one, only observers do.
  ///   - others: the sum that stands in for the input that is a sum itself; nil if there is none.
  func makePart(
    without key: SourceKey, hasSink: Bool, adding others: SumWithoutSource<Sample>?
  ) -> Chain<Sample> {
    let part = PartOfSum(format: format, hasSink: hasSink, adding: others) {
      $0.source != nil && $0.source != key
    }
    parts.append(part)
    return part.chain
  }

  /// Removes the part that ends in `chain`.
  ///
  /// - Returns: the sum that it added.
  func removePart(_ chain: Chain<Sample>) -> SumWithoutSource<Sample>? {
    guard let index = parts.firstIndex(where: { $0.chain === chain }) else { return nil }
    return parts.remove(at: index).others
  }

  /// Removes a sum that no part adds any more.
  func remove(_ sum: SumWithoutSource<Sample>) { remainders.removeAll { $0 === sum } }

  /// Makes the sum without the source of `key`, from the next sample on.
  func makeSum(without key: SourceKey) -> SumWithoutSource<Sample> {
    let sum = SumWithoutSource<Sample>(key, from: position)
    remainders.append(sum)
    return sum
  }

  func add(_ input: MixerInput<Sample>) {
    precondition(input.chain.format.sampleRate == format.sampleRate)
    if input.silence > 0 || isOpen || position > 0 { hasOffsets = true }
    inputs.append(input)
  }

  /// The end of the sum regardless of its inputs, in samples per channel; nil = none.
  var end: Int64? {
    remaining == .max ? nil : position + remaining / Int64(format.channelCount)
  }

  var isOver: Bool { remaining == 0 || output.isEnded }

  /// Ends the sum at `end` at the latest, in samples per channel.
  func end(at end: Int64) {
    remaining = min(remaining, max(0, end - position) * Int64(format.channelCount))
  }

  /// Closes the sum to new inputs: it ends with the last of them.
  func close() { isOpen = false }

  /// The tolerated lateness of its live sources.
  var tolerated: Duration {
    inputs.reduce(.zero) { max($0, $1.live?.sourceReader.latency ?? .zero) }
  }

  /// Lets each input be ahead by the delay of the slowest, since a delaying stage may give all samples at once. An
  /// input that is not live may also be ahead by the buffer of a device that plays it.
  func settleSlack(_ wait: Duration, beside buffer: Duration) {
    for input in inputs {
      let ahead = input.live == nil ? wait + buffer : wait
      input.chain.slack =
        Int(ahead.samples(at: format.sampleRate)) * input.chain.format.channelCount
    }
  }

  /// The maximum lead of an input that is not live over the sum, in samples per channel.
  var mostAhead: Int64 {
    let slack = inputs.map {
      $0.live == nil ? $0.chain.slack / $0.chain.format.channelCount : 0
    }.max()
    return Int64(output.blockLength + (slack ?? 0))
  }

  /// Whether a live source feeds the sum.
  var isLive: Bool { inputs.contains { $0.live != nil } }

  /// Whether every live input has the samples for a sum up to `due`, including the delay of its stages.
  func isSupplied(upTo due: Int64) -> Bool { inputs.allSatisfy { $0.lack(upTo: due) <= 0 } }

  /// Lets silence stand in for live sources without samples, up to the clock.
  ///
  /// - Parameter clock: the due position of the sum, in samples per channel.
  func yieldSilence(upTo clock: Int64) throws(AudioError) {
    if output.isEnded { return }
    let next = output.isFull ? 0 : min(clock - position, Int64(output.blockLength))
    for input in inputs {
      try input.yieldSilence(
        upTo: clock, missing: next - input.available / Int64(format.channelCount))
    }
  }

  /// Removes the inputs that have not begun: the sum no longer waits for them.
  func finishEarly() { inputs.removeAll { $0.silence > 0 } }

  /// Sums the available samples, at most one block.
  ///
  /// - Returns: whether samples moved.
  func run() throws(AudioError) -> Bool {
    if output.isEnded {
      // Drop the samples behind the sum's end.
      for input in inputs { input.chain.output.removeAll() }
      return false
    }
    if output.isFull || parts.contains(where: { $0.chain.isFull }), !isWanted() { return false }
    if isOpen { inputs.removeAll { $0.isExhausted } }
    if remaining == 0 || !isOpen && inputs.allSatisfy({ $0.isExhausted }) {
      try (parts.first { !$0.chain.isEnded }?.chain ?? output).end()
      return true
    }
    let sampleCount = nextSampleCount
    if sampleCount == 0 { return false }
    for input in inputs { input.silenceWithdrawn(sampleCount, at: position) }
    // The observers of a sum are called after those of its parts.
    for part in parts { try part.add(sampleCount, of: inputs, at: position) }
    for remainder in remainders { remainder.add(sampleCount, of: inputs) }
    sum(sampleCount)
    if remaining != .max { remaining -= Int64(sampleCount) }
    position += Int64(sampleCount / format.channelCount)
    try output.run()
    return true
  }

  private var nextSampleCount: Int {
    let block = output.blockLength * format.channelCount
    var shortest = min(Int64(block), remaining)
    if isOpen { shortest = min(shortest, max(0, limit - position) * Int64(format.channelCount)) }
    var longestEnded: Int64 = 0
    var isAnyRunning = false
    for input in inputs {
      if input.chain.isEnded {
        longestEnded = max(longestEnded, input.available)
      } else {
        isAnyRunning = true
        shortest = min(shortest, input.available)
      }
    }
    return Int(isAnyRunning || isOpen ? shortest : min(shortest, longestEnded))
  }

  private func sum(_ sampleCount: Int) {
    let target = output.input
    let begin = target.count
    // A single input passes unchanged: adding it to zero would turn −0.0 into +0.0.
    if inputs.count == 1, !hasOffsets, inputs[0].chain.format == format {
      return inputs[0].chain.output.move(sampleCount, to: target)
    }
    target.appendSilence(sampleCount)
    for input in inputs {
      let (silent, count) = input.add(atMost: sampleCount, to: target, at: begin)
      input.silence -= Int64(silent)
      if count > 0 { input.consume(count) }
    }
  }
}

/// A stream on its way into a sum, in the sum's format. Session thread only.
final class MixerInput<Sample: AudioSample> {
  /// The live source behind the input, which may have no samples.
  struct Live {
    let sourceReader: SourceReader<Sample>
    /// Whether the input follows a clock, so its position in the sum does not follow from the samples read.
    let isFollowing: Bool
  }

  let chain: Chain<Sample>
  /// The channels of the sum, and those of them that the input has for itself; nil if it is added to all of them.
  private let width: Int
  private let channels: Range<Int>?
  /// The samples of silence before the input begins, across all channels of the sum.
  fileprivate(set) var silence: Int64
  let live: Live?
  /// The source; nil if it is a sum.
  let source: SourceKey?
  let isShared: Bool
  /// The longest delay of the stages on the way, in samples per channel of the sum.
  var heldBack: Int64 = 0
  /// The samples of the sum before and between the input's own: the offset, and silence in their place.
  private let before: SampleCount
  private var withdrawal = Withdrawal<Sample>()

  /// - Parameters:
  ///   - source: nil if it is a sum.
  ///   - format: of the sum.
  ///   - firstChannel: the first channel that the input has for itself, from 0; nil if it has the format of the sum.
  ///   - offset: the samples per channel of the sum before the input begins.
  ///   - live: nil if no live source feeds it by itself.
  ///   - isShared: whether it comes from a shared source.
  ///   - before: counts the samples of the sum in place of the input's own.
  init(
    _ chain: Chain<Sample>, of source: SourceKey?, in format: StreamFormat, firstChannel: Int?,
    offset: Int64,
    live: Live?, isShared: Bool, before: SampleCount
  ) {
    self.source = source
    self.isShared = isShared
    self.chain = chain
    width = format.channelCount
    channels = firstChannel.map { $0..<$0 + chain.format.channelCount }
    silence = offset * Int64(width)
    self.live = live
    self.before = before
  }

  /// The samples that can be summed now, across all channels of the sum.
  var available: Int64 { silence + Int64(chain.output.count / chain.format.channelCount * width) }
  var isExhausted: Bool { chain.isEnded && available == 0 }

  /// Adds the input's next samples to those of `target` from `begin` on, without consuming them.
  ///
  /// - Parameter limit: samples across all channels of the sum, including the silence in front.
  /// - Returns: the samples of silence in front, and the samples added, both across all channels of the sum.
  func add(
    atMost limit: Int, to target: SampleQueue<Sample>, at begin: Int
  ) -> (silent: Int, count: Int) {
    let silent = Int(min(silence, Int64(limit)))
    let queue = chain.output
    let ownWidth = chain.format.channelCount
    let count = min(limit - silent, queue.count / ownWidth * width)
    if count > 0 {
      var total = target.writable(begin + silent..<begin + silent + count)
      let samples = queue.readable.extracting(first: count / width * ownWidth)
      if let channels {
        Sample.place(samples, in: channels, of: width, in: &total)
      } else {
        Sample.add(samples, to: &total)
      }
    }
    return (silent, count)
  }

  /// Silences the samples that the source has taken back.
  ///
  /// - Parameters:
  ///   - sampleCount: about to be summed, across all channels of the sum.
  ///   - position: of the first of them, in samples per channel of the sum.
  fileprivate func silenceWithdrawn(_ sampleCount: Int, at position: Int64) {
    guard let live else { return }
    if let end = live.sourceReader.takeWithdrawn() {
      let (from, to) = (live.sourceReader.format.sampleRate, chain.format.sampleRate)
      let place = before.samplesPerChannel + AudioTime.rescaled(end, from: from, to: to)
      withdrawal.extend(to: place, at: position)
    }
    withdrawal.apply(
      to: chain.output, chain.format, from: position + silence / Int64(width),
      upTo: position + Int64(sampleCount / width))
  }

  /// Drops the first samples.
  ///
  /// - Parameter count: across all channels of the sum.
  fileprivate func consume(_ count: Int) {
    chain.output.consume(count / width * chain.format.channelCount)
  }

  /// Returns the samples of a live source that the sum needs to reach `due` in any case; 0 or less if they are
  /// available. In samples per channel of the sum.
  fileprivate func lack(upTo due: Int64) -> Int64 {
    guard let live, !live.isFollowing, !chain.isEnded else { return 0 }
    let sourceReader = live.sourceReader
    let taken = AudioTime.rescaled(
      sourceReader.position, from: sourceReader.format.sampleRate, to: chain.format.sampleRate)
    return due + heldBack - before.samplesPerChannel - taken
  }

  /// Lets silence stand in for a live source without samples.
  ///
  /// A sum never pushes a device's own samples apart, so silence for a device enters at the end of its stream. Any
  /// other source gets silence at the beginning of its stream, in front of all delaying stages.
  ///
  /// - Parameter missing: the samples per channel of the sum that the input lacks.
  fileprivate func yieldSilence(upTo due: Int64, missing: Int64) throws(AudioError) {
    guard let live, !chain.isEnded else { return }
    if live.sourceReader.hasClock {
      guard missing > 0 else { return }
      chain.output.appendSilence(Int(missing) * chain.format.channelCount)
      live.sourceReader.countMissing(
        AudioTime.rescaled(
          missing, from: chain.format.sampleRate, to: live.sourceReader.format.sampleRate))
      before.samplesPerChannel += missing
    } else {
      // The source may have more than one read gave.
      while lack(upTo: due) > 0, !live.sourceReader.isDry, try live.sourceReader.run() {}
      let lack = lack(upTo: due)
      guard lack > 0, live.sourceReader.isDry else { return }
      let rates = ResamplingRatio(
        from: chain.format.sampleRate, to: live.sourceReader.format.sampleRate)
      try live.sourceReader.yieldSilence(rates.outputLength(of: lack))
    }
  }
}
