// SPDX-License-Identifier: Apache-2.0
/// Σ: adds its inputs at unity, sample by sample, and hands the sum to `output`.
///
/// It advances by what its slowest input has; an input that has ended adds nothing more, so the level of
/// the others never depends on it. The sum is taken in the order of the inputs.
final class Mixer<Sample: AudioSample> {
  let output: Chain<Sample>
  let format: StreamFormat
  private(set) var inputs: [MixerInput<Sample>] = []
  private var hasOffsets = false
  /// Whether inputs may come at any time: the sum goes on without any, as far as ``limit``.
  private(set) var isOpen: Bool
  /// How far an open sum may go, in samples per channel; it never goes back.
  var limit: Int64 = 0
  /// Samples, across all channels, until the sum ends.
  private var remaining: Int64
  /// How far the sum is, in samples per channel.
  private(set) var position: Int64 = 0
  /// The part of the sum that comes from shared sources, for observers; nil if it is not made.
  private var sharedPart: Chain<Sample>?

  /// - Parameters:
  ///   - length: samples per channel after which the sum ends, whatever its inputs have.
  ///   - isOpen: whether inputs may come at any time.
  init(format: StreamFormat, length: Int64? = nil, isOpen: Bool = false) {
    self.isOpen = isOpen
    self.format = format
    remaining = length.map { $0 * Int64(format.channelCount) } ?? .max
    output = Chain(format: format)
  }

  /// Makes the stream of what the shared sources add to the sum, which is as long as the sum.
  func makeSharedPart() -> Chain<Sample> {
    let chain = Chain<Sample>(format: format)
    sharedPart = chain
    return chain
  }

  /// Adds an input.
  func add(_ input: MixerInput<Sample>) {
    precondition(input.chain.format == format)
    if input.silence > 0 || isOpen || position > 0 { hasOffsets = true }
    inputs.append(input)
  }

  /// Where the sum ends, whatever its inputs have, in samples per channel; nil = nowhere.
  var end: Int64? {
    remaining == .max ? nil : position + remaining / Int64(format.channelCount)
  }

  /// Whether it has come to its end.
  var isOver: Bool { remaining == 0 || output.isEnded }

  /// Lets the sum end no later than at `end`, in samples per channel.
  func end(at end: Int64) {
    remaining = min(remaining, max(0, end - position) * Int64(format.channelCount))
  }

  /// No input comes any more: the sum ends with the last of them.
  func close() { isOpen = false }

  /// By how much its live sources may be late.
  var tolerated: Duration { inputs.reduce(.zero) { max($0, $1.live?.intake.latency ?? .zero) } }

  /// Lets each input be as far ahead as the slowest is held back: what holds it back itself may give it all at once.
  /// One that is not live may be made before its time, as far ahead as a device is that plays it.
  func settleSlack(_ wait: Duration, beside buffer: Duration) {
    for input in inputs {
      let ahead = input.live == nil ? wait + buffer : wait
      input.chain.slack = Int(ahead.samples(at: format.sampleRate)) * format.channelCount
    }
  }

  /// How far an input that is not live may be ahead of the sum, in samples per channel.
  var mostAhead: Int64 {
    let slack = inputs.map { $0.live == nil ? $0.chain.slack : 0 }.max() ?? 0
    return Int64(output.blockLength + slack / format.channelCount)
  }

  /// Whether a live source feeds it.
  var isLive: Bool { inputs.contains { $0.live != nil } }

  /// Whether every live input has what a sum up to `due` takes of it, however its stages hold it back.
  func isSupplied(upTo due: Int64) -> Bool { inputs.allSatisfy { $0.lack(upTo: due) <= 0 } }

  /// Gives silence in the place of live sources that have nothing, as far as the clock has come.
  ///
  /// - Parameter clock: where the sum has to be by now, in samples per channel.
  func yieldSilence(upTo clock: Int64) throws(AudioError) {
    if output.isEnded { return }
    let next = output.isFull ? 0 : min(clock - position, Int64(output.blockLength))
    for input in inputs {
      try input.yieldSilence(
        upTo: clock, missing: next - input.available / Int64(format.channelCount))
    }
  }

  /// Leaves out the inputs that have not begun: nobody is to wait for them any more.
  func finishEarly() { inputs.removeAll { $0.silence > 0 } }

  /// Sums what can be summed, at most one block.
  ///
  /// - Returns: whether anything moved.
  func run() throws(AudioError) -> Bool {
    if output.isEnded {
      // What lies behind the sum's end is heard by nobody.
      for input in inputs { input.chain.output.removeAll() }
      return false
    }
    if output.isFull { return false }
    if isOpen { inputs.removeAll { $0.isExhausted } }
    if remaining == 0 || !isOpen && inputs.allSatisfy({ $0.isExhausted }) {
      if let sharedPart, !sharedPart.isEnded { try sharedPart.end() } else { try output.end() }
      return true
    }
    let sampleCount = nextSampleCount
    if sampleCount == 0 { return false }
    // Observers of a sum are called behind those of its parts.
    try sumSharedPart(sampleCount)
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

  /// Adds up the part of the sum that comes from shared inputs, if an observer stands there.
  private func sumSharedPart(_ sampleCount: Int) throws(AudioError) {
    guard let sharedPart, sharedPart.stageCount > 0 else { return }
    let target = sharedPart.input
    let begin = target.count
    target.appendSilence(sampleCount)
    for input in inputs where input.isShared {
      _ = input.add(atMost: sampleCount, to: target, at: begin)
    }
    try sharedPart.run()
  }

  private func sum(_ sampleCount: Int) {
    let target = output.input
    let begin = target.count
    // A single input passes as it is: adding it to zero would turn −0.0 into +0.0.
    if inputs.count == 1, !hasOffsets {
      let queue = inputs[0].chain.output
      target.append(queue.readable.extracting(first: sampleCount))
      queue.consume(sampleCount)
      return
    }
    target.appendSilence(sampleCount)
    for input in inputs {
      let (silent, count) = input.add(atMost: sampleCount, to: target, at: begin)
      input.silence -= Int64(silent)
      if count > 0 { input.chain.output.consume(count) }
    }
  }
}

/// A stream on its way into a sum, in the sum's format. Session thread only.
final class MixerInput<Sample: AudioSample> {
  /// The live source behind it, which may have nothing.
  struct Live {
    let intake: Intake<Sample>
    /// Whether where the stream stands in the sum cannot be told from what was read: it follows a clock.
    let isFollowing: Bool
  }

  let chain: Chain<Sample>
  /// Samples, across all channels, of silence before the input begins.
  fileprivate(set) var silence: Int64
  let live: Live?
  /// Whether it comes from a shared source.
  let isShared: Bool
  /// How long the stages on the way hold the stream back at most, in samples per channel of the sum.
  var heldBack: Int64 = 0
  /// What stands in the sum before and between its samples: the offset, and silence in their place.
  private let before: SampleCount

  /// - Parameters:
  ///   - offset: samples per channel of the sum before the input begins.
  ///   - live: nil where no live source feeds it by itself.
  ///   - isShared: whether it comes from a shared source.
  ///   - before: counts what stands in the sum in the place of the input's samples.
  init(
    _ chain: Chain<Sample>, offset: Int64, live: Live?, isShared: Bool, before: SampleCount
  ) {
    self.isShared = isShared
    self.chain = chain
    silence = offset * Int64(chain.format.channelCount)
    self.live = live
    self.before = before
  }

  /// Samples, across all channels, that can be summed now.
  var available: Int64 { silence + Int64(chain.output.count) }
  var isExhausted: Bool { chain.isEnded && available == 0 }

  /// Adds its next samples to those of `target` from `begin` on, and keeps them.
  ///
  /// - Parameter limit: samples across all channels, the silence before its own included.
  /// - Returns: how many samples are silence before its own, and how many of its own were added.
  fileprivate func add(
    atMost limit: Int, to target: SampleQueue<Sample>, at begin: Int
  ) -> (silent: Int, count: Int) {
    let silent = Int(min(silence, Int64(limit)))
    let queue = chain.output
    let count = min(limit - silent, queue.count)
    if count > 0 {
      var total = target.writable(begin + silent..<begin + silent + count)
      Sample.add(queue.readable.extracting(first: count), to: &total)
    }
    return (silent, count)
  }

  /// How much more of a live source the sum needs so that it can go on to `due` in any case; 0 or less where
  /// that is there. In samples per channel of the sum.
  fileprivate func lack(upTo due: Int64) -> Int64 {
    guard let live, !live.isFollowing, !chain.isEnded else { return 0 }
    let intake = live.intake
    let taken = AudioTime.rescaled(
      intake.position, from: intake.format.sampleRate, to: chain.format.sampleRate)
    return due + heldBack - before.samplesPerChannel - taken
  }

  /// Lets silence stand in for a live source that has nothing.
  ///
  /// A device's own samples are never pushed apart for a sum: what it lacks is put in here, at the end of its
  /// stream. Any other source has silence in its own stream, in front of everything that holds it back.
  ///
  /// - Parameter missing: samples per channel of the sum that it cannot go on by.
  fileprivate func yieldSilence(upTo due: Int64, missing: Int64) throws(AudioError) {
    guard let live, !chain.isEnded else { return }
    if live.intake.hasClock {
      guard missing > 0 else { return }
      chain.output.appendSilence(Int(missing) * chain.format.channelCount)
      live.intake.countMissing(
        AudioTime.rescaled(
          missing, from: chain.format.sampleRate, to: live.intake.format.sampleRate))
      before.samplesPerChannel += missing
    } else {
      // It may have more than one read gave.
      while lack(upTo: due) > 0, !live.intake.isDry, try live.intake.run() {}
      let lack = lack(upTo: due)
      guard lack > 0, live.intake.isDry else { return }
      let rates = ResamplingRatio(
        from: chain.format.sampleRate, to: live.intake.format.sampleRate)
      try live.intake.yieldSilence(rates.outputLength(of: lack))
    }
  }
}
