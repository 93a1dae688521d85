// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// The line of JSON with which a run ends if `--json` was given; `docs/events.md` describes it.
struct SummaryLine {
  private let command: CommandSession
  private let console: Console

  init(of command: CommandSession) {
    self.command = command
    console = command.console
  }

  /// Prints how the run ended.
  ///
  /// - Parameters:
  ///   - report: nil if the run failed.
  ///   - failure: why it failed; nil if it did not.
  func tell(_ report: SessionReport?, failure: AudioError? = nil) {
    guard command.timeline.tellsJSON else { return }
    var members: [(name: String, value: JSONValue)] = [
      ("outcome", .string(report?.outcome.name ?? "failed"))
    ]
    if let failure { members.append(("error", .string("\(failure)"))) }
    let sources = report?.sources ?? []
    let named = command.inputs.enumerated().map { index, input in
      source(input, sources.indices.contains(index) ? sources[index] : nil)
    }
    let joined = sources.dropFirst(command.inputs.count).map { JSONValue.object(facts(of: $0)) }
    members.append(("sources", .array(named + joined)))
    members.append(("sinks", .array((report?.sinks ?? []).map(sink))))
    console.json(.event("summary", members))
  }

  private func source(_ input: SessionInput, _ report: SessionReport.Source?) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [("name", .path(input.name))]
    guard let device = input.device, let parameters = device.parameters else {
      return .object(members + (report.map(facts) ?? []))
    }
    members += report.map(counts) ?? []
    return .object(members + self.device(device, parameters, of: input))
  }

  private func counts(
    of report: SessionReport.Source
  ) -> [(name: String, value: JSONValue)] {
    report.key.members + [
      ("samplesPerChannel", .integer(report.samplesPerChannel)),
      ("missingSamplesPerChannel", .integer(report.missingSamplesPerChannel)),
    ]
  }

  /// What is known of a source that is no device.
  private func facts(of report: SessionReport.Source) -> [(name: String, value: JSONValue)] {
    counts(of: report) + [
      ("sampleRate", .integer(Int64(report.format.sampleRate))),
      ("channels", .integer(Int64(report.format.channelCount))),
    ]
  }

  private func device(
    _ device: any LiveSource, _ parameters: AlsaParameters, of input: SessionInput
  ) -> [(name: String, value: JSONValue)] {
    let rate = parameters.format.sampleRate
    let statistics = device.statistics
    return [
      ("sampleRate", .integer(Int64(rate))),
      ("requestedSampleRate", .integer(Int64(command.requestedSampleRate ?? rate))),
      ("channels", .integer(Int64(parameters.format.channelCount))),
      ("encoding", .string(parameters.layout.encoding.rawValue)),
      ("periodSize", .integer(Int64(parameters.periodSize))),
      ("bufferSize", .integer(Int64(parameters.bufferSize))),
      ("ringSize", device.ringSize.map { .integer(Int64($0)) } ?? .null),
      ("overruns", .integer(Int64(statistics.xruns))),
      ("suspends", .integer(Int64(statistics.suspends))),
      ("faults", .integer(Int64(statistics.faults))),
      ("losses", .integer(Int64(statistics.losses))),
      ("overflowedSamples", .integer(statistics.samplesOverflowed)),
      ("gaps", device.gaps.json(of: input, at: rate)),
      ("pauses", .array(device.pauses.map { input.located($0, at: rate).json(at: rate) })),
      ("clockDrift", device.clockDrift.map(drift) ?? .null),
      ("wakeUps", statistics.wakeUps.json),
    ]
  }

  private func drift(_ drift: ClockDrift) -> JSONValue {
    .object([
      ("partsPerMillion", .number(drift.partsPerMillion.roundedToThousandths)),
      ("uncertainty", .number(drift.uncertainty.roundedToThousandths)),
      ("seconds", .number((drift.span / .seconds(1)).roundedToThousandths)),
    ])
  }

  private func sink(_ report: SessionReport.Sink) -> JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("place", .string(report.place.rawValue)),
      ("name", command.outputs[report.place].map { .path($0.name) } ?? .null),
      ("sampleRate", .integer(Int64(report.format.sampleRate))),
      ("channels", .integer(Int64(report.format.channelCount))),
      ("samplesPerChannel", .integer(report.samplesPerChannel)),
      ("clippedSamples", .integer(Int64(command.outputs[report.place]?.clippedSamples ?? 0))),
      (
        "notANumberSamples",
        .integer(Int64(command.outputs[report.place]?.notANumberSamples ?? 0))
      ),
    ]
    guard let output = command.outputs[report.place] else { return .object(members) }
    if !output.metadataOmissions.isEmpty {
      members.append(("lostMetadata", output.metadataOmissions.json))
    }
    if let device = output.device {
      members.append(("underruns", .integer(Int64(device.statistics.xruns))))
      members.append(("wakeUps", device.statistics.wakeUps.json))
    }
    func list(_ name: String, _ list: [JSONValue], of count: Int) {
      members.append((name, .array(list)))
      let rest = count - list.count
      if rest > 0 {
        let unlisted = "unlisted" + name.prefix(1).uppercased() + name.dropFirst()
        members.append((unlisted, .integer(Int64(rest))))
      }
    }
    if let parts = output.completedParts {
      list(
        "parts", parts.map { part($0, in: output.civilTime) },
        of: output.completedPartCount ?? 0)
    }
    if let events = output.events { list("events", events.map(event), of: output.eventCount) }
    return .object(members)
  }

  private func part(_ part: SplittingSink.Part, in civilTime: CivilTime) -> JSONValue {
    .object(
      [
        ("path", .path(part.path)), ("position", .integer(part.position)),
        ("samplesPerChannel", .integer(part.samplesPerChannel)),
      ] + (part.time.map { [("time", .string(civilTime.description(of: $0)))] } ?? []))
  }

  private func event(_ event: TriggeredSink.Event) -> JSONValue {
    .object([
      ("position", .integer(event.samples.lowerBound)),
      ("samplesPerChannel", .integer(Int64(event.samples.count))),
      ("sampleRate", .integer(Int64(event.sampleRate))),
    ])
  }
}

extension SessionReport.Outcome {
  fileprivate var name: String {
    switch self {
    case .finished: "finished"
    case .stopped: "stopped"
    case .abandoned: "abandoned"
    case .readerGone: "reader gone"
    }
  }
}
