// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// Tells where a recording is not as it should be: once when that begins and once when it ends.
///
/// Samples are looked at by the thread that writes them; everything else is the main thread's.
final class AlarmReports {
  /// How often the disk is looked at, and xruns are counted, in milliseconds.
  private static let pace: Int64 = 1_000
  private let command: CommandSession
  private let request: AlarmRequest
  private var disk: DiskRoom?
  private var xruns: XrunAlarm?
  private var space: SpaceAlarm?
  private var lookedAt: Int64 = .min
  /// What was found in an output's samples and not told yet.
  private let found = Mailbox<(output: String, change: AlarmChange, rate: Int)>()

  /// Watches what is recorded from now on. Call it before the session runs.
  init(of command: CommandSession, _ request: AlarmRequest) {
    self.command = command
    self.request = request
    xruns = request.xruns.map { XrunAlarm($0) }
    guard request.isAboutSamples else { return }
    for output in command.orderedOutputs where output.device == nil {
      let (name, found) = (output.name, found)
      let alarms = Mutex(StreamAlarms(request))
      output.watchLevels { stretch in
        for change in alarms.withLock({ $0.take(stretch) }) {
          found.put((name, change, stretch.sampleRate))
        }
      }
    }
  }

  /// Everything is settled.
  func begin(_ summary: SessionSummary) {
    guard let limit = request.space else { return }
    disk = DiskRoom(of: command, summary)
    switch limit {
    case .bytes(let bytes): space = SpaceAlarm(Double(bytes))
    case .seconds(let seconds): space = SpaceAlarm(seconds)
    }
  }

  /// Tells what is new.
  ///
  /// - Parameter progress: nil at the end.
  func announce(_ progress: SessionProgress?) {
    for (output, change, rate) in found.take() { tell(change, of: output, at: rate) }
    guard xruns != nil || space != nil, let progress else { return }
    let now = monotonicMilliseconds()
    guard lookedAt == .min || now - lookedAt >= Self.pace else { return }
    lookedAt = now
    if let change = xruns?.take(xrunCount, at: now) { tell(change) }
    let length = Double(progress.samplesPerChannel) / Double(progress.sampleRate)
    if let room = room(at: now, recorded: length), let change = space?.take(room, at: now) {
      tell(change)
    }
  }

  private func room(at now: Int64, recorded length: Double) -> Double? {
    guard let limit = request.space else { return nil }
    let seconds = disk?.seconds(at: now, recorded: length)
    if case .bytes = limit { return disk?.free }
    return seconds
  }

  private var xrunCount: Int {
    command.deviceStatistics.reduce(0) { $0 + $1.xruns + $1.overflows + $1.faults }
  }

  private func tell(_ change: AlarmChange, of output: String? = nil, at rate: Int = 1) {
    var members: [(name: String, value: JSONValue)] = []
    if let output { members.append(("output", .path(output))) }
    if let position = change.position {
      members.append(("samplePosition", .integer(position)))
      members.append(("sampleRate", .integer(Int64(rate))))
    }
    if let value = change.value { members.append(("value", .number(value.roundedToThousandths))) }
    if let lasted = change.lasted {
      members.append(("seconds", .number(lasted.roundedToThousandths)))
    }
    command.tell(.alarm(change.kind, begins: change.begins, members))
    let words = words(change, of: output.map { "'\($0)'" } ?? "", at: rate)
    let length = change.lasted.map { ", after \($0.decimal(1)) s" } ?? ""
    command.console.note("\(change.begins ? "alarm" : "alarm over"): \(words)\(length)")
  }

  private func words(_ change: AlarmChange, of output: String, at rate: Int) -> String {
    let place = change.position.map { " at \(clockTime($0, at: rate))" } ?? ""
    let value = change.value ?? 0
    return switch (change.kind, change.begins) {
    case (.silence, true):
      "\(output) is silent since\(place.dropFirst(3)): nothing has reached"
        + " \(request.silenceLevel.decimal(0)) dBFS"
    case (.silence, false): "\(output) is not silent any more"
    case (.level, true):
      "\(output) is too \(isLoud(value) ? "loud" : "quiet")\(place): \(value.decimal(1)) dBFS RMS"
    case (.level, false): "the level of \(output) is \(value.decimal(1)) dBFS RMS again"
    case (.clipping, true):
      "\(output) clips\(place): \(value.decimal(0)) samples in a row at full scale"
    case (.clipping, false): "\(output) does not clip any more"
    case (.xruns, true): "\(value.decimal(0)) xruns, more than \(request.xruns?.text ?? "")"
    case (.xruns, false): "xruns are rare again"
    case (.space, true): "the disk has room for \(amount(value)) only"
    case (.space, false): "the disk has room for \(amount(value)) again"
    case (.device, _): ""
    }
  }

  private func isLoud(_ level: Double) -> Bool {
    request.level?.highest.map { level > $0 } ?? false
  }

  private func amount(_ room: Double) -> String {
    if case .bytes = request.space { return "\((room / 1e9).decimal(1)) GB" }
    return "\((room / 3_600).decimal(1)) h"
  }
}
