// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc

/// Reports to a service manager that asks for it (systemd's `Type=notify`): readiness, signs of life, and a line of
/// status.
///
/// A sign of life requires that every device has moved samples since the last one and the session has taken them. No
/// timer sends it. Session thread only.
final class ServiceReader: RunReader {
  private let command: CommandSession
  private let activity: String
  private let socket: ServiceSocket
  /// The longest interval between signs of life, in milliseconds. Nil = none requested.
  private let watchdog: Int64?
  private var isReady = false
  private var lookedAt: Int64 = 0
  private var fedAt: Int64?
  private var statusAt: Int64?
  private var status = ""
  /// The samples per channel moved by each device at the last sign of life.
  private var moved: [Int64]
  /// The lost devices whose return is awaited.
  private var missing: Set<String> = []
  /// Until when the recording pauses. Nil if it does not.
  private var pause: String?
  private let disk: DiskRoom
  private var gapNotes = GapNotes()

  /// - Returns: nil without a service manager.
  init?(of command: CommandSession, activity: String, _ disk: DiskRoom) {
    let name = environmentVariable("NOTIFY_SOCKET")
    let interval = environmentVariable("WATCHDOG_USEC").flatMap { Int64($0) }
    let process = environmentVariable("WATCHDOG_PID").flatMap { Int32($0) }
    guard let name else { return nil }
    // Child programs must not report in its name.
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsafe unsetenv(name) }
    guard let socket = ServiceSocket(named: name) else { return nil }
    self.command = command
    self.activity = activity
    self.disk = disk
    self.socket = socket
    let isMeant = process == nil || process == getpid()
    watchdog = isMeant ? interval.flatMap { $0 > 0 ? max(1, $0 / 1_000) : nil } : nil
    moved = command.liveSources.map { _ in 0 }
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    // A session without a device is ready at once.
    case .started: if moved.isEmpty { tellReady() }
    case .progress(let progress): update(progress)
    case .gap(let event): note(event)
    case .absence(let event): note(event.absence, of: event.device)
    case .pause(let event):
      // A service that begins between two times of --record is ready for the next.
      if !isReady { tellReady() }
      pause = event.end
      statusAt = nil
    // Files and commands are still being completed.
    case .sessionEnded:
      socket.send(["STOPPING=1", "STATUS=ending"])
      tell(gapNotes.due(at: monotonicMilliseconds(), all: true))
    default: break
    }
  }

  private func update(_ progress: SessionProgress) {
    let now = monotonicMilliseconds()
    // Checks every time until the first samples.
    guard !isReady || now - lookedAt >= pace else { return }
    lookedAt = now
    tell(gapNotes.due(at: now))
    let samples = command.liveSources.map { $0.statistics.movedSamplesPerChannel }
    if !isReady {
      guard samples.allSatisfy({ $0 > 0 }) else { return }
      tellReady()
    }
    if zip(samples, moved).allSatisfy({ $0 > $1 }), isFeedingDue(at: now) { feed(samples, at: now) }
    if statusAt.map({ now - $0 >= 10_000 }) ?? true { tellStatus(progress, at: now) }
  }

  /// Reports a gap in the journal, where its place in the summary would come too late.
  private func note(_ event: RunEvent.Gap) {
    // Others have a note already.
    guard !event.isNoted, event.gap.gap.cause != .deviceLost else { return }
    tell(
      gapNotes.take(event.gap, of: event.device, at: monotonicMilliseconds()).map { [$0] } ?? [])
  }

  private func tell(_ notes: [String]) { for note in notes { command.console.note(note) } }

  /// Takes the absence of a device. Waiting for it is also a sign of life.
  private func note(_ absence: Disconnection, of device: String) {
    let now = monotonicMilliseconds()
    switch absence {
    case .began:
      missing.insert(device)
      statusAt = nil
    case .lasts, .unusable:
      if isReady, isFeedingDue(at: now) { feed(moved, at: now) }
    case .ended, .resumed:
      missing.remove(device)
      statusAt = nil
      // Counts from here, because the device may have been reopened.
      moved = command.liveSources.map { $0.statistics.movedSamplesPerChannel }
    case .paused: break
    }
  }

  /// The interval between checks, in milliseconds.
  private var pace: Int64 { min(1_000, watchdog.map { $0 / 4 } ?? 1_000) }

  private func isFeedingDue(at now: Int64) -> Bool {
    watchdog.map { limit in fedAt.map { now - $0 >= limit / 4 } ?? true } ?? false
  }

  private func feed(_ samples: [Int64], at now: Int64) {
    moved = samples
    fedAt = now
    socket.send(["WATCHDOG=1"])
  }

  private func tellReady() {
    isReady = true
    socket.send(["READY=1"])
  }

  private func tellStatus(_ progress: SessionProgress, at now: Int64) {
    statusAt = now
    let seconds = progress.seconds
    var words = ["\(activity) for \((seconds / 3_600).decimal(1)) h"]
    if let pause { words = ["pausing \(pause)"] }
    if !missing.isEmpty {
      words.append("waiting for \(missing.sorted().map { "'\($0)'" }.joinedAsList)")
    }
    words.append(command.liveSources.reduce(0) { $0 + $1.gaps.count }.counted("gap"))
    if let room = disk.seconds(at: now, recorded: seconds) {
      words.append("disk for \((room / 3_600).decimal(1)) h")
    }
    let text = words.joined(separator: ", ")
    guard text != status else { return }
    status = text
    socket.send(["STATUS=\(text.printable)"])
  }
}

/// The notes on gaps in the journal of a service: at most one a minute for each device, with the number of the others.
struct GapNotes {
  /// In milliseconds.
  private static let interval: Int64 = 60_000

  private struct Device {
    var toldAt: Int64
    /// The gaps since then, and their known samples per channel.
    var untold = 0
    var lostSamplesPerChannel: Int64 = 0
  }

  private var devices: [String: Device] = [:]

  /// Takes a gap, and returns the note on it; nil if it is counted.
  mutating func take(_ gap: LocatedGap, of name: String, at now: Int64) -> String? {
    if devices[name] != nil {
      devices[name]?.untold += 1
      devices[name]?.lostSamplesPerChannel += gap.gap.lostSamplesPerChannel ?? 0
      return nil
    }
    devices[name] = Device(toldAt: now)
    return "device '\(name)': \(gap.text)"
  }

  /// The notes on counted gaps whose minute is over, or on all.
  mutating func due(at now: Int64, all: Bool = false) -> [String] {
    var notes: [String] = []
    for (name, device) in devices.sorted(by: { $0.key < $1.key })
    where all || now - device.toldAt >= Self.interval {
      devices[name] = nil
      guard device.untold > 0 else { continue }
      if !all { devices[name] = Device(toldAt: now) }
      let times = device.untold.counted("more gap")
      notes.append(
        "device '\(name)': \(times) since the last line, \(device.lostSamplesPerChannel.counted("sample"))"
      )
    }
    return notes
  }
}
