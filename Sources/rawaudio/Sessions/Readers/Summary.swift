// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Ends a run with a line of JSON if `--json` was given.
struct SummaryReader: RunReader {
  let command: CommandSession

  func take(_ event: RunEvent, in log: RunLog) {
    guard command.timeline.tellsJSON else { return }
    switch event {
    case .runFailed(let failure):
      command.console.json(Summary(command: command, report: nil, failure: failure).line)
    case .runEnded(let report, _) where report.outcome != .abandoned:
      command.console.json(Summary(command: command, report: report, failure: nil).line)
    default: break
    }
  }
}

/// The end of a run, for programs.
struct Summary: DescribedEvent {
  let command: CommandSession
  /// Nil if the run failed.
  let report: SessionReport?
  let failure: AudioError?

  static let name = "summary"
  static let members: [Member<Summary>] = [
    Member("outcome") { .string($0.report?.outcome.name ?? "failed") },
    Member(optional: "error") { $0.failure.map { .string("\($0)") } },
    Member("sources") { .array($0.sources.map(Source.members.object)) },
    Member("sinks") { .array($0.sinks.map(Sink.members.object)) },
  ]

  /// The sources of the command line, then the joined ones.
  private var sources: [Source] {
    let inputs: [SessionInput] = command.inputs
    let reports: [SessionReport.Source] = report?.sources ?? []
    let count: Int = max(inputs.count, reports.count)
    return (0..<count).map { (index: Int) -> Source in
      Source(
        input: index < inputs.count ? inputs[index] : nil,
        report: index < reports.count ? reports[index] : nil,
        requestedSampleRate: command.requestedSampleRate)
    }
  }

  private var sinks: [Sink] {
    (report?.sinks ?? []).map { Sink(report: $0, output: command.outputs[$0.place]) }
  }
}

extension Summary {
  struct Source {
    /// Nil if it joined.
    let input: SessionInput?
    /// Nil if the run failed.
    let report: SessionReport.Source?
    let requestedSampleRate: Int?

    static let members: [Member<Source>] =
      [
        Member(optional: "name") { $0.input.map { .path($0.name) } },
        Member(optional: "source") { $0.report.map { .string($0.id.description) } },
        Member(optional: "group") { $0.report?.group.map { .string($0.description) } },
        Member(optional: "samplesPerChannel") { $0.report.map { .integer($0.samplesPerChannel) } },
        Member(optional: "missingSamplesPerChannel") {
          $0.report.map { .integer($0.missingSamplesPerChannel) }
        },
        Member(optional: "sampleRate") { $0.format.map { .count($0.sampleRate) } },
        Member(optional: "requestedSampleRate") { source in
          source.device.map { .count(source.requestedSampleRate ?? $0.format.sampleRate) }
        },
        Member(optional: "channels") { $0.format.map { .count($0.channelCount) } },
      ] + Device.members.lifted { $0.device }

    private var device: Device? { input.flatMap { Device(of: $0) } }

    private var format: StreamFormat? { device?.format ?? report?.format }
  }

  /// A source that is a device.
  struct Device {
    private let input: SessionInput
    private let device: any ReadableEnd
    private let parameters: DeviceParameters

    /// - Returns: nil if it is no device or was never open.
    init?(of input: SessionInput) {
      guard let device = input.device, let parameters = device.parameters else { return nil }
      self.input = input
      self.device = device
      self.parameters = parameters
    }

    var format: StreamFormat { parameters.format }

    static let members: [Member<Device>] = [
      Member("encoding") { .string($0.parameters.layout.encoding.rawValue) },
      Member("periodSize") { .count($0.parameters.periodSize) },
      Member("bufferSize") { .count($0.parameters.bufferSize) },
      Member("ringSize") { $0.device.ringSize.map { .count($0) }.orNull },
      Member("overruns") { .count($0.device.statistics.xruns) },
      Member("suspends") { .count($0.device.statistics.suspends) },
      Member("faults") { .count($0.device.statistics.faults) },
      Member("losses") { .count($0.device.statistics.losses) },
      Member("overflowedSamples") { .integer($0.device.statistics.overflowedSamplesPerChannel) },
      Member("gaps") { $0.device.gaps.json(of: $0.input, at: $0.format.sampleRate) },
      Member("pauses") { source in
        let rate = source.format.sampleRate
        return .array(source.device.pauses.map { $0.json(of: source.input, at: rate) })
      },
      Member("clockDrift") { ($0.device.clockDrift?.json).orNull },
      Member("wakeUps") { $0.device.statistics.wakeUps.json },
    ]
  }

  struct Sink {
    let report: SessionReport.Sink
    let output: SessionOutput?

    static let members: [Member<Sink>] =
      [
        Member("place") { .string($0.report.place.description) },
        Member("name") { $0.output.map { .path($0.name) } ?? .null },
        Member("sampleRate") { .count($0.report.format.sampleRate) },
        Member("channels") { .count($0.report.format.channelCount) },
        Member("samplesPerChannel") { .integer($0.report.samplesPerChannel) },
        Member("clippedSamples") { .count($0.output?.account.clippedSamples ?? 0) },
        Member("notANumberSamples") { .count($0.output?.account.notANumberSamples ?? 0) },
        Member(optional: "lostMetadata") { sink in
          let omissions = sink.output?.account.metadataOmissions ?? []
          return omissions.isEmpty ? nil : omissions.json
        },
        Member(optional: "underruns") {
          ($0.output?.device?.statistics).map { .count($0.xruns) }
        },
        Member(optional: "wakeUps") { $0.output?.device?.statistics.wakeUps.json },
      ]
      + list("parts", unlisted: "unlistedParts", { $0.listedParts }, { $0.completedPartCount ?? 0 })
      + list("pauses", unlisted: "unlistedPauses", { $0.listedPauses }, { $0.journal.pauses.count })
      + list(
        "events", unlisted: "unlistedEvents", { $0.listedEvents }, { $0.journal.eventTotals.count })

    /// The members of a list that keeps only the first 10,000 items, and of the number of further ones.
    private static func list(
      _ name: String, unlisted: String, _ list: @escaping @Sendable (SessionOutput) -> [JSONValue]?,
      _ count: @escaping @Sendable (SessionOutput) -> Int
    ) -> [Member<Sink>] {
      [
        Member(optional: name) { $0.output.flatMap(list).map { .array($0) } },
        Member(optional: unlisted) { sink in
          guard let output = sink.output, let listed = list(output) else { return nil }
          let rest = count(output) - listed.count
          return rest > 0 ? .count(rest) : nil
        },
      ]
    }
  }
}

extension SessionOutput {
  fileprivate var listedParts: [JSONValue]? {
    completedParts?.map { part in
      .object(
        [
          ("path", .path(part.path)), ("position", .integer(part.position)),
          ("samplesPerChannel", .integer(part.samplesPerChannel)),
        ] + (part.time.map { [("time", .string(civilTime.description(of: $0)))] } ?? []))
    }
  }

  fileprivate var listedPauses: [JSONValue]? {
    guard plan.recording.schedule != nil else { return nil }
    return journal.pauses.list.map { change in
      guard case .resumed(let length) = change.kind else { return .null }
      return .object([
        ("position", .integer(change.position - length)), ("samplesPerChannel", .integer(length)),
      ])
    }
  }

  fileprivate var listedEvents: [JSONValue]? {
    events?.map { event in
      .object([
        ("position", .integer(event.samples.lowerBound)),
        ("samplesPerChannel", .count(event.samples.count)),
        ("sampleRate", .count(event.sampleRate)),
      ])
    }
  }
}

extension SessionReport.Outcome {
  fileprivate var name: String {
    switch self {
    case .finished: "finished"
    case .stopped: "stopped"
    case .abandoned: "abandoned"
    case .readerGone: "reader gone"
    case .failed: "failed"
    }
  }
}
