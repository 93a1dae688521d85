// SPDX-License-Identifier: Apache-2.0
/// Adds the frames of a virtual speaker's shared sources where they stand in the session, and hands the sum
/// on beside the mix. Session thread only.
///
/// The sum goes as far as every source has come that has not ended, and never further than the mix. What a
/// source gave by then is here: its frames pass the observer before the mix takes its samples.
final class SharedSum {
  /// One source: what it gave and was not handed on yet.
  private final class Input {
    let source: SourceID
    let queue = SampleQueue<Float>()
    /// Where the first sample in the queue stands, in samples per channel from the session's start.
    var start: Int64 = 0
    /// How much later the source is heard than it counts: silence stood in for it.
    var delay: Int64 = 0
    var hasEnded = false

    init(_ source: SourceID) { self.source = source }
  }

  private let target: PullLink?
  private let channelCount: Int
  /// How far the mix may go on without a source that has not ended: more than a frame and a rate conversion
  /// hold back. One that is later than that has nothing, as a live source may, and silence stands in for it.
  private let patience: Int64
  /// In the order of their beginning.
  private var inputs: [Input] = []
  /// Samples per channel that went out, and that the mix has come to.
  private var position: Int64 = 0
  private var mixPosition: Int64 = 0
  private let block = SampleQueue<Float>()

  init(into target: PullLink?, format: StreamFormat) {
    self.target = target
    channelCount = format.channelCount
    patience = Int64(format.sampleRate)
  }

  /// Frames of `source` will follow.
  func begin(_ source: SourceID) {
    inputs.append(Input(source))
  }

  /// Adds a frame that begins at `place`, in samples per channel from the session's start.
  func add(_ samples: Span<Float>, from source: SourceID, at place: Int64) {
    guard let input = inputs.first(where: { $0.source == source && !$0.hasEnded }) else { return }
    input.delay = max(input.delay, position - place)
    let place = place + input.delay
    if input.queue.isEmpty { input.start = place }
    let gap = place - end(of: input)
    input.queue.appendSilence(Int(max(0, gap)) * channelCount)
    input.queue.append(samples)
    emit()
  }

  /// No frame of `source` follows.
  func end(_ source: SourceID) {
    for input in inputs where input.source == source { input.hasEnded = true }
    emit()
  }

  /// The mix has come to `position`, in samples per channel.
  func follow(mixAt position: Int64) {
    mixPosition = max(mixPosition, position)
    emit()
  }

  /// Hands on everything: no more frames come.
  func finish() { emit(upTo: inputs.map(end).max() ?? 0) }

  private func end(of input: Input) -> Int64 {
    input.start + Int64(input.queue.count / channelCount)
  }

  private func emit() {
    let waitedFor = inputs.filter { !$0.hasEnded }.map(end).min()
    // Nothing follows the last sample of the last source.
    let common = waitedFor.map { max($0, mixPosition - patience) } ?? inputs.map(end).max() ?? 0
    emit(upTo: min(common, mixPosition))
  }

  private func emit(upTo goal: Int64) {
    while position < goal {
      let count = Int(min(goal - position, Int64(BlockSize.samples / channelCount)))
      emit(count)
      position += Int64(count)
    }
    inputs.removeAll { $0.hasEnded && $0.queue.isEmpty && end(of: $0) < position }
  }

  /// Hands on the next `length` samples per channel.
  private func emit(_ length: Int) {
    let block = block
    block.removeAll()
    block.appendSilence(length * channelCount)
    for input in inputs where !input.queue.isEmpty {
      let queue = input.queue
      let offset = Int(min(max(0, input.start - position), Int64(length))) * channelCount
      let count = min(queue.count, length * channelCount - offset)
      if count == 0 { continue }
      var total = block.writable(offset..<offset + count)
      Float.add(queue.readable.extracting(first: count), to: &total)
      queue.consume(count)
      input.start += Int64(count / channelCount)
    }
    _ = target?.write(block.readable)
  }
}
