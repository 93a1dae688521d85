// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// Writes the figures of a run into a file for Prometheus, whole each time: at the start, twice a minute, and at the end.
///
/// The levels come from the thread that writes the samples. All other work is on the session thread.
final class MetricsReader: RunReader {
  /// In milliseconds.
  private static let interval: Int64 = 30_000
  private let command: CommandSession
  private let disk: DiskRoom
  private let partCommands: PartCommands?
  private let file: MetricsFile
  private let began = WallTime.now
  private var writtenAt: Int64?
  private var progress: SessionProgress?
  private var missing: Set<String> = []
  private var isPausing = false
  private var lostSamplesPerChannel: [String: Int64] = [:]
  private var unwritten: [String: Int64] = [:]
  private var alarms: [AlarmChange] = []
  private var parts: [String: (count: Int, bytes: Int64)] = [:]
  private var hasFailed = false

  private var levels: [(output: String, level: LevelFigures)] = []

  /// Measures the samples from now on, besides the alarms. Call it before the session runs.
  init(
    of command: CommandSession, to path: String, _ request: AlarmRequest, _ disk: DiskRoom,
    _ partCommands: PartCommands?
  ) throws(AudioError) {
    self.command = command
    self.disk = disk
    self.partCommands = partCommands
    file = try MetricsFile(path)
    let outputs = command.orderedOutputs.filter { $0.device == nil }
    alarms = request.kinds.flatMap { kind in
      kind.isAboutSamples
        ? outputs.map { AlarmChange(kind: kind, begins: false, output: $0.name) }
        : [AlarmChange(kind: kind, begins: false)]
    }
    for output in outputs {
      let level = LevelFigures()
      levels.append((output.name, level))
      let next = output.onLevel
      output.onLevel = { stretch in
        next?(stretch)
        level.add(stretch)
      }
    }
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .started: write(isRunning: true)
    case .progress(let progress):
      self.progress = progress
      writeIfDue()
    case .gap(let event):
      lostSamplesPerChannel[event.device, default: 0] += event.gap.gap.lostSamplesPerChannel ?? 0
    case .outputGap(let gap): unwritten[gap.output, default: 0] += Int64(gap.samples.count)
    case .absence(let event):
      switch event.absence {
      case .began:
        missing.insert(event.device)
        write(isRunning: true)
      case .ended:
        missing.remove(event.device)
        write(isRunning: true)
      case .lasts, .unusable: writeIfDue()
      case .paused, .resumed: break
      }
    case .pause(let event):
      isPausing = event.begins
      write(isRunning: true)
    case .alarm(let change):
      alarms.removeAll {
        $0.kind == change.kind && $0.output == change.output && $0.device == change.device
          && ($0.channel == change.channel || $0.channel == nil)
      }
      alarms.append(change)
      write(isRunning: true)
    case .part(let part):
      let name = command.outputs[part.sink.place]?.name ?? part.sink.place.description
      let (count, bytes) = parts[name] ?? (0, 0)
      parts[name] = (count + 1, bytes + (part.bytes ?? 0))
    // A run that never began has no figures.
    case .runEnded, .runFailed:
      if writtenAt == nil { file.close() } else { write(isRunning: false) }
    default: break
    }
  }

  private func writeIfDue() {
    let now = monotonicMilliseconds()
    if writtenAt.map({ now - $0 >= Self.interval }) ?? true { write(isRunning: true) }
  }

  /// Replaces the file. A failure is told once, and the run goes on.
  private func write(isRunning: Bool) {
    let now = monotonicMilliseconds()
    writtenAt = now
    file.put(text(isRunning: isRunning, at: now))
    if !isRunning { file.close() }
    tellFailure()
  }

  private func tellFailure() {
    guard let failure = file.takeFailure(), !hasFailed else { return }
    hasFailed = true
    command.console.note("--metrics: \(failure)")
  }

  private func text(isRunning: Bool, at now: Int64) -> String {
    var metrics = MetricsText()
    func seconds(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 1e6).rounded() / 1e3 }
    metrics.append("running", .gauge, "Whether the run goes on.", isRunning ? 1 : 0)
    metrics.append(
      "recording", .gauge, "Whether samples are recorded now, and none of --record's pauses lasts.",
      isRunning && !isPausing ? 1 : 0)
    metrics.append(
      "start_time_seconds", .gauge, "When the run began, in seconds since 1970.", seconds(began))
    metrics.append(
      "update_time_seconds", .gauge, "When this file was written, in seconds since 1970.",
      seconds(WallTime.now))
    metrics.append(
      "stream_seconds_total", .counter, "Length of the stream so far.",
      ((progress?.seconds ?? 0) * 1_000).rounded() / 1_000)
    appendDevices(to: &metrics)
    appendLevels(to: &metrics)
    appendParts(to: &metrics)
    metrics.append(
      "alarm", .gauge, "Whether an alarm goes on.",
      alarms.map { alarm in
        let subject = alarm.output.map { ("output", $0) } ?? alarm.device.map { ("device", $0) }
        return .init(
          labels: [("alarm", alarm.kind.rawValue)]
            + [subject, alarm.channel.map { ("channel", "\($0)") }].compactMap(\.self),
          value: alarm.begins ? 1 : 0)
      })
    metrics.append("disk_free_bytes", .gauge, "Room on the disk of the recording.", disk.free)
    metrics.append(
      "disk_remaining_seconds", .gauge, "How long the recording can go on.",
      progress.flatMap { disk.seconds(at: now, recorded: $0.seconds) }?.rounded())
    return metrics.text
  }

  /// The complete files of the outputs, and the work on them.
  private func appendParts(to metrics: inout MetricsText) {
    let parts = parts.sorted { $0.key < $1.key }
    metrics.append(
      "parts_total", .counter, "Complete files of the recording.", by: "output",
      parts.map { ($0.key, Double($0.value.count)) })
    metrics.append(
      "part_bytes_total", .counter, "Bytes of the complete files.", by: "output",
      parts.map { ($0.key, Double($0.value.bytes)) })
    metrics.append(
      "output_lost_samples_total", .counter,
      "Samples per channel that are not written, because the disk was full.", by: "output",
      command.orderedOutputs.filter { $0.device == nil }.map {
        ($0.name, Double(unwritten[$0.name] ?? 0))
      })
    metrics.append(
      "part_command_failures_total", .counter, "Failures of the command of --on-part.",
      Double(partCommands?.failureCount ?? 0))
    let backlog = partCommands?.backlog ?? (count: 0, age: 0)
    metrics.append(
      "part_commands_waiting", .gauge, "Parts that the command of --on-part has not succeeded for.",
      Double(backlog.count))
    metrics.append(
      "part_commands_oldest_seconds", .gauge, "Age of the oldest of these parts.",
      backlog.age.rounded())
  }

  private func appendDevices(to metrics: inout MetricsText) {
    let devices = command.devices
    func each(_ value: (DeviceStatistics) -> Double) -> [(String, Double)] {
      devices.map { ($0.device, value($0.statistics)) }
    }
    metrics.append(
      "device_present", .gauge, "Whether the device is there.", by: "device",
      devices.map { ($0.device, missing.contains($0.device) ? 0 : 1) })
    metrics.append(
      "device_samples_total", .counter, "Samples per channel from or to the device.",
      by: "device", each { Double($0.movedSamplesPerChannel) })
    metrics.append(
      "device_xruns_total", .counter, "Overruns or underruns of the device.", by: "device",
      each { Double($0.xruns) })
    metrics.append(
      "device_overflows_total", .counter, "How often the ring behind the device was full.",
      by: "device", each { Double($0.overflows) })
    metrics.append(
      "device_faults_total", .counter, "Restarts and losses of the device.", by: "device",
      each { Double($0.faults + $0.losses) })
    metrics.append(
      "device_lost_samples_total", .counter, "Samples per channel that the device lost.",
      by: "device",
      command.liveSources.map { ($0.device, Double(lostSamplesPerChannel[$0.device] ?? 0)) })
  }

  /// The levels of each channel since the last time, in dBFS; -Inf for silence.
  private func appendLevels(to metrics: inout MetricsText) {
    let figures = levels.flatMap { output, level in
      level.take().enumerated().map { index, figure in
        (labels: [(name: "output", value: output), ("channel", "\(index + 1)")], figure: figure)
      }
    }
    func each(_ value: (LevelFigures.Figure) -> Double) -> [MetricsText.Sample] {
      figures.map { .init(labels: $0.labels, value: value($0.figure)) }
    }
    func level(_ amplitude: Double) -> Double {
      let level = Decibels.level(amplitude)
      return level.isFinite ? level.rounded(toDigits: 2) : level
    }
    metrics.append(
      "peak_dbfs", .gauge, "Largest sample since the last update.", each { level($0.peak) })
    metrics.append(
      "rms_dbfs", .gauge, "RMS without the mean since the last update.", each { level($0.rms) })
    metrics.append(
      "dc_offset", .gauge, "Mean of the samples since the last update; 1 is full scale.",
      each { $0.mean.rounded(toDigits: 6) })
  }
}

/// The levels of a recording's channels between two updates of its metrics: the writing thread adds, the session thread
/// takes.
final class LevelFigures: Sendable {
  /// The level of one channel; 1 is full scale.
  struct Figure {
    fileprivate(set) var peak = 0.0
    /// The sum of the squares without the mean of each tenth of a second.
    private var squares = 0.0
    private var count: Int64 = 0
    private var sum = 0.0

    var rms: Double { count > 0 ? (squares / Double(count)).squareRoot() : 0 }
    var mean: Double { count > 0 ? sum / Double(count) : 0 }

    fileprivate mutating func add(_ channel: MonitoredLevel.Channel) {
      peak = max(peak, channel.peak)
      for level in channel.levels {
        squares += level.meanSquare * Double(level.samplesPerChannel)
        sum += channel.mean * Double(level.samplesPerChannel)
        count += level.samplesPerChannel
      }
    }
  }

  private let figures = Mutex<[Figure]>([])

  func add(_ stretch: MonitoredLevel) {
    figures.withLock { figures in
      while figures.count < stretch.channels.count { figures.append(Figure()) }
      for (index, channel) in stretch.channels.enumerated() { figures[index].add(channel) }
    }
  }

  /// The levels since the last call, channel by channel; empty if nothing has come.
  func take() -> [Figure] {
    figures.withLock { figures in
      defer { figures = [] }
      return figures
    }
  }
}
