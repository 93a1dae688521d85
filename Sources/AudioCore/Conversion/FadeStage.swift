// SPDX-License-Identifier: Apache-2.0
/// Fades the beginning and the end of a stream.
///
/// Sample n of a fade-in of N samples is multiplied by the curve at n ⁄ N, sample k of the last N by the curve at
/// 1 − k ⁄ N. Nobody knows where a stream ends before it does, so a fade-out holds N samples back. Of a stream that
/// is shorter than a fade, the fade is cut at the stream's other end. Between the fades samples pass as they are.
final class FadeStage<Sample: AudioSample>: StreamStage {
  let inputFormat: StreamFormat
  var outputFormat: StreamFormat { inputFormat }
  private let curve: FadeCurve
  /// In samples per channel.
  private let fadeIn: Int64
  private let fadeOut: Int
  /// Samples per channel that have come.
  private var position: Int64 = 0
  /// The last samples that have come; empty where no fade-out is wanted.
  private let held = SampleQueue<Sample>()

  /// - Parameters:
  ///   - fadeIn: in samples per channel; 0 = none.
  ///   - fadeOut: likewise.
  init(format: StreamFormat, fadeIn: Int64, fadeOut: Int64, curve: FadeCurve) {
    inputFormat = format
    self.fadeIn = fadeIn
    self.fadeOut = Int(fadeOut)
    self.curve = curve
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    guard fadeOut > 0 else {
      append(input, to: output)
      return
    }
    let held = held
    append(input, to: held)
    let excess = held.count - fadeOut * width
    guard excess > 0 else { return }
    output.append(held.readable.extracting(first: excess))
    held.consume(excess)
  }

  /// Appends what has come, faded in.
  private func append(_ input: Span<Sample>, to target: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let length = input.count / width
    let fading = Int(min(max(0, fadeIn - position), Int64(length)))
    let begin = target.count
    target.append(input)
    if fading > 0 {
      let (first, whole) = (position, Double(fadeIn))
      Self.scale(target, begin..<begin + fading * width, width) {
        curve.factor(at: Double(first + Int64($0)) / whole)
      }
    }
    position += Int64(length)
  }

  func finish(into output: SampleQueue<Sample>) {
    let width = inputFormat.channelCount
    let held = held
    let length = held.count / width
    // The place of the first of them in the fade.
    let first = fadeOut - length
    let whole = Double(fadeOut)
    Self.scale(held, 0..<held.count, width) { curve.factor(at: 1 - Double(first + $0) / whole) }
    output.append(held.readable)
    held.removeAll()
  }

  /// Multiplies each sample of every channel by its factor.
  private static func scale(
    _ queue: SampleQueue<Sample>, _ range: Range<Int>, _ width: Int, by factor: (Int) -> Double
  ) {
    var samples = queue.writable(range)
    for index in 0..<samples.count / width {
      let factor = factor(index)
      for channel in 0..<width {
        samples[index * width + channel] = Sample(
          Double(samples[index * width + channel]) * factor)
      }
    }
  }
}
