// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The contents of the status of running work.
struct StatusFigures {
  /// "recording".
  var activity: String
  /// In seconds.
  var elapsed: Double
  /// In seconds. Nil if unknown.
  var total: Double?
  /// One level per channel. Empty if none is measured.
  var levels: [ShownLevel] = []
  /// Overruns and underruns. Nil without a device.
  var xruns: Int?
  /// Complete parts. Nil if there are none.
  var parts: Int?
  /// The remaining recording time on the disk, in seconds. Nil if nothing is recorded.
  var room: Double?
  /// The speed relative to real time. Nil if a device sets the pace.
  var speed: Double?
}

/// Lays out the status of running work in a terminal.
struct StatusLayout {
  let isColoured: Bool
  let characters: LevelBar.Characters

  private static let shortestBar = 6
  private static let longestBar = 30

  private var bar: LevelBar { LevelBar(characters: characters) }

  /// Lays out one line of at most `width` columns. Drops less important parts first, and the levels if their channels
  /// do not fit.
  func line(_ figures: StatusFigures, width: Int) -> StyledText {
    var line = StyledText(isColoured: isColoured)
    let (head, alarm) = (Self.head(figures), Self.alarm(figures))
    var names = Self.names(figures.levels.count)
    /// The columns of all channels, with bars of `bar` columns.
    func columns(bar: Int) -> Int {
      names.reduce(0) { $0 + 2 + $1.count + 1 + bar + 1 + LevelBar.numberColumns + 1 }
    }
    var rest = Self.rest(figures)
    let taken = head.count + alarm.count
    func isTooWide(_ least: Int) -> Bool {
      taken + least + rest.reduce(0) { $0 + $1.count } > width
    }
    let hasBars = taken + columns(bar: Self.shortestBar) <= width
    var least = hasBars ? columns(bar: Self.shortestBar) : 2 + names.count
    if taken + least > width { names = [] }
    if names.isEmpty { least = 0 }
    while !rest.isEmpty, isTooWide(least) { rest.removeLast() }
    line.add(String(head.prefix(max(0, width))))
    guard taken + least <= width else { return line }
    if hasBars, !names.isEmpty {
      let free = width - taken - rest.reduce(0) { $0 + $1.count } - columns(bar: 0)
      for (level, name) in zip(figures.levels, names) {
        line.add("  \(name) ")
        bar.add(level, columns: min(Self.longestBar, free / names.count), to: &line)
      }
    } else if !names.isEmpty {
      line.add("  ")
      for level in figures.levels { bar.addHeight(level, to: &line) }
    }
    line.add(alarm, alarm.isEmpty ? .plain : .red)
    rest.forEach { line.add($0) }
    return line
  }

  /// Lays out a line for each channel, under a scale.
  func lines(_ figures: StatusFigures, width: Int) -> [StyledText] {
    var figures = figures
    let levels = figures.levels
    figures.levels = []
    var lines = [line(figures, width: width)]
    let names = Self.names(levels.count)
    let nameColumns = names.map(\.count).max() ?? 0
    let columns = width - nameColumns - 1 - LevelBar.numberColumns - 2
    guard !levels.isEmpty, columns >= Self.shortestBar else { return lines }
    var scale = StyledText(isColoured: isColoured)
    scale.add(String(repeating: " ", count: nameColumns + 1) + Self.scale(columns), .faint)
    lines.append(scale)
    for (level, name) in zip(levels, names) {
      var line = StyledText(isColoured: isColoured)
      line.add(String(repeating: " ", count: nameColumns - name.count) + name + " ")
      bar.add(level, columns: columns, to: &line)
      lines.append(line)
    }
    return lines
  }

  /// The scale above bars of `columns` columns: each label ends at the end of its level's bar.
  private static func scale(_ columns: Int) -> String {
    var scale = Array(repeating: Character(" "), count: columns)
    for level in [0, -60, -30, -12, -6, -45, -20, -3] {
      let label = Array(level == 0 ? "0 dBFS" : "\(level)")
      let end = Int((Double(level) / -LevelBar.lowest + 1) * Double(columns))
      let start = min(columns - label.count, max(0, end - label.count))
      guard start >= 0 else { continue }
      let around = max(0, start - 1)..<min(columns, start + label.count + 1)
      guard scale[around].allSatisfy({ $0 == " " }) else { continue }
      scale.replaceSubrange(start..<start + label.count, with: label)
    }
    return String(scale)
  }

  private static func names(_ count: Int) -> [String] {
    count == 2 ? ["L", "R"] : count == 1 ? [""] : (0..<count).map { "\($0 + 1)" }
  }

  /// `recording 0:00:12 of 0:01:00`, `mixing 0:00:12 of 0:01:00 (20%)`.
  private static func head(_ figures: StatusFigures) -> String {
    let elapsed = "\(figures.activity) \(clock(figures.elapsed))"
    guard let total = figures.total, total > 0 else { return elapsed }
    let whole = "\(elapsed) of \(clock(total))"
    if figures.xruns != nil { return whole }
    return "\(whole) (\(Int(100 * min(1, figures.elapsed / total)))%)"
  }

  private static func alarm(_ figures: StatusFigures) -> String {
    guard let xruns = figures.xruns, xruns > 0 else { return "" }
    return "  \(xruns.counted("xrun"))"
  }

  /// The parts to drop if there is no room, beginning with the last.
  private static func rest(_ figures: StatusFigures) -> [String] {
    var rest: [String] = []
    if let speed = figures.speed, speed > 0 {
      if let total = figures.total, total > figures.elapsed {
        rest.append(", \(clock((total - figures.elapsed) / speed)) left")
      }
      let times = speed < 10 ? speed.decimal(1) : "\(Int(speed))"
      rest.append(", \(times) × real time")
    }
    if let room = figures.room { rest.append("  disk \(span(room))") }
    if let parts = figures.parts { rest.append("  \(parts.counted("part"))") }
    if figures.xruns == 0 { rest.append("  0 xruns") }
    return rest
  }

  /// `0:01:30`.
  private static func clock(_ seconds: Double) -> String {
    String(clockTime(Int64(min(max(0, seconds), 1e15)), at: 1).prefix { $0 != "." })
  }

  /// `12 min`, `3.5 h`, `240 h`, `90 d`.
  private static func span(_ seconds: Double) -> String {
    let (minutes, hours) = (seconds / 60, seconds / 3_600)
    if minutes < 60 { return "\(Int(minutes)) min" }
    if hours < 10 { return "\((hours * 10).rounded(.down) / 10) h" }
    return hours < 240 ? "\(Int(hours)) h" : "\(Int(min(hours / 24, 99_999))) d"
  }
}

/// A line of text with colours, and its width.
struct StyledText {
  enum Style: String {
    case plain = ""
    case faint = "2"
    case green = "32"
    case yellow = "33"
    case red = "31"
    /// Black on red: a light.
    case alarm = "30;41"
  }

  let isColoured: Bool
  private(set) var text = ""
  /// The width. Every added character must be one column wide.
  private(set) var columns = 0
  private var current = Style.plain

  init(isColoured: Bool) { self.isColoured = isColoured }

  mutating func add(_ piece: String, _ style: Style = .plain) {
    if isColoured, style != current {
      text += style == .plain ? "\u{1B}[0m" : "\u{1B}[0;\(style.rawValue)m"
      current = style
    }
    text += piece
    columns += piece.count
  }

  /// The text, followed by a reset of the style.
  var finished: String { current == .plain ? text : text + "\u{1B}[0m" }
}

/// The pace of a status line: not in the first second, then at most ten times a second.
struct StatusPace {
  private let now: () -> Int64
  private let begin: Int64
  private var lastShown: Int64

  /// - Parameter now: a clock in milliseconds.
  init(now: @escaping () -> Int64 = monotonicMilliseconds) {
    self.now = now
    begin = now()
    lastShown = begin
  }

  /// The milliseconds since the work began, if the line is due. Else nil.
  mutating func whenDue() -> Int64? {
    let time = now()
    guard time - begin >= 1_000, time - lastShown >= 100 else { return nil }
    lastShown = time
    return time - begin
  }
}

/// `h:mm:ss.mmm`, rounded down.
///
/// - Parameter sampleRate: in hertz.
func clockTime(_ samplesPerChannel: Int64, at sampleRate: Int) -> String {
  let rate = Int64(sampleRate)
  let (seconds, rest) = samplesPerChannel.quotientAndRemainder(dividingBy: rate)
  return "\(seconds / 3_600):\((seconds / 60 % 60).padded(to: 2)):\((seconds % 60).padded(to: 2))"
    + ".\((rest * 1_000 / rate).padded(to: 3))"
}

/// The time of the monotonic clock in milliseconds. Any thread; async-signal-safe.
func monotonicMilliseconds() -> Int64 { Int64(MonotonicTime.now.nanoseconds / 1_000_000) }
