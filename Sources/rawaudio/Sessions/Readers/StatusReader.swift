// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The status of a running session: levels are measured if it runs at a device's pace, and shown ten times a second.
///
/// Never waits for the terminal. Main thread only.
final class StatusReader: RunReader {
  private let command: CommandSession
  private let activity: String
  private let request: StatusRequest
  private let layout: StatusLayout
  private var pace = StatusPace()
  private var levels: [HeldLevel] = []
  private let disk: DiskRoom
  /// Until when the recording pauses. Nil if it does not.
  private var pause: String?

  private var console: Console { command.console }

  /// Registers the level observer, if levels are shown.
  init(
    of command: CommandSession, activity: String, _ request: StatusRequest, _ disk: DiskRoom
  ) throws(AudioError) {
    self.command = command
    self.activity = activity
    self.request = request
    self.disk = disk
    layout = StatusLayout(
      isColoured: command.console.isColoured, characters: LevelBar.Characters.forTerminal())
    guard let position = request.position, request.meter != .none else { return }
    try command.session.register(
      MeterObserver(ObservationPositions(position)) { [weak self] in self?.take($0) })
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .progress(let progress): update(progress)
    case .pause(let event): pause = event.end
    default: break
    }
  }

  private func take(_ reading: LevelReading) {
    guard reading.span == .interval else { return }
    let now = monotonicMilliseconds()
    if levels.count != reading.channels.count {
      levels = Array(repeating: HeldLevel(), count: reading.channels.count)
    }
    for (channel, level) in reading.channels.enumerated() { levels[channel].take(level, at: now) }
  }

  /// Shows the progress, at most ten times a second and not in the first second.
  private func update(_ progress: SessionProgress) {
    guard console.showsStatus, let milliseconds = pace.whenDue() else { return }
    let width = max(10, (StandardStream.error.terminalWidth ?? 80) - 1)
    let figures = figures(progress, milliseconds)
    let lines =
      request.meter == .full
      ? layout.lines(figures, width: width) : [layout.line(figures, width: width)]
    console.showStatus(lines)
  }

  private func figures(_ progress: SessionProgress, _ milliseconds: Int64) -> StatusFigures {
    let elapsed = progress.seconds
    var figures = StatusFigures(
      activity: pause.map { "pausing \($0)," } ?? activity, elapsed: elapsed,
      total: progress.expectedSamplesPerChannel.map {
        Double($0) / Double(progress.sampleRate)
      })
    let now = monotonicMilliseconds()
    figures.levels = levels.map { $0.shown(at: now) }
    let devices = command.devices
    if devices.isEmpty {
      figures.speed = elapsed / (Double(milliseconds) / 1_000)
    } else {
      figures.xruns = devices.reduce(0) { $0 + $1.statistics.xruns }
    }
    let parts = command.orderedOutputs.compactMap(\.completedPartCount)
    if !parts.isEmpty { figures.parts = parts.reduce(0, +) }
    figures.room = disk.seconds(at: now, recorded: elapsed)
    return figures
  }
}

/// A channel's current level, and its held peak.
private struct HeldLevel {
  private var peak = -Double.infinity
  private var rms = -Double.infinity
  private var hold = -Double.infinity
  private var heldAt: Int64 = 0
  private var clippedAt: Int64?

  /// The hold times of the highest peak and of the clipping light, in milliseconds.
  private static let holdTime: Int64 = 1_500
  private static let lightTime: Int64 = 3_000

  mutating func take(_ level: Level, at now: Int64) {
    (peak, rms) = (level.peakDecibels, level.rmsDecibels)
    if peak >= hold || now - heldAt > Self.holdTime { (hold, heldAt) = (peak, now) }
    if level.reachesFullScale { clippedAt = now }
  }

  func shown(at now: Int64) -> ShownLevel {
    ShownLevel(
      peak: peak, rms: rms, hold: hold,
      hasClipped: clippedAt.map { now - $0 < Self.lightTime } ?? false)
  }
}
