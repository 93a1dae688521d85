// SPDX-License-Identifier: Apache-2.0
/// The level of a ducked source over time, as straight lines in decibels over seconds.
struct DuckingCurve {
  private struct Line {
    let start: Double
    let decibels: Double
    /// Decibels per second.
    let slope: Double
  }

  private let depth: Double
  private let attack: Double
  private let hold: Double
  private let release: Double
  /// The lines in order; the last one has no end.
  private var lines = [Line(start: 0, decibels: 0, slope: 0)]
  /// The end of the known part, in seconds.
  private var known = 0.0
  private var lastActive = -Double.infinity

  init(depth: Double, _ times: DuckingTimes) {
    self.depth = depth
    attack = times.attack / .seconds(1)
    hold = times.hold / .seconds(1)
    release = times.release / .seconds(1)
  }

  /// Extends the curve to `end`, with an active or inactive key.
  mutating func advance(to end: Double, isActive: Bool) {
    guard end > known else { return }
    if isActive {
      lastActive = end
      move(towards: depth, in: attack, until: end)
    } else {
      let held = min(end, lastActive + hold)
      if held > known { move(towards: depth, in: attack, until: held) }
      if end > known { move(towards: 0, in: release, until: end) }
    }
  }

  /// - Parameter duration: the duration of the whole way between full level and depth.
  private mutating func move(towards goal: Double, in duration: Double, until end: Double) {
    let now = decibels(at: known)
    if now == goal || duration <= 0 {
      turn(at: known, goal, slope: 0)
    } else {
      let slope = (goal == 0 ? -depth : depth) / duration
      let reached = known + (goal - now) / slope
      turn(at: known, now, slope: slope)
      if reached < end { turn(at: reached, goal, slope: 0) }
    }
    known = end
  }

  private mutating func turn(at time: Double, _ decibels: Double, slope: Double) {
    if let last = lines.last, last.slope == slope, slope != 0 || last.decibels == decibels {
      return
    }
    lines.append(Line(start: time, decibels: decibels, slope: slope))
  }

  /// Returns the level at a known time, not before that of an earlier call.
  private func decibels(at time: Double) -> Double {
    lines.last { $0.start <= time }.map { $0.decibels + $0.slope * (time - $0.start) } ?? 0
  }

  /// Writes the factors of `count` successive samples, all in the known part.
  ///
  /// - Parameters:
  ///   - factors: is replaced.
  ///   - first: the position of the first sample, not before that of an earlier call.
  ///   - rate: in hertz.
  func fill(_ factors: inout [Double], from first: Int64, _ count: Int, at rate: Double) {
    factors.removeAll(keepingCapacity: true)
    var number = 0
    var level = (number: -1, factor: 1.0)
    for index in 0..<count {
      let time = Double(first + Int64(index)) / rate
      while number + 1 < lines.count, lines[number + 1].start <= time { number += 1 }
      let line = lines[number]
      if line.slope != 0 {
        factors.append(Decibels.factor(line.decibels + line.slope * (time - line.start)))
        continue
      }
      if level.number != number { level = (number, Decibels.factor(line.decibels)) }
      factors.append(level.factor)
    }
  }

  /// Whether the level is the full one from `start` to `end`. Drops the lines before `start`.
  mutating func isFlat(from start: Double, to end: Double) -> Bool {
    if let first = lines.lastIndex(where: { $0.start <= start }) { lines.removeFirst(first) }
    return lines.allSatisfy { $0.start >= end || $0.slope == 0 && $0.decibels == 0 }
  }
}
