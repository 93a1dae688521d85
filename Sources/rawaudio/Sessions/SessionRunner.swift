internal import AudioCore

/// Runs the session of a command and tells the user and the shell how it went.
struct SessionRunner {
  let session: Session
  let inputs: [SessionInput]
  let output: SessionOutput
  let console: Console
  /// What is being done, for the progress line: "mixing".
  let activity: String
  /// Whether a signal is how the work is meant to end, as in a recording.
  let endsBySignal: Bool
  let failureConditions: Set<FailureCondition>
  /// Looked at when everything is settled; what it throws ends the run before a sample moves.
  var validate: (SessionSummary) throws -> Void = { _ in }

  func run() throws -> ExitCode {
    let interruption = Interruption(
      of: session.control, requesting: endsBySignal ? .finish : .abandon)
    interruption.install()
    var rejection: (any Error)?
    session.onStart = { summary in
      do {
        try validate(summary)
      } catch {
        rejection = error
        session.control.requestStop(.abandon)
      }
      describe(summary)
    }
    var progress: Progress?
    session.onProgress = { now in
      let line = progress ?? Progress(activity, sampleRate: now.sampleRate, on: console)
      progress = line
      line.update(done: now.samplesPerChannel, total: now.expectedSamplesPerChannel)
    }
    defer {
      // They hold the session.
      session.onStart = nil
      session.onProgress = nil
      console.eraseStatus()
    }
    let report: SessionReport
    do {
      report = try session.run()
    } catch {
      console.eraseStatus()
      noteDeviceTroubles()
      throw error
    }
    if let rejection { throw rejection }
    console.eraseStatus()
    describe(report)
    if report.outcome == .abandoned { return interruption.exitCode ?? .failure }
    let conditions = noteAll()
    if conditions.isEmpty { noteEmptiness(report) }
    return conditions.isDisjoint(with: failureConditions) ? .success : .strict
  }

  /// Tells of a result that holds nothing, as where a trim begins behind the end of the source.
  private func noteEmptiness(_ report: SessionReport) {
    guard output.device == nil, report.outcome == .finished,
      report.sinks.allSatisfy({ $0.samplesPerChannel == 0 })
    else {
      return
    }
    console.note("'\(output.name)' holds no sample: there was nothing to take from the input")
  }

  /// Tells what happened that the user did not ask for.
  private func noteAll() -> Set<FailureCondition> {
    var conditions = noteDeviceTroubles()
    if output.clippedSamples > 0 {
      conditions.insert(.clip)
      let samples = output.clippedSamples == 1 ? "sample" : "samples"
      console.note(
        "\(output.clippedSamples) \(samples) clipped in '\(output.name)'; lower the gain")
    }
    for input in inputs {
      guard let truncation = input.truncation else { continue }
      conditions.insert(.truncated)
      console.note(
        "'\(input.name)' is truncated: it holds \(truncation.actualSamplesPerChannel) of the"
          + " \(truncation.claimedSamplesPerChannel) samples per channel that its header claims")
    }
    return conditions
  }

  @discardableResult
  private func noteDeviceTroubles() -> Set<FailureCondition> {
    var conditions: Set<FailureCondition> = []
    func note(_ statistics: DeviceStatistics, _ device: String, xrun: String) {
      var troubles: [String] = []
      func add(_ count: Int, _ one: String, _ many: String) {
        if count > 0 { troubles.append("\(count) \(count == 1 ? one : many)") }
      }
      add(statistics.xruns, xrun, xrun + "s")
      add(statistics.suspends, "suspend", "suspends")
      add(statistics.faults, "restart after an input/output error", "restarts after errors")
      let dropped = Int(statistics.samplesOverflowed)
      add(dropped, "sample per channel dropped", "samples per channel dropped")
      guard !troubles.isEmpty else { return }
      conditions.insert(.xrun)
      console.note("device '\(device)': \(troubles.joined(separator: ", "))")
    }
    for device in inputs.compactMap(\.device) {
      note(device.statistics, device.device, xrun: "overrun")
    }
    if let device = output.device { note(device.statistics, device.device, xrun: "underrun") }
    return conditions
  }

  private func describe(_ summary: SessionSummary) {
    for (source, input) in zip(summary.sources, inputs) {
      let description = source.description
      let details =
        input.device?.parameters.map { "\($0)" }
        ?? "\(description.format), \(description.encoding.rawValue)"
      console.detail("\(source.id): '\(input.name)', \(details)")
    }
    if let format = summary.mixFormat { console.detail("sum: \(format)") }
    for sink in summary.sinks {
      let format = output.fileFormat.map { "\(sink.format), \($0)" } ?? "\(sink.format)"
      let details = output.device?.parameters.map { "\($0)" } ?? format
      let converted =
        sink.format == sink.streamFormat ? "" : ", converted from \(sink.streamFormat)"
      console.detail("\(sink.place.rawValue): '\(output.name)', \(details)\(converted)")
    }
    console.detail("precision: \(summary.precision == .single ? "32" : "64")-bit float")
  }

  private func describe(_ report: SessionReport) {
    for sink in report.sinks {
      console.detail(
        "\(sink.place.rawValue): \(sink.samplesPerChannel) samples per channel at"
          + " \(sink.format.sampleRate) Hz")
    }
  }
}
