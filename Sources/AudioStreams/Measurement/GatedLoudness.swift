// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The loudness of a stream, computed from its weighted energy: momentary, short-term, integrated, range.
///
/// Energies come in steps of 10 ms, so that the largest momentary loudness is found at any beginning; blocks for the
/// gates begin every 100 ms. Sources: ITU-R BS.1770-4, annex 1 (blocks of 400 ms that overlap by 75 %, gates at −70
/// LUFS and 10 LU below); EBU Tech 3341 (momentary 400 ms, short-term 3 s) and 3342 (range: short-term, gates at −70
/// LUFS and 20 LU below, from the 10th to the 95th percentile).
///
/// Keeps 16 bytes for each 100 ms.
struct GatedLoudness: Sendable {
  static let stepsPerSecond = 100
  private static let momentarySteps = 40
  private static let shortTermSteps = 300
  private static let stepsPerBlock = 10

  private let sampleRate: Int
  private var steps = Array(repeating: 0.0, count: shortTermSteps)
  private var stepCount = 0
  /// Mean squares of 400 ms, every 100 ms.
  private(set) var blocks: [Double] = []
  /// Mean squares of 3 s, every 100 ms.
  private(set) var shortTermBlocks: [Double] = []
  private var largestMomentary = 0.0
  private var largestShortTerm = 0.0

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// The end of a step, in samples per channel.
  static func end(ofStep step: Int64, at sampleRate: Int) -> Int64 {
    AudioTime.rescaled(step + 1, from: stepsPerSecond, to: sampleRate)
  }

  /// Takes the weighted energy of the next step.
  mutating func add(_ energy: Double) {
    steps[stepCount % Self.shortTermSteps] = energy
    stepCount += 1
    guard stepCount >= Self.momentarySteps else { return }
    let momentary = meanSquare(overLast: Self.momentarySteps)
    largestMomentary = max(largestMomentary, momentary)
    guard stepCount % Self.stepsPerBlock == 0 else { return }
    blocks.append(momentary)
    guard stepCount >= Self.shortTermSteps else { return }
    let shortTerm = meanSquare(overLast: Self.shortTermSteps)
    largestShortTerm = max(largestShortTerm, shortTerm)
    shortTermBlocks.append(shortTerm)
  }

  private func meanSquare(overLast count: Int) -> Double {
    var sum = 0.0
    for step in stepCount - count..<stepCount { sum += steps[step % Self.shortTermSteps] }
    let last = Int64(stepCount) - 1
    let length =
      Self.end(ofStep: last, at: sampleRate) - Self.end(ofStep: last - Int64(count), at: sampleRate)
    return sum / Double(length)
  }

  // MARK: In LUFS, nil for silence or too short a stream

  var momentary: Double? { loudness(overLast: Self.momentarySteps) }
  var shortTerm: Double? { loudness(overLast: Self.shortTermSteps) }
  var maxMomentary: Double? { Self.loudness(largestMomentary) }
  var maxShortTerm: Double? { Self.loudness(largestShortTerm) }
  var integrated: Double? { Self.integrated(blocks) }

  /// The loudness range in LU.
  var range: Double? { Self.range(shortTermBlocks) }

  /// The integrated loudness of blocks, of one stream or of several.
  static func integrated(_ blocks: [Double]) -> Double? {
    gate(blocks, below: -10).mean.flatMap(loudness)
  }

  /// The loudness range of short-term blocks.
  static func range(_ blocks: [Double]) -> Double? {
    let blocks = gate(blocks, below: -20).blocks.sorted()
    guard !blocks.isEmpty else { return nil }
    func percentile(_ share: Double) -> Double {
      blocks[Int(Double(blocks.count - 1) * share + 0.5)]
    }
    return 10 * log10(percentile(0.95) / percentile(0.1))
  }

  /// The blocks above −70 LUFS whose loudness also exceeds the mean of those plus `distance`, in LU.
  private static func gate(
    _ blocks: [Double], below distance: Double
  ) -> (blocks: [Double], mean: Double?) {
    func mean(_ blocks: [Double]) -> Double? {
      blocks.isEmpty ? nil : blocks.reduce(0, +) / Double(blocks.count)
    }
    let absolute = pow(10, (-70 - offset) / 10)
    let audible = blocks.filter { $0 > absolute }
    guard let loudness = mean(audible) else { return ([], nil) }
    let relative = loudness * pow(10, distance / 10)
    let gated = audible.filter { $0 > relative }
    return (gated, mean(gated))
  }

  private func loudness(overLast count: Int) -> Double? {
    stepCount < count ? nil : Self.loudness(meanSquare(overLast: count))
  }

  private static let offset = -0.691

  private static func loudness(_ meanSquare: Double) -> Double? {
    meanSquare > 0 ? offset + 10 * log10(meanSquare) : nil
  }
}
