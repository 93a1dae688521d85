internal import AudioCore

/// How the threads of devices run.
extension SessionRunner {
  /// Says which priority they got, or why they did not get it.
  func tellPriorities() {
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
    for device in inputs.compactMap(\.device) { tell(device.priority, device.device) }
    for device in outputs.values.compactMap(\.device) { tell(device.priority, device.device) }
  }

  /// Says of every recording where it leaves time out because the program was stopped (Ctrl-Z).
  func tellPauses() {
    for input in inputs {
      guard let device = input.device, let rate = device.parameters?.format.sampleRate else {
        continue
      }
      let pauses = device.pauses.map { input.placed($0, at: rate).line(at: rate) }
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
      if timeline.tellsJSON { continue }
      let shown = console.verbosity == .verbose ? pauses[...] : pauses.prefix(20)
      for pause in shown { console.note("\(name): paused \(pause)") }
      let rest = pauses.count - shown.count
      if rest > 0 { console.note("\(name): and \(rest) more pauses; --json or -v lists them") }
    }
  }

  /// Says with `-v` how late they woke.
  func tellWakeUps() {
    func tell(_ wakeUps: WakeUpStatistics, _ device: String) {
      guard wakeUps.count > 0 else { return }
      console.detail("device '\(device)': its thread woke \(wakeUps.line)")
    }
    for device in inputs.compactMap(\.device) { tell(device.statistics.wakeUps, device.device) }
    for device in outputs.values.compactMap(\.device) {
      tell(device.statistics.wakeUps, device.device)
    }
  }
}
