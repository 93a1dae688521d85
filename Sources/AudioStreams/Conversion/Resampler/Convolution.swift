// SPDX-License-Identifier: Apache-2.0
/// Computes the output samples of a rate conversion from a piece of its input.
///
/// It works on the input with taps/2 − 1 zeros before it, so that output n reads the `taps` samples from ⌊n × step /
/// phase count⌋ on. An output does not depend on the others that are computed with it. It owns scratch memory: one
/// thread at a time.
protocol Convolution<Sample>: AnyObject {
  associatedtype Sample: AudioSample

  /// The first sample per channel that output `index` and all later ones need.
  func firstSample(forOutput index: Int64) -> Int64

  /// The number of outputs, from the first one on, that need no sample from `end` on.
  ///
  /// - Parameter inWholeBatches: only as many as are best computed together.
  func outputCount(before end: Int64, inWholeBatches: Bool) -> Int64

  /// Writes interleaved output samples.
  ///
  /// - Parameters:
  ///   - outputs: their numbers, from the start of the stream.
  ///   - samples: a piece of the stream, interleaved, with all samples that the outputs need.
  ///   - start: the beginning of the piece, in samples per channel.
  ///   - target: has room for them.
  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>)
}

extension Convolution {
  /// Appends interleaved output samples to a queue.
  func append(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    channelCount: Int, to queue: SampleQueue<Sample>
  ) {
    let count = outputs.count * channelCount
    queue.append(atMost: count) { target in
      unsafe target.appendSamples(count) { first in
        unsafe convolve(outputs, from: samples, startingAt: start, to: first)
      }
    }
  }
}

/// A convolution that computes one output after the other, two channels at a time: for ratios whose coefficients repeat
/// too late for ``TileConvolution``, or never.
final class RowConvolution<Sample: AudioSample>: Convolution {
  private let filter: PolyphaseFilter<Sample>
  private let ratio: ResamplingRatio
  private let channelCount: Int
  private var history: ChannelHistory<Sample>

  init(_ filter: PolyphaseFilter<Sample>, _ ratio: ResamplingRatio, channelCount: Int) {
    self.filter = filter
    self.ratio = ratio
    self.channelCount = channelCount
    history = ChannelHistory(channelCount: channelCount, capacity: 0)
  }

  func firstSample(forOutput index: Int64) -> Int64 { ratio.point(ofOutput: index).sample }

  func outputCount(before end: Int64, inWholeBatches: Bool) -> Int64 {
    ratio.outputLength(of: max(0, end - Int64(filter.taps) + 1))
  }

  func convolve(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    to target: UnsafeMutablePointer<Sample>
  ) {
    let length = samples.count / channelCount
    history.drop(history.count)
    if history.room < length {
      history = ChannelHistory(channelCount: channelCount, capacity: length)
    }
    history.append(samples)
    let (sample, phase) = ratio.point(ofOutput: outputs.lowerBound)
    let point = RationalPoint(ratio: ratio, index: Int(sample - start), phase: phase)
    unsafe AudioStreams.convolve(filter, history, from: point, outputs.count, to: target)
  }
}
