// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Finds silence, wrong levels and clipping in a recording, from the measurements of a `LevelMonitorSink`. Each alarm begins
/// once and ends once.
struct StreamAlarms: Sendable {
  /// The fewest successive samples at full scale that count as clipped: one or two may be the top of a wave.
  private static let fewestClipped = 3
  /// The time without clipping that ends the alarm, in seconds.
  static let clippingSpan = 10.0

  private let request: AlarmRequest
  private let soundPeak: Double
  /// The end of the last sound.
  private var soundEnd: Int64 = 0
  private var silentSince: Int64?
  private var level: LevelAlarm?
  private var clippedAt: Int64 = 0
  private var clippingSince: Int64?

  init(_ request: AlarmRequest) {
    self.request = request
    soundPeak = Decibels.factor(request.silenceLevel)
    level = request.level.map { LevelAlarm($0) }
  }

  /// Takes the next tenth of a second, and returns the changes of the alarms.
  mutating func take(_ stretch: MonitoredLevel) -> [AlarmChange] {
    var changes: [AlarmChange] = []
    if let limit = request.silence { watchSilence(stretch, limit, &changes) }
    if let found = level?.take(stretch) { changes += found }
    if request.clipping { watchClipping(stretch, &changes) }
    return changes
  }

  private mutating func watchSilence(
    _ stretch: MonitoredLevel, _ limit: Double, _ changes: inout [AlarmChange]
  ) {
    let rate = Double(stretch.sampleRate)
    if stretch.peak >= soundPeak {
      if let since = silentSince {
        changes.append(
          AlarmChange(
            kind: .silence, begins: false, position: stretch.position,
            value: Decibels.level(stretch.peak), lasted: Double(stretch.position - since) / rate))
      }
      (silentSince, soundEnd) = (nil, stretch.end)
    } else if silentSince == nil, Double(stretch.end - soundEnd) >= limit * rate {
      silentSince = soundEnd
      changes.append(AlarmChange(kind: .silence, begins: true, position: soundEnd))
    }
  }

  private mutating func watchClipping(
    _ stretch: MonitoredLevel, _ changes: inout [AlarmChange]
  ) {
    let rate = Double(stretch.sampleRate)
    if stretch.longestClipping >= Self.fewestClipped {
      clippedAt = stretch.end
      guard clippingSince == nil else { return }
      clippingSince = stretch.position
      changes.append(
        AlarmChange(
          kind: .clipping, begins: true, position: stretch.position,
          value: Double(stretch.longestClipping)))
    } else if let since = clippingSince,
      Double(stretch.end - clippedAt) >= Self.clippingSpan * rate
    {
      clippingSince = nil
      changes.append(
        AlarmChange(
          kind: .clipping, begins: false, position: clippedAt,
          lasted: Double(clippedAt - since) / rate))
    }
  }
}

/// Detects frequent xruns from their running count.
struct XrunAlarm {
  private let rate: XrunRate
  private var known = 0
  /// The times and the counts of xruns in the last span.
  private var recent: [(time: Int64, count: Int)] = []
  private var spell = Spell(.xruns)

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
    return spell.take(
      Double(count), begins: count > rate.limit, ends: count <= rate.limit / 2, at: now)
  }
}

/// Detects a disk with too little room.
struct SpaceAlarm {
  /// The factor on the limit at which the alarm ends.
  private static let margin = 1.1
  private let limit: Double
  private var spell = Spell(.space)

  /// - Parameter limit: in the unit of the given room, bytes or seconds.
  init(_ limit: Double) { self.limit = limit }

  init(_ limit: SpaceLimit) {
    switch limit {
    case .bytes(let bytes): self.init(Double(bytes))
    case .seconds(let seconds): self.init(seconds)
    }
  }

  mutating func take(_ room: Double, at now: Int64) -> AlarmChange? {
    spell.take(room, begins: room < limit, ends: room >= limit * Self.margin, at: now)
  }
}

/// An alarm that begins once and ends once, on a clock in milliseconds.
private struct Spell {
  let kind: AlarmKind
  private var since: Int64?

  init(_ kind: AlarmKind) { self.kind = kind }

  /// - Parameters:
  ///   - begins: whether `value` begins the alarm.
  ///   - ends: whether it ends an alarm that has begun.
  mutating func take(_ value: Double, begins: Bool, ends: Bool, at now: Int64) -> AlarmChange? {
    guard let begin = since else {
      if begins { since = now }
      return begins ? AlarmChange(kind: kind, begins: true, value: value) : nil
    }
    guard ends else { return nil }
    since = nil
    return AlarmChange(
      kind: kind, begins: false, value: value, lasted: Double(now - begin) / 1_000)
  }
}
