// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore
internal import Glibc

/// Tells a service manager how a session is, where there is one that asks (systemd's `Type=notify`): that it is ready,
/// that it is alive, and in one line how it goes.
///
/// A sign of life comes only when every device has moved samples since the last one and the session has taken them:
/// no timer sends it. Session thread only.
final class ServiceReader: RunReader {
  private let command: CommandSession
  private let activity: String
  private let socket: ServiceSocket
  /// How often a sign of life is due at least, in milliseconds; nil = none is wanted.
  private let watchdog: Int64?
  private var isReady = false
  private var lookedAt: Int64 = 0
  private var fedAt: Int64?
  private var statusAt: Int64?
  private var status = ""
  /// Samples per channel that the devices had moved at the last sign of life.
  private var moved: [Int64]
  /// Devices that are waited for.
  private var missing: Set<String> = []
  private let disk: DiskRoom

  /// - Returns: nil where nobody asks.
  init?(of command: CommandSession, activity: String, _ disk: DiskRoom) {
    let name = environmentVariable("NOTIFY_SOCKET")
    let interval = environmentVariable("WATCHDOG_USEC").flatMap { Int64($0) }
    let process = environmentVariable("WATCHDOG_PID").flatMap { Int32($0) }
    guard let name else { return nil }
    // Programs that this one starts do not speak for it.
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsafe unsetenv(name) }
    guard let socket = ServiceSocket(named: name) else { return nil }
    self.command = command
    self.activity = activity
    self.disk = disk
    self.socket = socket
    let isMeant = process == nil || process == getpid()
    watchdog = isMeant ? interval.flatMap { $0 > 0 ? max(1, $0 / 1_000) : nil } : nil
    moved = command.inputs.compactMap { $0.device == nil ? nil : 0 }
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    // Without a device.
    case .started: if moved.isEmpty { tellReady() }
    case .progress(let progress): update(progress)
    case .absence(let event): note(event.absence, of: event.device)
    // Files and commands are brought to their end.
    case .sessionEnded: socket.send(["STOPPING=1", "STATUS=ending"])
    default: break
    }
  }

  private func update(_ progress: SessionProgress) {
    let now = monotonicMilliseconds()
    // Before the first samples it is looked at each time.
    guard !isReady || now - lookedAt >= pace else { return }
    lookedAt = now
    let samples = command.inputs.compactMap { $0.device?.statistics.samplesMoved }
    if !isReady {
      guard samples.allSatisfy({ $0 > 0 }) else { return }
      tellReady()
    }
    if zip(samples, moved).allSatisfy({ $0 > $1 }), isFeedingDue(at: now) { feed(samples, at: now) }
    if statusAt.map({ now - $0 >= 10_000 }) ?? true { tellStatus(progress, at: now) }
  }

  /// A device is waited for. That this goes on is a sign of life too.
  private func note(_ absence: DeviceAbsence, of device: String) {
    let now = monotonicMilliseconds()
    switch absence {
    case .began:
      missing.insert(device)
      statusAt = nil
    case .lasts, .unusable:
      if isReady, isFeedingDue(at: now) { feed(moved, at: now) }
    case .ended:
      missing.remove(device)
      statusAt = nil
      // It counts from here, for it may have been opened anew.
      moved = command.inputs.compactMap { $0.device?.statistics.samplesMoved }
    }
  }

  /// How often it is worth looking.
  private var pace: Int64 { min(1_000, watchdog.map { $0 / 4 } ?? 1_000) }

  private func isFeedingDue(at now: Int64) -> Bool {
    watchdog.map { limit in fedAt.map { now - $0 >= limit / 4 } ?? true } ?? false
  }

  private func feed(_ samples: [Int64], at now: Int64) {
    (moved, fedAt) = (samples, now)
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
    if !missing.isEmpty {
      words.append("waiting for \(missing.sorted().map { "'\($0)'" }.joinedAsList)")
    }
    let gaps = command.inputs.compactMap { $0.device?.gaps.count }.reduce(0, +)
    words.append("\(gaps) \(gaps == 1 ? "gap" : "gaps")")
    if let room = disk.seconds(at: now, recorded: seconds) {
      words.append("disk for \((room / 3_600).decimal(1)) h")
    }
    let text = words.joined(separator: ", ")
    guard text != status else { return }
    status = text
    socket.send(["STATUS=\(text.printable)"])
  }
}
