// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Finds silence, wrong levels and clipping in the channels of a recording, from the measurements of a `LevelMonitorSink`.
/// Each alarm of a channel begins once and ends once.
struct StreamAlarms: Sendable {
  private let request: AlarmRequest
  private var channels: [ChannelAlarms] = []

  init(_ request: AlarmRequest) { self.request = request }

  /// Takes the next tenth of a second, and returns the changes of the alarms.
  mutating func take(_ stretch: MonitoredLevel) -> [AlarmChange] {
    while channels.count < stretch.channels.count { channels.append(ChannelAlarms(request)) }
    return stretch.channels.indices.flatMap { index in
      channels[index].take(stretch.channels[index], of: stretch).map { change in
        var change = change
        change.channel = stretch.channels.count > 1 ? index + 1 : nil
        return change
      }
    }
  }
}

/// The alarms of one channel.
private struct ChannelAlarms: Sendable {
  /// The fewest successive samples at full scale that count as clipped: one or two may be the top of a wave.
  private static let fewestClipped = 3
  /// The time without clipping that ends the alarm, in seconds.
  private static let clippingSpan = 10.0

  private let request: AlarmRequest
  private let soundPeak: Double
  /// The end of the last sound.
  private var soundEnd: Int64 = 0
  /// The end of the last stretch.
  private var end: Int64 = 0
  private var silence = AlarmInterval(.silence)
  private var level: LevelAlarm?
  private var clippedAt: Int64 = 0
  private var clipping = AlarmInterval(.clipping)

  init(_ request: AlarmRequest) {
    self.request = request
    soundPeak = Decibels.factor(request.silenceLevel)
    level = request.level.map { LevelAlarm($0) }
  }

  mutating func take(
    _ channel: MonitoredLevel.Channel, of stretch: MonitoredLevel
  ) -> [AlarmChange] {
    var changes: [AlarmChange?] = []
    // A pause between two windows of --record is no silence.
    soundEnd += max(0, stretch.position - end)
    end = stretch.end
    if let limit = request.silence { changes.append(watchSilence(channel, stretch, limit)) }
    if let found = level?.take(channel, of: stretch) { changes += found }
    if request.clipping { changes.append(watchClipping(channel, stretch)) }
    return changes.compactMap(\.self)
  }

  private mutating func watchSilence(
    _ channel: MonitoredLevel.Channel, _ stretch: MonitoredLevel, _ limit: Double
  ) -> AlarmChange? {
    let rate = stretch.sampleRate
    if channel.soundPeak >= soundPeak {
      soundEnd = stretch.end
      return silence.end(
        at: stretch.position, rate, value: Decibels.level(channel.peak))
    }
    let isLong = Double(stretch.end - soundEnd) >= limit * Double(rate)
    return isLong ? silence.begin(at: soundEnd) : nil
  }

  private mutating func watchClipping(
    _ channel: MonitoredLevel.Channel, _ stretch: MonitoredLevel
  ) -> AlarmChange? {
    let rate = stretch.sampleRate
    if channel.longestClipping >= Self.fewestClipped {
      clippedAt = stretch.end
      return clipping.begin(at: stretch.position, value: Double(channel.longestClipping))
    }
    let isOver = Double(stretch.end - clippedAt) >= Self.clippingSpan * Double(rate)
    return isOver ? clipping.end(at: clippedAt, rate) : nil
  }
}

/// Detects frequent xruns from their running count.
struct XrunAlarm {
  private let rate: XrunRate
  private var known = 0
  /// The times and the counts of xruns in the last span.
  private var recent: [(time: Int64, count: Int)] = []
  private var interval = AlarmInterval(.xruns, hasPosition: false)

  init(_ rate: XrunRate) { self.rate = rate }

  /// - Parameters:
  ///   - total: the number of xruns so far.
  ///   - now: a clock in milliseconds.
  mutating func take(_ total: Int, at now: Int64) -> AlarmChange? {
    if total > known {
      recent.append((now, total - known))
      known = total
      // Further entries cannot change the result.
      if recent.count > rate.limit + 1 { recent.removeFirst(recent.count - rate.limit - 1) }
    }
    recent.removeAll { now - $0.time > Int64(rate.span) * 1_000 }
    let count = recent.reduce(0) { $0 + $1.count }
    if count > rate.limit { return interval.begin(at: now, value: Double(count)) }
    return count <= rate.limit / 2 ? interval.end(at: now, 1_000, value: Double(count)) : nil
  }
}

/// Detects a disk with too little room.
struct SpaceAlarm {
  /// The factor on the limit at which the alarm ends.
  private static let margin = 1.1
  private let limit: Double
  private var interval = AlarmInterval(.space, hasPosition: false)

  /// - Parameter limit: in the unit of the given room, bytes or seconds.
  init(_ limit: Double) { self.limit = limit }

  init(_ limit: SpaceLimit) {
    switch limit {
    case .bytes(let bytes): self.init(Double(bytes))
    case .seconds(let seconds): self.init(seconds)
    }
  }

  mutating func take(_ room: Double, at now: Int64) -> AlarmChange? {
    if room < limit { return interval.begin(at: now, value: room) }
    return room >= limit * Self.margin ? interval.end(at: now, 1_000, value: room) : nil
  }
}

/// An alarm that begins once and ends once, at positions in a stream or at times of a clock.
struct AlarmInterval {
  private let kind: AlarmKind
  /// Whether the alarm has a position in the stream.
  private let hasPosition: Bool
  private var since: Int64?

  init(_ kind: AlarmKind, hasPosition: Bool = true) {
    self.kind = kind
    self.hasPosition = hasPosition
  }

  var hasBegun: Bool { since != nil }

  /// - Returns: nil if it has already begun.
  mutating func begin(at place: Int64, value: Double? = nil) -> AlarmChange? {
    guard since == nil else { return nil }
    since = place
    return AlarmChange(
      kind: kind, begins: true, position: hasPosition ? place : nil, value: value)
  }

  /// - Parameter rate: the positions or the units of the clock in a second.
  /// - Returns: nil if it has not begun.
  mutating func end(at place: Int64, _ rate: Int, value: Double? = nil) -> AlarmChange? {
    guard let begin = since else { return nil }
    since = nil
    return AlarmChange(
      kind: kind, begins: false, position: hasPosition ? place : nil, value: value,
      lasted: Double(place - begin) / Double(rate))
  }
}

/// Finds the stretches of a channel that are too quiet or too loud over any ten seconds.
///
/// The window slides by hundredths of a second. An alarm lasts from the first hundredth beyond the limit to the last
/// one.
private struct LevelAlarm: Sendable {
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
