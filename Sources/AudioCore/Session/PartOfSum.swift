// SPDX-License-Identifier: Apache-2.0
/// The sum of some inputs of a mixer, which goes to observers and sinks of its own beside the whole sum. Session thread
/// only.
final class PartOfSum<Sample: AudioSample> {
  let chain: Chain<Sample>
  private let takes: (MixerInput<Sample>) -> Bool
  /// Whether a sink takes the part.
  private let hasSink: Bool
  /// A sum that it adds in place of an input.
  let others: SumWithoutSource<Sample>?

  /// - Parameters:
  ///   - format: of the whole sum.
  ///   - hasSink: whether a sink takes the part; without one, only observers do.
  ///   - others: a sum to add in place of an input; the part begins with it.
  ///   - takes: whether an input is in the part.
  init(
    format: StreamFormat, hasSink: Bool = false, adding others: SumWithoutSource<Sample>? = nil,
    _ takes: @escaping (MixerInput<Sample>) -> Bool
  ) {
    chain = Chain(format: format)
    self.hasSink = hasSink
    self.others = others
    self.takes = takes
  }

  /// The position of the first sample of the part, in samples per channel of the sum.
  var begin: Int64 { others?.begin ?? 0 }

  /// Sums the next samples of the inputs, which it does not consume, and runs the chain.
  ///
  /// - Parameters:
  ///   - sampleCount: across all channels.
  ///   - position: of the first sample in the whole sum, in samples per channel.
  func add(
    _ sampleCount: Int, of inputs: [MixerInput<Sample>], at position: Int64
  ) throws(AudioError) {
    let width = Int64(chain.inputFormat.channelCount)
    let skipped = Int(min(max(0, begin - position) * width, Int64(sampleCount)))
    guard skipped < sampleCount else { return }
    guard hasSink || chain.stageCount > 0 else {
      others?.drop(sampleCount - skipped)
      return
    }
    let target = chain.input
    let start = target.count
    target.appendSilence(sampleCount)
    for input in inputs where takes(input) {
      _ = input.add(atMost: sampleCount, to: target, at: start)
    }
    // The part begins with these samples, so nothing stands in front of them.
    if skipped > 0 { target.consume(skipped) }
    others?.move(sampleCount - skipped, to: target, at: start)
    try chain.run()
  }
}

/// The sum of a mixer's inputs without one source, kept until another mixer adds it in place of the whole sum. Session
/// thread only.
final class SumWithoutSource<Sample: AudioSample> {
  /// The position of its first sample, in samples per channel of the sum.
  let begin: Int64
  private let source: SourceKey
  private let queue = SampleQueue<Sample>()

  /// - Parameters:
  ///   - source: the source to leave out.
  ///   - begin: the position of the first sample, in samples per channel.
  init(_ source: SourceKey, from begin: Int64) {
    self.source = source
    self.begin = begin
  }

  /// Sums the next samples of the inputs, which it does not consume.
  ///
  /// - Parameter sampleCount: across all channels.
  func add(_ sampleCount: Int, of inputs: [MixerInput<Sample>]) {
    let start = queue.count
    queue.appendSilence(sampleCount)
    for input in inputs where input.source != source {
      _ = input.add(atMost: sampleCount, to: queue, at: start)
    }
  }

  /// Drops its first samples.
  ///
  /// - Parameter sampleCount: across all channels.
  func drop(_ sampleCount: Int) { queue.consume(min(sampleCount, queue.count)) }

  /// Adds its first samples to those of `target` from `start` on, and drops them.
  ///
  /// - Parameter sampleCount: across all channels.
  func move(_ sampleCount: Int, to target: SampleQueue<Sample>, at start: Int) {
    let queue = queue
    // An observer that changes the length of the whole sum changes nothing here.
    let count = min(sampleCount, queue.count)
    guard count > 0 else { return }
    var total = target.writable(start..<start + count)
    Sample.add(queue.readable.extracting(first: count), to: &total)
    queue.consume(count)
  }
}
