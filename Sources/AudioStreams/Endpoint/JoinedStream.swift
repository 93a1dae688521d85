// SPDX-License-Identifier: Apache-2.0
/// What a ``SequenceSource`` needs of its stream, whose sample type it does not know.
protocol SequenceStream: AnyObject {
  /// Whether the item that runs is converted.
  var isConverting: Bool { get }

  /// Reads a block of an item, and moves it on.
  ///
  /// - Parameter layout: where the item's channels belong; nil = as usual.
  /// - Returns: what the item said, and how many samples per channel it gave.
  func fill(
    from item: any AudioSource, _ format: StreamFormat, _ layout: Metadata.ChannelLayout?,
    quality: ResamplerQuality
  ) throws(AudioError) -> (SourceStatus, Int64)

  /// The item has ended, and so has what was converted with it.
  ///
  /// - Parameter position: where the next one begins in the stream without overlap, in samples per channel.
  /// - Returns: false where it was too short for its crossfades.
  func endItem(at position: Int64, isLast: Bool) throws(AudioError) -> Bool

  /// In samples per channel.
  func appendSilence(_ count: Int64)

  /// The next item begins at `position`.
  func begin(hasSuccessor: Bool, at position: Int64)

  /// Moves what is ready to `target`, as far as it has room.
  ///
  /// - Returns: whether there was any.
  func take<Target: AudioSample>(into target: inout OutputSpan<Target>) -> Bool
}

/// The stream of a sequence: converts items, keeps them to their lengths, and lays their ends over each other.
///
/// In front of an overlap the last samples of an item are held back; the first ones of the next are added to them.
/// Session thread only.
package final class JoinedStream<Sample: AudioSample>: SequenceStream {
  private let format: StreamFormat
  /// Samples per channel in which two neighbours overlap.
  private let overlap: Int
  private let curve: FadeCurve
  private var chain: Chain<Sample>?
  /// The end of the item before, until the present one is over it.
  private var previous: SampleHold<Sample>
  /// The end of the present item, as far as it has come.
  private var held: SampleHold<Sample>
  private let ready = SampleQueue<Sample>()
  /// Silence behind what is ready, in samples per channel.
  private var silence: Int64 = 0
  private var hasSuccessor: Bool
  private var isFirst = true
  /// Where the conversion that runs began, and how many samples per channel it gave.
  private var beginning: Int64 = 0
  private var given: Int64 = 0
  /// Samples per channel of the present item that were laid over the one before.
  private var laid = 0
  /// A block of the item before that the present one is laid over.
  private let covered = SampleQueue<Sample>()
  /// By which a block of two items is multiplied where they overlap.
  private var falling = [Double](repeating: 0, count: 1_024)
  private var rising = [Double](repeating: 0, count: 1_024)

  /// - Parameters:
  ///   - overlap: samples per channel.
  ///   - hasSuccessor: whether another item follows the first.
  package init(_ format: StreamFormat, overlap: Int64, curve: FadeCurve, hasSuccessor: Bool) {
    self.format = format
    self.overlap = Int(overlap)
    self.curve = curve
    self.hasSuccessor = hasSuccessor
    previous = SampleHold(expectedCount: min(self.overlap, 1 << 32) * format.channelCount)
    held = SampleHold(expectedCount: min(self.overlap, 1 << 32) * format.channelCount)
  }

  private var width: Int { format.channelCount }

  package var isConverting: Bool { chain != nil }

  package func fill(
    from item: any AudioSource, _ format: StreamFormat, _ layout: Metadata.ChannelLayout?,
    quality: ResamplerQuality
  ) throws(AudioError) -> (SourceStatus, Int64) {
    let running: Chain<Sample>
    if let chain {
      running = chain
    } else {
      running = Chain(format: format, layout)
      try running.convert(to: self.format, quality: quality)
      chain = running
    }
    let queue = running.input
    let before = queue.count
    let status = try running.read(from: item)
    let count = Int64((queue.count - before) / format.channelCount)
    try running.run()
    move(running.output, atMost: .max)
    return (status, count)
  }

  /// Moves on what was converted.
  private func move(_ queue: SampleQueue<Sample>, atMost limit: Int64) {
    let length = min(Int64(queue.count / width), limit)
    given += length
    take(queue, Int(length) * width)
    queue.removeAll()
  }

  private func take(_ queue: SampleQueue<Sample>, _ sampleCount: Int) {
    var begin = 0
    if !isFirst, laid < overlap {
      begin = min(sampleCount, (overlap - laid) * width)
      lay(queue, begin)
    }
    let rest = queue.readable.extracting(begin..<sampleCount)
    guard overlap > 0, hasSuccessor else {
      ready.append(rest)
      return
    }
    held.append(rest)
    held.move(max(0, held.count - overlap * width), to: ready)
  }

  /// Adds the next samples of an item to the end of the one before.
  private func lay(_ queue: SampleQueue<Sample>, _ sampleCount: Int) {
    var taken = 0
    while taken < sampleCount {
      let count = min(rising.count, (sampleCount - taken) / width)
      lay(queue.readable.extracting(taken..<taken + count * width), count)
      taken += count * width
      laid += count
    }
  }

  private func lay(_ new: Span<Sample>, _ count: Int) {
    let covered = covered
    previous.move(count * width, to: covered)
    let (first, whole) = (Int64(laid), Int64(overlap))
    curve.fill(&falling, count, from: first, of: whole, isFalling: true)
    curve.fill(&rising, count, from: first, of: whole)
    ready.append(atMost: count * width) { target in
      Sample.blend(covered.readable, by: falling, new, by: rising, frames: width, into: &target)
    }
    covered.removeAll()
  }

  package func endItem(at position: Int64, isLast: Bool) throws(AudioError) -> Bool {
    if let chain {
      try chain.end()
      // A conversion gives the last sample that begins within its duration; where the next item begins may be
      // before that.
      move(chain.output, atMost: position - beginning - given)
      self.chain = nil
    }
    if overlap == 0 { return true }
    guard isFirst || laid == overlap else { return false }
    guard !isLast else { return true }
    guard held.count == overlap * width else { return false }
    swap(&previous, &held)
    return true
  }

  func appendSilence(_ count: Int64) { silence += count }

  package func begin(hasSuccessor: Bool, at position: Int64) {
    self.hasSuccessor = hasSuccessor
    isFirst = false
    laid = 0
    if chain == nil {
      beginning = position
      given = 0
    }
  }

  package func take<Target: AudioSample>(into target: inout OutputSpan<Target>) -> Bool {
    let free = target.freeCapacity - target.freeCapacity % width
    let ready = ready
    if !ready.isEmpty {
      let count = min(ready.count, free)
      Sample.present(ready.readable.extracting(first: count), in: &target)
      ready.consume(count)
      return true
    }
    guard silence > 0 else { return false }
    let length = min(silence, Int64(free / width))
    target.append(repeating: 0, count: Int(length) * width)
    silence -= length
    return true
  }
}
