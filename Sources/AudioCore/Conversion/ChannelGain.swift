// SPDX-License-Identifier: Apache-2.0
/// Multiplies every channel by its own factor, which may change on the way.
///
/// A change takes ``glide`` of the stream, in a straight line: a step would click.
final class ChannelGain<Sample: AudioSample>: StreamStage {
  let inputFormat: StreamFormat
  var outputFormat: StreamFormat { inputFormat }
  private var factors: [Double] { didSet { uniform = Self.common(factors) } }
  private var uniform: Double?
  /// Where the factors were when they began to change, and how many samples per channel of that are left.
  private var change: (from: [Double], left: Int)?
  private let glideLength: Int

  /// How long a change takes.
  static var glide: Duration { .milliseconds(10) }

  /// - Parameter factors: one for each channel.
  init(_ factors: [Double], format: StreamFormat) {
    precondition(factors.count == format.channelCount)
    inputFormat = format
    self.factors = factors
    uniform = Self.common(factors)
    glideLength = Int(Self.glide.samples(at: format.sampleRate))
  }

  /// Changes the factors, from the next sample on.
  func set(_ factors: [Double]) {
    precondition(factors.count == self.factors.count)
    if factors == self.factors { return }
    change = (from: self.factors.indices.map(current), left: glideLength)
    self.factors = factors
  }

  private static func common(_ factors: [Double]) -> Double? {
    Set(factors).count == 1 ? factors[0] : nil
  }

  /// The factor of a channel where the stream is now.
  private func current(_ channel: Int) -> Double {
    guard let change else { return factors[channel] }
    let rest = Double(change.left) / Double(glideLength)
    return factors[channel] + (change.from[channel] - factors[channel]) * rest
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    var input = input
    if change != nil { input = input.extracting(droppingFirst: glide(input, into: output)) }
    // What leaves the samples as they are leaves −0.0, too.
    if uniform == 1 { return output.append(input) }
    output.append(atMost: input.count) { target in
      unsafe target.appendSamples(input.count) { samples in
        unsafe input.withUnsafeBufferPointer { source in
          guard let from = source.baseAddress else { return }
          if let uniform {
            unsafe KernelTable.current[Sample.precision].multiply(
              from, source.count, uniform, samples)
          } else {
            unsafe scale(from, source.count, by: factors, to: samples)
          }
        }
      }
    }
  }

  /// Moves through the change.
  ///
  /// - Returns: how many samples, across all channels, that took.
  private func glide(_ input: Span<Sample>, into output: SampleQueue<Sample>) -> Int {
    let width = factors.count
    let count = min(change?.left ?? 0, input.count / width)
    output.append(atMost: count * width) { target in
      for index in 0..<count {
        change?.left -= 1
        for channel in 0..<width {
          target.append(Sample(Double(input[index * width + channel]) * current(channel)))
        }
      }
    }
    if change?.left == 0 { change = nil }
    return count * width
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {}
}

/// Multiplies each channel of an interleaved block by its factor.
///
/// One call for each block, so that the loop inside is the specialised one.
@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func scale<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, _ count: Int, by factors: [Double],
  to target: UnsafeMutablePointer<Sample>
) {
  for channel in factors.indices {
    let factor = factors[channel]
    for index in stride(from: channel, to: count, by: factors.count) {
      unsafe (target + index).initialize(to: Sample(Double(source[index]) * factor))
    }
  }
}
