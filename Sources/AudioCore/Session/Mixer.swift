/// Σ: adds its inputs at unity, sample by sample, and hands the sum to `output`.
///
/// It advances by what its slowest input has; an input that has ended adds nothing more, so the level of
/// the others never depends on it. The sum is taken in the order of the inputs.
final class Mixer<Sample: AudioSample> {
  private struct Input {
    let chain: Chain<Sample>
    /// Samples, across all channels, of silence before the input begins.
    var silence: Int64
    /// The live source that feeds it, which may have nothing.
    let liveSource: SourceID?
    /// What stands in the sum before and between its samples: the offset, and silence in their place.
    let before: SampleCount

    var available: Int64 { silence + Int64(chain.output.count) }
    var isExhausted: Bool { chain.isEnded && available == 0 }
  }

  let output: Chain<Sample>
  let format: StreamFormat
  private var inputs: [Input] = []
  private var hasOffsets = false
  /// Samples, across all channels, until the sum ends.
  private var remaining: Int64
  /// How far the sum is, in samples per channel.
  private var position: Int64 = 0
  /// Samples per channel of silence that stood in for live sources which had nothing.
  private(set) var missing: [SourceID: Int64] = [:]

  /// - Parameter length: samples per channel after which the sum ends, whatever its inputs have.
  init(format: StreamFormat, length: Int64? = nil) {
    self.format = format
    remaining = length.map { $0 * Int64(format.channelCount) } ?? .max
    output = Chain(format: format)
  }

  /// Adds an input that is already in the mixer's format and begins after `offset` samples per channel.
  ///
  /// - Parameters:
  ///   - liveSource: that feeds it, if one does.
  ///   - before: counts what stands in the sum in the place of the input's samples.
  func add(
    _ chain: Chain<Sample>, offset: Int64, liveSource: SourceID?, before: SampleCount
  ) {
    precondition(chain.format == format)
    if offset > 0 { hasOffsets = true }
    inputs.append(
      Input(
        chain: chain, silence: offset * Int64(format.channelCount), liveSource: liveSource,
        before: before))
  }

  /// Whether a live source feeds it.
  var isLive: Bool { inputs.contains { $0.liveSource != nil } }

  /// Gives silence in the place of live sources that have nothing, as far as the clock has come.
  ///
  /// - Parameter clock: where the sum has to be by now, in samples per channel.
  func yieldSilence(upTo clock: Int64) {
    let needed = min(clock - position, Int64(output.blockLength))
    guard needed > 0, !output.isEnded, !output.isFull else { return }
    for input in inputs where !input.chain.isEnded {
      let count = needed - input.available / Int64(format.channelCount)
      guard let source = input.liveSource, count > 0 else { continue }
      input.chain.output.appendSilence(Int(count) * format.channelCount)
      missing[source, default: 0] += count
      input.before.samplesPerChannel += count
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
    if remaining == 0 || inputs.allSatisfy({ $0.isExhausted }) {
      try output.end()
      return true
    }
    let sampleCount = nextSampleCount
    if sampleCount == 0 { return false }
    sum(sampleCount)
    remaining -= Int64(sampleCount)
    position += Int64(sampleCount / format.channelCount)
    try output.run()
    return true
  }

  private var nextSampleCount: Int {
    let block = output.blockLength * format.channelCount
    var shortest = min(Int64(block), remaining)
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
    return Int(isAnyRunning ? shortest : min(shortest, longestEnded))
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
    for index in inputs.indices {
      let silent = Int(min(inputs[index].silence, Int64(sampleCount)))
      inputs[index].silence -= Int64(silent)
      let queue = inputs[index].chain.output
      let count = min(sampleCount - silent, queue.count)
      if count == 0 { continue }
      var total = target.writable(begin + silent..<begin + silent + count)
      Sample.add(queue.readable.extracting(first: count), to: &total)
      queue.consume(count)
    }
  }
}
