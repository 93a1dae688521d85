// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Finds the stretches of a channel that are too quiet or too loud over any ten seconds.
///
/// The window slides by hundredths of a second. An alarm lasts from the first hundredth beyond the limit to the last
/// one.
struct LevelAlarm: Sendable {
  /// The length of the window in seconds.
  static let span = 10
  /// The distance within the limits that ends the alarm, in decibels.
  private static let margin = 1.0

  /// A hundredth of a second.
  private struct Block {
    var position: Int64
    var level: MonitoredLevel.Level

    var end: Int64 { position + level.samplesPerChannel }
  }

  /// The lowest and the highest level, as mean squares.
  private struct Bounds {
    var lowest: Double
    var highest: Double

    /// - Parameter margin: the distance to move the bounds inwards, in decibels.
    init(_ limits: LevelLimits, margin: Double) {
      func square(_ level: Double) -> Double {
        let factor = Decibels.factor(level)
        return factor * factor
      }
      lowest = limits.lowest.map { square($0 + margin) } ?? 0
      highest = limits.highest.map { square($0 - margin) } ?? .infinity
    }

    /// The side on which a mean square is outside. Nil if it is within.
    func side(of meanSquare: Double) -> Side? {
      meanSquare < lowest ? .quiet : meanSquare > highest ? .loud : nil
    }
  }

  private enum Side { case quiet, loud }

  private let begins: Bounds
  private let ends: Bounds
  private var blocks: [Block] = []
  private var measured: Int64 = 0
  private var longestBlock: Int64 = 0
  private var interval = AlarmInterval(.level)
  private var end: Int64 = 0

  init(_ limits: LevelLimits) {
    begins = Bounds(limits, margin: 0)
    ends = Bounds(limits, margin: Self.margin)
  }

  /// Takes the next tenth of a second, and returns the changes of the alarm.
  mutating func take(
    _ channel: MonitoredLevel.Channel, of stretch: MonitoredLevel
  ) -> [AlarmChange] {
    var changes: [AlarmChange] = []
    var position = stretch.position
    for level in channel.levels {
      let block = Block(position: position, level: level)
      position = block.end
      if let change = take(block, stretch.sampleRate) { changes.append(change) }
    }
    return changes
  }

  private mutating func take(_ block: Block, _ rate: Int) -> AlarmChange? {
    blocks.append(block)
    measured += block.level.samplesPerChannel
    longestBlock = max(longestBlock, block.level.samplesPerChannel)
    // The fewest samples of whole blocks within ten seconds that begin and end inside blocks.
    let span = Int64(Self.span * rate) - 2 * longestBlock + 2
    while let first = blocks.first, measured - first.level.samplesPerChannel >= span {
      measured -= first.level.samplesPerChannel
      blocks.removeFirst()
    }
    guard measured >= span else { return nil }
    // Summed anew each time, so that a loud block leaves no rounding error.
    let squares = blocks.reduce(0) { $0 + $1.level.meanSquare * Double($1.level.samplesPerChannel) }
    let meanSquare = squares / Double(measured)
    let level = Decibels.level(meanSquare.squareRoot())
    let bounds = interval.hasBegun ? ends : begins
    guard let side = bounds.side(of: meanSquare) else {
      return interval.end(at: end, rate, value: level)
    }
    guard let reach = reach(of: side, bounds) else { return nil }
    end = reach.end
    return interval.begin(at: reach.since, value: level)
  }

  /// The start of the first block that is itself outside, and the end of the last one.
  private func reach(of side: Side, _ bounds: Bounds) -> (since: Int64, end: Int64)? {
    let outside = { (block: Block) in bounds.side(of: block.level.meanSquare) == side }
    guard let first = blocks.first(where: outside), let last = blocks.last(where: outside) else {
      return nil
    }
    return (first.position, last.end)
  }
}
