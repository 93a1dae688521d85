// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Finds where a recording is too quiet or too loud over ten seconds, wherever they begin.
///
/// The ten seconds slide by hundredths of a second. An alarm lasts from the first hundredth that is itself beyond the
/// limit to the last one.
struct LevelAlarm: Sendable {
  /// So long is a level looked at, in seconds.
  static let span = 10
  /// By how much it has to be within its limits before the alarm ends.
  private static let margin = 1.0

  /// A hundredth of a second.
  private struct Block {
    var position: Int64
    var level: WatchedStretch.Level

    var end: Int64 { position + level.samplesPerChannel }
  }

  /// The lowest and the highest level, as mean squares.
  private struct Bounds {
    var lowest: Double
    var highest: Double

    /// - Parameter margin: how much further within they are, in decibels.
    init(_ limits: LevelLimits, margin: Double) {
      func square(_ level: Double) -> Double {
        let factor = Decibels.factor(level)
        return factor * factor
      }
      lowest = limits.lowest.map { square($0 + margin) } ?? 0
      highest = limits.highest.map { square($0 - margin) } ?? .infinity
    }

    /// On which side a mean square is outside; nil where it is within.
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
  /// From where the alarm holds, and up to where as far as is known.
  private var alarm: (since: Int64, end: Int64)?

  init(_ limits: LevelLimits) {
    begins = Bounds(limits, margin: 0)
    ends = Bounds(limits, margin: Self.margin)
  }

  /// Returns the changes with the next tenth of a second.
  mutating func take(_ stretch: WatchedStretch) -> [AlarmChange] {
    var changes: [AlarmChange] = []
    var position = stretch.position
    for level in stretch.levels {
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
    // Ten seconds that begin and end within blocks hold so much of whole ones at least.
    let span = Int64(Self.span * rate) - 2 * longestBlock + 2
    while let first = blocks.first, measured - first.level.samplesPerChannel >= span {
      measured -= first.level.samplesPerChannel
      blocks.removeFirst()
    }
    guard measured >= span else { return nil }
    // Added anew each time: a loud block leaves no rounding error behind.
    let squares = blocks.reduce(0) { $0 + $1.level.meanSquare * Double($1.level.samplesPerChannel) }
    let meanSquare = squares / Double(measured)
    let level = Decibels.level(meanSquare.squareRoot())
    guard let alarm else {
      guard let side = begins.side(of: meanSquare),
        let reach = reach(of: side, begins)
      else { return nil }
      self.alarm = reach
      return AlarmChange(kind: .level, begins: true, position: reach.since, value: level)
    }
    if let side = ends.side(of: meanSquare) {
      if let reach = reach(of: side, ends) { self.alarm?.end = reach.end }
      return nil
    }
    self.alarm = nil
    return AlarmChange(
      kind: .level, begins: false, position: alarm.end, value: level,
      lasted: Double(alarm.end - alarm.since) / Double(rate))
  }

  /// Where in the ten seconds the first block begins that is itself outside, and where the last one ends.
  private func reach(of side: Side, _ bounds: Bounds) -> (since: Int64, end: Int64)? {
    let outside = { (block: Block) in bounds.side(of: block.level.meanSquare) == side }
    guard let first = blocks.first(where: outside), let last = blocks.last(where: outside) else {
      return nil
    }
    return (first.position, last.end)
  }
}
