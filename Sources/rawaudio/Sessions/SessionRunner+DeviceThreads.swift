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
    for device in inputs.compactMap(\.device) {
      let statistics = device.statistics
      guard statistics.pauses > 0 else { continue }
      let times = statistics.pauses == 1 ? "once" : "\(statistics.pauses) times"
      let tenths = statistics.pausedTime.inMicroseconds / 100_000
      console.note(
        "device '\(device.device)': paused \(times), for \(tenths / 10).\(tenths % 10) s in all, which is"
          + " not in the recording")
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
