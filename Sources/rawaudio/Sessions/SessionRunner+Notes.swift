internal import AudioCore

extension SessionRunner {
  private var orderedOutputs: [SessionOutput] { SinkPlace.allCases.compactMap { outputs[$0] } }

  /// Tells of a result that holds nothing, as where a trim begins behind the end of the source.
  func noteEmptiness(_ report: SessionReport) {
    guard report.outcome == .finished else { return }
    for sink in report.sinks where sink.samplesPerChannel == 0 {
      guard let output = outputs[sink.place], output.device == nil else { continue }
      console.note("'\(output.name)' holds no sample: there was nothing to take from the input")
    }
  }

  /// Tells of a header that cannot state the rate of what it heads.
  func noteRates(_ report: SessionReport) {
    for sink in report.sinks {
      guard let output = outputs[sink.place], let file = output.soundFileFormat else { continue }
      let stated = file.statedSampleRate(of: sink.format)
      guard stated != sink.format.sampleRate else { continue }
      console.note(
        "'\(output.name)' holds \(sink.format.sampleRate) Hz; its header can only say \(stated) Hz")
    }
  }

  /// Tells what happened that the user did not ask for.
  func noteAll() -> Set<FailureCondition> {
    var conditions = noteDeviceTroubles()
    func noteClipping(_ count: Int, _ place: String) {
      conditions.insert(.clip)
      console.note(
        "\(count) \(count == 1 ? "sample" : "samples") clipped in \(place); lower the gain")
    }
    for output in orderedOutputs where output.clippedSamples > 0 {
      noteClipping(output.clippedSamples, "'\(output.name)'")
    }
    for clipping in observers.clippings {
      noteClipping(clipping.samples, "observer '\(clipping.name)'")
    }
    for input in inputs + observers.inputs {
      guard let truncation = input.truncation else {
        noteTrailingBytes(of: input)
        continue
      }
      conditions.insert(.truncated)
      console.note(
        "'\(input.name)' is truncated: it holds \(truncation.actualSamplesPerChannel) of the"
          + " \(truncation.claimedSamplesPerChannel) samples per channel that its header claims")
    }
    orderedOutputs.compactMap(\.silenceNote).forEach(console.note)
    observers.notes.forEach(console.note)
    return conditions
  }

  private func noteTrailingBytes(of input: SessionInput) {
    let count = input.trailingBytes
    guard count > 0 else { return }
    console.note(
      "'\(input.name)' ends within a sample of its channels; the last"
        + " \(count == 1 ? "byte is" : "\(count) bytes are") left out")
  }

  /// Tells where the gaps are, unless each was told when it came.
  private func noteGaps(_ device: AlsaSource, of input: SessionInput) {
    guard !timeline.tellsJSON, timeline.onXrun == .fill, let parameters = device.parameters
    else { return }
    let lines = device.gaps.lines(
      of: input, at: parameters.format.sampleRate, listsAll: console.verbosity == .verbose)
    for line in lines { console.note("device '\(device.device)': \(line)") }
  }

  /// Tells that a device does not run at the rate that was asked for.
  func noteResampling() {
    guard let requestedSampleRate else { return }
    for device in inputs.compactMap(\.device) {
      guard let rate = device.parameters?.format.sampleRate, rate != requestedSampleRate else {
        continue
      }
      console.note(
        "device '\(device.device)' does not give \(requestedSampleRate) Hz; it runs at \(rate) Hz,"
          + " and what it gives is resampled")
    }
  }

  @discardableResult
  func noteDeviceTroubles() -> Set<FailureCondition> {
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
      add(statistics.faults, "restart after an input/output error", "restarts after errors")
      add(statistics.overflows, "overflow of the ring", "overflows of the ring")
      let dropped = statistics.samplesOverflowed
      // Else they are among those that the gaps stand for.
      if dropped > gaps?.lostSamples ?? 0 {
        add(Int(dropped), "sample per channel dropped", "samples per channel dropped")
      }
      if !troubles.isEmpty, let loss = gaps?.loss { troubles.append(loss) }
      guard !troubles.isEmpty else { return }
      conditions.insert(.xrun)
      console.note("device '\(device)': \(troubles.joined(separator: ", "))")
    }
    for input in inputs {
      guard let device = input.device else { continue }
      note(device.statistics, device.device, xrun: "overrun", gaps: device.gaps)
      noteGaps(device, of: input)
    }
    for device in orderedOutputs.compactMap(\.device) {
      note(device.statistics, device.device, xrun: "underrun")
    }
    return conditions
  }
}
