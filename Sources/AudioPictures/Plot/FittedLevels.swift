// SPDX-License-Identifier: Apache-2.0
/// The range of colours that fits a sound: from its quieter parts to its loudest one, so that both are told apart.
struct FittedLevels {
  /// The range for a sound without any level.
  private static let usual: ClosedRange<Double> = -120...0
  /// The bounds of the range's length, in decibels.
  private static let lengths = 30.0...120.0
  /// The share of the dots below the range: they are the background.
  private static let background = 0.1
  /// The ends are multiples of this, in decibels, so that the labels of the bar tell them.
  private static let step = 5.0

  /// The number of dots by whole decibels from ``lowest`` on.
  private var counts = [Int](repeating: 0, count: 300)
  private static let lowest = -200
  private var highest = -Float.infinity

  mutating func add(_ levels: [Float]) {
    for level in levels where level.isFinite {
      highest = max(highest, level)
      let index = Int(level.rounded(.down)) - Self.lowest
      counts[min(counts.count - 1, max(0, index))] += 1
    }
  }

  var range: ClosedRange<Double> {
    guard highest > Float(Self.lowest) else { return Self.usual }
    let wanted = Double(counts.reduce(0, +)) * Self.background
    var seen = 0
    let first = counts.firstIndex { count in
      seen += count
      return Double(seen) > wanted
    }
    let floor = Double((first ?? 0) + Self.lowest)
    let high = (Double(highest) / Self.step).rounded(.up) * Self.step
    let low = (floor / Self.step).rounded(.down) * Self.step
    let length = min(Self.lengths.upperBound, max(Self.lengths.lowerBound, high - low))
    return high - length...high
  }
}
