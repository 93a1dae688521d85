// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Finds channels with equal samples, and the correlation of two channels.
struct ChannelCorrelation: Sendable {
  /// For each channel, the earlier channels with equal samples so far.
  private var candidates: [[Int]]
  private var product = 0.0

  init(channelCount: Int) { candidates = (0..<channelCount).map { Array(0..<$0) } }

  /// Takes the next samples of each channel, `stride` apart.
  mutating func add(_ samples: UnsafePointer<Double>, stride: Int, _ count: Int) {
    for channel in candidates.indices where !candidates[channel].isEmpty {
      candidates[channel].removeAll { other in
        unsafe memcmp(
          samples + channel * stride, samples + other * stride, count * MemoryLayout<Double>.stride)
          != 0
      }
    }
    guard candidates.count == 2 else { return }
    var sum = 0.0
    unsafe KernelTable.current.samples.dotProduct(true, samples, samples + stride, count, &sum)
    product += sum
  }

  /// The first channel with equal samples.
  func twin(of channel: Int) -> Int? { candidates[channel].first }

  /// The correlation of two channels: 1 for equal and −1 for opposite samples.
  func correlation(_ tallies: [ChannelTally]) -> Double? {
    guard tallies.count == 2 else { return nil }
    let energy = (tallies[0].squares * tallies[1].squares).squareRoot()
    return energy > 0 ? max(-1, min(1, product / energy)) : nil
  }
}
