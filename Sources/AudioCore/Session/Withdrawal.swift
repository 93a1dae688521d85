// SPDX-License-Identifier: Apache-2.0
/// The part of a sum in which an input is silent, because its source has taken its samples back. Session thread only.
///
/// The first of them fade out like a gain that changes, because a step would click.
struct Withdrawal<Sample: AudioSample> {
  /// In samples per channel of the sum.
  private var range: Range<Int64> = 0..<0

  /// Silences all samples up to `end`.
  ///
  /// - Parameters:
  ///   - end: in samples per channel of the sum.
  ///   - position: of the next sample of the sum.
  mutating func extend(to end: Int64, at position: Int64) {
    let goesOn = !range.isEmpty && range.lowerBound <= position && position <= range.upperBound
    let begin = goesOn ? range.lowerBound : position
    if begin < end { range = begin..<max(end, range.upperBound) }
  }

  /// Silences the first samples of a queue, up to a place in the sum.
  ///
  /// - Parameters:
  ///   - queue: the input's samples, in `format`.
  ///   - first: the place of its first sample, in samples per channel of the sum.
  ///   - last: the place behind the samples that are about to be summed.
  func apply(
    to queue: SampleQueue<Sample>, _ format: StreamFormat, from first: Int64, upTo last: Int64
  ) {
    let width = format.channelCount
    let held = first + Int64(queue.count / width)
    let part = range.clamped(to: first..<max(first, min(last, held)))
    if part.isEmpty { return }
    let length = ChannelGain<Sample>.glide.samples(at: format.sampleRate)
    let fade = part.clamped(to: range.lowerBound..<range.lowerBound + length)
    func samples(_ places: Range<Int64>) -> Range<Int> {
      Int(places.lowerBound - first) * width..<Int(places.upperBound - first) * width
    }
    if !fade.isEmpty {
      var fading = queue.writable(samples(fade))
      let factors = fade.map { Double(range.lowerBound + length - 1 - $0) / Double(length) }
      Sample.scale(&fading, frames: width, by: factors)
    }
    let rest = max(part.lowerBound, fade.upperBound)..<part.upperBound
    if !rest.isEmpty {
      var silent = queue.writable(samples(rest))
      silent.update(repeating: 0)
    }
  }
}
