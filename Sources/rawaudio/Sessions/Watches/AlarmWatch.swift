// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// Reports the beginning and the end of each alarm of a recording.
///
/// Samples are analysed on the thread that writes them. All other work is on the main thread.
final class AlarmWatch: RunReader {
  /// The interval of checks of the disk and the xruns, in milliseconds.
  private static let pace: Int64 = 1_000
  private let command: CommandSession
  private let request: AlarmRequest
  private let disk: DiskRoom
  private var xruns: XrunAlarm?
  private var space: SpaceAlarm?
  private var lookedAt: Int64 = .min

  /// Watches the samples from now on. Call it before the session runs.
  init(
    of command: CommandSession, _ request: AlarmRequest, _ disk: DiskRoom,
    telling inbox: CrossThreadEvents
  ) {
    self.command = command
    self.request = request
    self.disk = disk
    space = request.space.map { SpaceAlarm($0) }
    xruns = request.xruns.map { XrunAlarm($0) }
    guard request.isAboutSamples else { return }
    for output in command.orderedOutputs where output.device == nil {
      let name = output.name
      let clock = command.clock
      let alarms = Mutex(StreamAlarms(request))
      output.onLevel = { stretch in
        for var change in alarms.withLock({ $0.take(stretch) }) {
          change.request = request
          change.output = name
          change.sampleRate = stretch.sampleRate
          change.time = change.position.flatMap { clock.text(of: $0, at: stretch.sampleRate) }
          inbox.put(.alarm(change))
        }
      }
    }
  }

  func take(_ event: RunEvent, in log: RunLog) {
    guard case .progress(let progress) = event, xruns != nil || space != nil else { return }
    let now = monotonicMilliseconds()
    guard lookedAt == .min || now - lookedAt >= Self.pace else { return }
    lookedAt = now
    let changes = [
      xruns?.take(xrunCount, at: now),
      room(at: now, recorded: progress.seconds).flatMap { space?.take($0, at: now) },
    ]
    for var change in changes.compactMap(\.self) {
      change.request = request
      change.time = command.clock.now
      log.tell(.alarm(change))
    }
  }

  private func room(at now: Int64, recorded length: Double) -> Double? {
    switch request.space {
    case .bytes: disk.free
    case .seconds: disk.seconds(at: now, recorded: length)
    case nil: nil
    }
  }

  private var xrunCount: Int {
    command.devices.reduce(0) {
      $0 + $1.statistics.xruns + $1.statistics.overflows + $1.statistics.faults
    }
  }
}

extension SessionProgress {
  /// The position in seconds.
  var seconds: Double { Double(samplesPerChannel) / Double(sampleRate) }
}
