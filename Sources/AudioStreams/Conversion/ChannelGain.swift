// SPDX-License-Identifier: Apache-2.0
/// Multiplies every channel by its own factor, which may change while the stream runs.
///
/// A factor changes linearly over ``glide``, because a step would click.
package final class ChannelGain<Sample: AudioSample>: StreamStage {
  package let inputFormat: StreamFormat
  private var factors: [Double] {
    didSet { (uniform, pattern) = (Self.common(factors), Self.pattern(factors)) }
  }
  private var uniform: Double?
  /// The factors of a block's samples if they differ.
  private var pattern: [Double]
  /// The factors at the beginning of a change, and the samples per channel left of it.
  private var change: (from: [Double], left: Int)?
  private let glideLength: Int

  /// The length of a change.
  package static var glide: Duration { .milliseconds(10) }

  /// - Parameter factors: one for each channel.
  package init(_ factors: [Double], format: StreamFormat) {
    precondition(factors.count == format.channelCount)
    inputFormat = format
    self.factors = factors
    uniform = Self.common(factors)
    pattern = Self.pattern(factors)
    glideLength = Int(Self.glide.samples(at: format.sampleRate))
  }

  /// Changes the factors, from the next sample on.
  package func set(_ factors: [Double]) {
    precondition(factors.count == self.factors.count)
    if factors == self.factors { return }
    change = (from: self.factors.indices.map(current), left: glideLength)
    self.factors = factors
  }

  private static func common(_ factors: [Double]) -> Double? {
    Set(factors).count == 1 ? factors[0] : nil
  }

  private static func pattern(_ factors: [Double]) -> [Double] {
    if common(factors) != nil { return [] }
    return (0..<max(1, 1_024 / factors.count)).flatMap { _ in factors }
  }

  /// The factor of a channel at the present position.
  private func current(_ channel: Int) -> Double {
    guard let change else { return factors[channel] }
    let rest = Double(change.left) / Double(glideLength)
    return factors[channel] + (change.from[channel] - factors[channel]) * rest
  }

  package func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    var input = input
    if change != nil { input = input.extracting(droppingFirst: glide(input, into: output)) }
    // Unity gain keeps −0.0, too.
    if uniform == 1 { return output.append(input) }
    guard let uniform else { return append(input, by: pattern, to: output) }
    output.append(atMost: input.count) { target in
      unsafe target.appendSamples(input.count) { samples in
        unsafe input.withUnsafeBufferPointer { source in
          guard let from = source.baseAddress else { return }
          unsafe KernelTable.current.samples.multiply(
            Sample.isDouble, from, source.count, uniform, samples)
        }
      }
    }
  }

  /// Appends the products of `input` with a factor for each sample; the factors repeat from the first.
  private func append(
    _ input: Span<Sample>, by factors: [Double], to output: SampleQueue<Sample>
  ) {
    var begin = output.count
    output.append(input)
    while begin < output.count {
      let count = min(factors.count, output.count - begin)
      var samples = output.writable(begin..<begin + count)
      Sample.scale(&samples, frames: 1, by: factors)
      begin += count
    }
  }

  /// Applies the change to the beginning of `input`.
  ///
  /// - Returns: how many samples, across all channels, it took.
  private func glide(_ input: Span<Sample>, into output: SampleQueue<Sample>) -> Int {
    let width = factors.count
    let count = min(change?.left ?? 0, input.count / width)
    var gliding: [Double] = []
    gliding.reserveCapacity(count * width)
    for _ in 0..<count {
      change?.left -= 1
      for channel in 0..<width { gliding.append(current(channel)) }
    }
    append(input.extracting(first: count * width), by: gliding, to: output)
    if change?.left == 0 { change = nil }
    return count * width
  }
}
