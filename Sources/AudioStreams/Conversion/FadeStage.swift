// SPDX-License-Identifier: Apache-2.0
/// Fades the beginning and the end of a stream.
///
/// Sample n of a fade-in of N samples is multiplied by the curve at n ⁄ N, sample k of the last N by the curve at 1 − k
/// ⁄ N. The end of a stream is unknown beforehand, so a fade-out holds N samples back. If the stream is shorter than a
/// fade, the fade is cut at the stream's other end. Between the fades samples pass unchanged.
package final class FadeStage<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  private let curve: FadeCurve
  /// The lengths of the fades in samples per channel.
  private let fadeIn: Int64
  private let fadeOut: Int
  /// Samples per channel so far.
  private var position: Int64 = 0
  /// The last samples so far; empty without a fade-out.
  private let held: DelayBuffer<Sample>
  /// A block of faded-in samples on its way to the fade-out.
  private let fadedIn = SampleQueue<Sample>()
  /// The factors of a block of sample frames.
  private var factors = [Double](repeating: 0, count: 1_024)

  /// - Parameters:
  ///   - fadeIn: the length in samples per channel; 0 = none.
  ///   - fadeOut: the length in samples per channel; 0 = none.
  package init(format: StreamFormat, fadeIn: Int64, fadeOut: Int64, curve: FadeCurve) {
    inputFormat = format
    self.fadeIn = fadeIn
    self.fadeOut = Int(fadeOut)
    self.curve = curve
    held = DelayBuffer(expectedCount: min(Int(fadeOut), 1 << 32) * format.channelCount)
  }

  package var isFinished: Bool { held.isEmpty }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let length = Int64(input.count / width)
    let fading = Int(min(max(0, fadeIn - position), length)) * width
    if fadeOut == 0 {
      appendFadedIn(input.extracting(first: fading), to: output)
      output.append(input.extracting(droppingFirst: fading))
    } else {
      if fading > 0 {
        let fadedIn = fadedIn
        appendFadedIn(input.extracting(first: fading), to: fadedIn)
        held.append(fadedIn.readable)
        fadedIn.removeAll()
      }
      held.append(input.extracting(droppingFirst: fading))
      held.move(max(0, held.count - fadeOut * width), to: output)
    }
    position += length
  }

  private func appendFadedIn(_ input: Span<Sample>, to output: SampleQueue<Sample>) {
    let begin = output.count
    output.append(input)
    scale(output, from: begin, at: position, of: fadeIn, isFalling: false)
  }

  /// Gives a block of the held samples.
  package func finish(into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let length = held.count / width
    let begin = output.count
    held.move(min(length, BlockSize.samplesPerChannel(inputFormat)) * width, to: output)
    // The place of the first held sample in the fade.
    let first = fadeOut - length
    scale(output, from: begin, at: Int64(first), of: Int64(fadeOut), isFalling: true)
  }

  /// Multiplies the samples of `queue` from `begin` on by the curve from its place `first` on.
  private func scale(
    _ queue: SampleQueue<Sample>, from begin: Int, at first: Int64, of whole: Int64, isFalling: Bool
  ) {
    let width = inputFormat.channelCount
    var begin = begin
    var first = first
    while begin < queue.count {
      let count = min(factors.count, (queue.count - begin) / width)
      curve.fill(&factors, count, from: first, of: whole, isFalling: isFalling)
      var samples = queue.writable(begin..<begin + count * width)
      Sample.scale(&samples, frames: width, by: factors)
      begin += count * width
      first += Int64(count)
    }
  }
}
