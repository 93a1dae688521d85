// SPDX-License-Identifier: Apache-2.0
/// The interface between a ``SequenceSource`` and its stream, whose sample type it does not know.
protocol SequenceStream: AnyObject {
  /// Whether the item that runs is converted.
  var isConverting: Bool { get }

  /// Reads a block of an item and converts it.
  ///
  /// - Parameter layout: the item's loudspeakers; nil = the usual ones.
  /// - Returns: the item's status, and how many samples per channel it gave.
  func fill(
    from item: any AudioSource, _ format: StreamFormat, _ layout: Metadata.ChannelLayout?,
    quality: ResamplerQuality
  ) throws(AudioError) -> (SourceStatus, Int64)

  /// Ends the present item and its conversion.
  ///
  /// - Parameter position: the beginning of the next item without overlap, in samples per channel of the stream.
  /// - Returns: false if the item was too short for its crossfades.
  func endItem(at position: Int64, isLast: Bool) throws(AudioError) -> Bool

  /// Appends silence, in samples per channel.
  func appendSilence(_ count: Int64)

  func begin(hasSuccessor: Bool, at position: Int64)

  /// Moves ready samples to `target` until it is full.
  ///
  /// - Returns: whether there were any.
  func take<Target: AudioSample>(into target: inout OutputSpan<Target>) -> Bool
}

/// The stream of a sequence: converts items, keeps their lengths exact, and overlaps their ends.
///
/// It holds back the last samples of an item in front of an overlap, and adds the first samples of the next item to
/// them. Session thread only.
package final class JoinedStream<Sample: AudioSample>: SequenceStream {
  private let format: StreamFormat
  /// Samples per channel in which two neighbours overlap.
  private let overlap: Int
  private let curve: FadeCurve
  private var chain: Chain<Sample>?
  /// The end of the previous item, until the present one has covered it.
  private var previous: DelayBuffer<Sample>
  /// The end of the present item so far.
  private var held: DelayBuffer<Sample>
  private let ready = SampleQueue<Sample>()
  /// The silence behind the ready samples, in samples per channel.
  private var silence: Int64 = 0
  private var hasSuccessor: Bool
  private var isFirst = true
  /// The beginning of the present conversion in the stream, and its output so far; both in samples per channel.
  private var beginning: Int64 = 0
  private var given: Int64 = 0
  /// Samples per channel of the present item that already overlap the previous one.
  private var laid = 0
  /// A block of the previous item that the present one overlaps.
  private let covered = SampleQueue<Sample>()
  /// The factors for a block of two overlapping items.
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
    previous = DelayBuffer(expectedCount: min(self.overlap, 1 << 32) * format.channelCount)
    held = DelayBuffer(expectedCount: min(self.overlap, 1 << 32) * format.channelCount)
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
      try running.convert(to: self.format, quality: quality, isLive: false)
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

  /// Takes the converted samples.
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
      crossfade(queue, begin)
    }
    let rest = queue.readable.extracting(begin..<sampleCount)
    guard overlap > 0, hasSuccessor else {
      ready.append(rest)
      return
    }
    held.append(rest)
    held.move(max(0, held.count - overlap * width), to: ready)
  }

  /// Adds the next samples of an item to the end of the previous one.
  private func crossfade(_ queue: SampleQueue<Sample>, _ sampleCount: Int) {
    var taken = 0
    while taken < sampleCount {
      let count = min(rising.count, (sampleCount - taken) / width)
      crossfade(queue.readable.extracting(taken..<taken + count * width), count)
      taken += count * width
      laid += count
    }
  }

  private func crossfade(_ new: Span<Sample>, _ count: Int) {
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
      // A conversion gives every sample that begins within its duration; the next item may begin before the last one.
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
    if ready.take(into: &target, channelCount: width) { return true }
    guard silence > 0 else { return false }
    let length = min(silence, Int64(target.freeCapacity / width))
    target.append(repeating: 0, count: Int(length) * width)
    silence -= length
    return true
  }
}
