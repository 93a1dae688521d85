// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Notes on devices: their threads, their gaps and pauses, and their failures.
extension CommandSession {
  /// The number of gaps or pauses listed by default.
  private static let usualListLength = 20

  /// Prints a note for each device without the requested rate.
  func noteResampling() {
    guard let requestedSampleRate else { return }
    for device in liveSources {
      guard let rate = device.parameters?.format.sampleRate, rate != requestedSampleRate else {
        continue
      }
      console.note(
        "device '\(device.device)' does not give \(requestedSampleRate) Hz; it runs at \(rate) Hz,"
          + " and its samples are resampled")
    }
  }

  /// Prints the real-time priorities of the device threads, or the reasons for a refusal.
  func tellPriorities() {
    var refusals: Set<RealTimePriority> = []
    for device in devices {
      guard let priority = device.priority else { continue }
      switch priority {
      case .granted(let level):
        console.detail("device '\(device.device)': its thread runs at real-time priority \(level)")
      case .refused(let reason, let advice):
        guard refusals.insert(priority).inserted else { continue }
        console.note("no real-time priority: \(reason); \(advice)")
      }
    }
  }

  /// Prints the pauses of each recording, whose time is missing because the program was stopped (Ctrl-Z).
  func tellPauses() {
    for input in inputs {
      guard let device = input.device, let rate = device.parameters?.format.sampleRate else {
        continue
      }
      let pauses = device.pauses
      let name = "device '\(device.device)'"
      func text(_ pause: DevicePause) -> String {
        "paused \(pause.line(of: input, at: rate))"
      }
      guard pauses.count > 1 else {
        for pause in pauses {
          console.note("\(name): \(text(pause)), which is not in the recording")
        }
        continue
      }
      let tenths = device.statistics.pausedTime.inMicroseconds / 100_000
      console.note(
        "\(name): paused \(device.statistics.pauses) times, for \(tenths / 10).\(tenths % 10) s in all,"
          + " which is not in the recording")
      if timeline.tellsJSON { continue }
      list(pauses, of: pauses.count, { _ in "pauses" }, device.device, text)
    }
  }

  /// Prints the wake-up delays of the device threads with `-v`.
  func tellWakeUps() {
    for device in devices {
      let wakeUps = device.statistics.wakeUps
      guard wakeUps.count > 0 else { continue }
      console.detail("device '\(device.device)': its thread woke \(wakeUps.line)")
    }
  }

  /// Prints the failures of the devices and the gaps.
  ///
  /// - Parameter areFatal: whether failures are the reason of the exit code.
  /// - Returns: whether a device failed. A standstill of a server without a loss is no failure.
  @discardableResult
  func noteTroubles(areFatal: Bool = false) -> Bool {
    var haveFailed = false
    for input in inputs {
      guard let device = input.device else { continue }
      haveFailed =
        note(
          device.statistics, device.device, xrun: device.xrunNoun ?? "overrun", gaps: device.gaps,
          areFatal)
        || haveFailed
      noteGaps(of: input)
    }
    for device in orderedOutputs.compactMap(\.device) {
      haveFailed = note(device.statistics, device.device, xrun: "underrun", areFatal) || haveFailed
    }
    return haveFailed
  }

  private func note(
    _ statistics: DeviceStatistics, _ device: String, xrun: String, gaps: DeviceGaps? = nil,
    _ areFatal: Bool
  ) -> Bool {
    var troubles: [String] = []
    func add(_ count: Int, _ one: String, _ many: String) {
      if count > 0 { troubles.append("\(count) \(count == 1 ? one : many)") }
    }
    add(statistics.xruns, xrun, xrun + "s")
    add(statistics.suspends, "suspend", "suspends")
    add(statistics.losses, "loss of the device", "losses of the device")
    add(statistics.faults, "restart after an input/output error", "restarts after errors")
    add(statistics.overflows, "overflow of the ring", "overflows of the ring")
    let dropped = statistics.overflowedSamplesPerChannel
    // Otherwise the gaps include them.
    if dropped > gaps?.lostSamplesPerChannel ?? 0 {
      add(Int(dropped), "sample per channel dropped", "samples per channel dropped")
    }
    let hasFailed = !troubles.isEmpty
    if hasFailed, let loss = gaps?.loss { troubles.append(loss) }
    add(
      statistics.standstills, "standstill of the server without a loss",
      "standstills of the server without a loss")
    if !troubles.isEmpty {
      console.note(
        "device '\(device)': \(troubles.joined(separator: ", "))", isFatal: areFatal && hasFailed)
    }
    return hasFailed
  }

  /// Prints the gaps, unless each was reported at once.
  private func noteGaps(of input: SessionInput) {
    guard !timeline.tellsJSON, timeline.onXrun == .fill,
      let gaps = input.device?.gaps, let rate = input.device?.parameters?.format.sampleRate
    else { return }
    list(gaps.list, of: gaps.count, { $0 == 1 ? "gap" : "gaps" }, input.name) {
      input.locatedGap($0, at: rate).text
    }
  }

  /// Prints the first items of a device's list, with `-v` all known ones, and the number of further ones.
  private func list<Item>(
    _ items: [Item], of count: Int, _ noun: (Int) -> String, _ device: String,
    _ text: (Item) -> String
  ) {
    let listsAll = console.verbosity == .verbose
    let shown = listsAll ? items[...] : items.prefix(Self.usualListLength)
    for item in shown { console.note("device '\(device)': \(text(item))") }
    let rest = count - shown.count
    if rest == 0 { return }
    let hint = listsAll ? "" : "; --json or -v lists them"
    console.note("device '\(device)': and \(rest) more \(noun(rest))\(hint)")
  }
}
