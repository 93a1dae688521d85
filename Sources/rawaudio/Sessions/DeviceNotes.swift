// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// What is printed about devices: how their threads run, and what went wrong.
struct DeviceNotes {
  private let command: CommandSession
  private let console: Console

  init(of command: CommandSession) {
    self.command = command
    console = command.console
  }

  /// Prints how the devices run, and follows their gaps from now on.
  ///
  /// - Parameter onAbsence: called with the device where one is lost and waited for.
  func begin(
    _ summary: SessionSummary, onAbsence: @escaping (DeviceAbsence, String) -> Void
  ) {
    noteResampling()
    followGaps(summary, onAbsence)
    tellPriorities()
  }

  /// Follows no gaps any more.
  func end() {
    for device in command.inputs.compactMap(\.device) {
      device.onGap = nil
      device.onAbsence = nil
    }
  }

  /// Prints which real-time priority the device threads got, or why they got none.
  private func tellPriorities() {
    var refusals: Set<RealTimePriority> = []
    func tell(_ priority: RealTimePriority?, _ device: String) {
      switch priority {
      case .granted(let level):
        console.detail("device '\(device)': its thread runs at real-time priority \(level)")
      case .refused(let reason, let advice):
        guard let priority, refusals.insert(priority).inserted else { return }
        console.note("no real-time priority: \(reason); \(advice)")
      case nil: break
      }
    }
    for device in command.inputs.compactMap(\.device) { tell(device.priority, device.device) }
    for device in command.orderedOutputs.compactMap(\.device) {
      tell(device.priority, device.device)
    }
  }

  /// Prints for every recording where time is missing because the program was stopped (Ctrl-Z).
  func tellPauses() {
    for input in command.inputs {
      guard let device = input.device, let rate = device.parameters?.format.sampleRate else {
        continue
      }
      let pauses = device.pauses.map { input.located($0, at: rate).line(at: rate) }
      let name = "device '\(device.device)'"
      guard pauses.count > 1 else {
        for pause in pauses {
          console.note("\(name): paused \(pause), which is not in the recording")
        }
        continue
      }
      let tenths = device.statistics.pausedTime.inMicroseconds / 100_000
      console.note(
        "\(name): paused \(device.statistics.pauses) times, for \(tenths / 10).\(tenths % 10) s in all,"
          + " which is not in the recording")
      if command.timeline.tellsJSON { continue }
      let shown = console.verbosity == .verbose ? pauses[...] : pauses.prefix(20)
      for pause in shown { console.note("\(name): paused \(pause)") }
      let rest = pauses.count - shown.count
      if rest > 0 { console.note("\(name): and \(rest) more pauses; --json or -v lists them") }
    }
  }

  /// Prints with `-v` how late the device threads woke.
  func tellWakeUps() {
    func tell(_ wakeUps: WakeUpStatistics, _ device: String) {
      guard wakeUps.count > 0 else { return }
      console.detail("device '\(device)': its thread woke \(wakeUps.line)")
    }
    for device in command.inputs.compactMap(\.device) {
      tell(device.statistics.wakeUps, device.device)
    }
    for device in command.orderedOutputs.compactMap(\.device) {
      tell(device.statistics.wakeUps, device.device)
    }
  }

  /// Reports the gaps of every device as they are read, and marks them in the files that it feeds.
  private func followGaps(
    _ summary: SessionSummary, _ onAbsence: @escaping (DeviceAbsence, String) -> Void
  ) {
    for (source, input) in zip(summary.sources, command.inputs) {
      guard let device = input.device else { continue }
      let rate = source.description.format.sampleRate
      let places: [SinkPlace] = source.key == .local ? [.publish, .mixed] : [.playback, .mixed]
      let absences = DeviceAbsences(of: input, source, in: command)
      device.onAbsence = {
        absences.tell($0)
        onAbsence($0, device.device)
      }
      device.onGap = { gap in
        let gap = input.located(gap, at: rate)
        tell(gap, of: source.key, device.device, at: rate)
        // The part that it was in has ended.
        if gap.cause == .deviceLost, absences.areLeftOut { return }
        guard command.timeline.onXrun == .mark, let position = input.mark(for: gap, at: rate) else {
          return
        }
        for place in places { command.outputs[place]?.mark(position, at: rate, label: gap.label) }
      }
    }
  }

  private func tell(_ gap: DeviceGap, of source: SourceKey, _ device: String, at rate: Int) {
    let isNoted = command.timeline.onXrun == .mark && gap.cause != .deviceLost
    command.tell(
      .event(
        "gap",
        source.members + [("device", .string(device))]
          + gap.members(at: rate)),
      note: isNoted ? "device '\(device)': \(gap.line(at: rate))" : nil)
  }

  /// Prints that a device does not run at the rate that was asked for.
  private func noteResampling() {
    guard let requested = command.requestedSampleRate else { return }
    for device in command.inputs.compactMap(\.device) {
      guard let rate = device.parameters?.format.sampleRate, rate != requested else {
        continue
      }
      console.note(
        "device '\(device.device)' does not give \(requested) Hz; it runs at \(rate) Hz,"
          + " and what it gives is resampled")
    }
  }

  /// Prints how often devices failed.
  @discardableResult
  func noteTroubles() -> Set<FailureCondition> {
    var conditions: Set<FailureCondition> = []
    func note(
      _ statistics: DeviceStatistics, _ device: String, xrun: String, gaps: DeviceGaps? = nil
    ) {
      var troubles: [String] = []
      func add(_ count: Int, _ one: String, _ many: String) {
        if count > 0 { troubles.append("\(count) \(count == 1 ? one : many)") }
      }
      add(statistics.xruns, xrun, xrun + "s")
      add(statistics.suspends, "suspend", "suspends")
      add(statistics.losses, "loss of the device", "losses of the device")
      add(statistics.faults, "restart after an input/output error", "restarts after errors")
      add(statistics.overflows, "overflow of the ring", "overflows of the ring")
      let dropped = statistics.samplesOverflowed
      // Otherwise the gaps include them.
      if dropped > gaps?.lostSamples ?? 0 {
        add(Int(dropped), "sample per channel dropped", "samples per channel dropped")
      }
      if !troubles.isEmpty, let loss = gaps?.loss { troubles.append(loss) }
      guard !troubles.isEmpty else { return }
      conditions.insert(.xrun)
      console.note("device '\(device)': \(troubles.joined(separator: ", "))")
    }
    for input in command.inputs {
      guard let device = input.device else { continue }
      note(device.statistics, device.device, xrun: "overrun", gaps: device.gaps)
      noteGaps(device, of: input)
    }
    for device in command.orderedOutputs.compactMap(\.device) {
      note(device.statistics, device.device, xrun: "underrun")
    }
    return conditions
  }

  /// Prints where the gaps are, unless each was reported as it came.
  private func noteGaps(_ device: any LiveSource, of input: SessionInput) {
    guard !command.timeline.tellsJSON, command.timeline.onXrun == .fill,
      let parameters = device.parameters
    else { return }
    let lines = device.gaps.lines(
      of: input, at: parameters.format.sampleRate, listsAll: console.verbosity == .verbose)
    for line in lines { console.note("device '\(device.device)': \(line)") }
  }
}
