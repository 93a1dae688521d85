// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The observers of a command's session, from the command line to the notes at the end.
///
/// Main thread only.
struct InstalledObservers {
  let request: ObserverList
  private let installed: [InstalledObserver]

  /// Registers them with `session`, in order.
  ///
  /// - Parameters:
  ///   - isLive: whether any part of the session runs at a device's pace.
  ///   - isOpen: whether sources join while it runs.
  ///   - duration: the duration of a mixed-in sweep.
  ///   - clock: of the session.
  init(
    _ request: ObserverList, on session: Session, console: Console, isLive: Bool,
    isOpen: Bool = false, duration: TimePosition?, clock: RunClock
  ) throws(AudioError) {
    self.request = request
    let meters = MeterDisplay(console)
    let writer = SharedWriter()
    var installed: [InstalledObserver] = []
    for observer in request.observers {
      let installation = ObserverInstallation(
        session: session, list: request, observer: observer, isLive: isLive, isOpen: isOpen,
        duration: duration, clock: clock, meters: meters, writer: writer)
      installed.append(try observer.kind.install(by: installation))
    }
    self.installed = installed
  }

  var haveMeter: Bool { request.observers.contains { $0.kind is MeterKind } }

  /// The mixed-in inputs.
  var inputs: [SessionInput] { installed.flatMap { $0.inputs() } }

  var notes: [String] { installed.flatMap { $0.notes } }

  var descriptions: [String] { installed.flatMap { $0.description } }

  /// Returns the events of observers since the last call.
  func takeEvents() -> [RunEvent] { installed.flatMap { $0.takeEvents() } }

  /// Passes a line of JSON to each observer that writes JSON.
  func tell(_ line: JSONValue) { installed.forEach { $0.tell(line) } }

  /// Completes the outputs that outlast the streams, after the run.
  ///
  /// - Throws: the first observer's error.
  func finish() throws(AudioError) {
    for observer in installed { try observer.finish() }
  }

  /// The observers whose outputs had saturated samples, with the counts.
  var clippings: [(name: String, samples: Int)] {
    installed.map { ($0.request.text, $0.clippedSamples()) }.filter { $0.1 > 0 }
  }

  /// The observers whose outputs had NaN samples, with the counts.
  var notANumberSamples: [(name: String, samples: Int)] {
    installed.map { ($0.request.text, $0.notANumberSamples()) }.filter { $0.1 > 0 }
  }

  /// Checks `--samples-per-call` against the session's format, and prints the resulting value.
  func check(_ summary: SessionSummary, on console: Console) throws(UsageError) {
    let local = summary.sources.first { $0.key == .local }
    guard var format = request.main == .record ? local?.description.format : summary.mixFormat
    else { return }
    if let count = request.channelCount,
      let mapped = try? StreamFormat(sampleRate: format.sampleRate, channelCount: count)
    {
      format = mapped
    }
    try request.checkSamplesPerCall(at: format)
    let count = request.samplesPerCall ?? FrameParameters.smallestSamplesPerCall(format)
    console.detail("samples per call: \(count), \(CallLength(of: count, at: format))")
  }

  /// The usage error for an observer's impossible frames, which ended the run. Nil if there is none.
  var usageError: UsageError? {
    let refused = installed.first { $0.registration.rejection != nil }
    guard let refused, let error = refused.registration.rejection else { return nil }
    return request.usageError(error, of: refused.request)
  }
}

/// Registers one observer with a command's session, and holds the means to do so. Main thread only.
struct ObserverInstallation {
  let session: Session
  /// All observers of the session.
  let list: ObserverList
  let observer: ObserverRequest
  /// Whether any part of the session runs at a device's pace, so that no call may wait.
  let isLive: Bool
  /// Whether sources join while the session runs.
  let isOpen: Bool
  /// The duration of a mixed-in sweep.
  let duration: TimePosition?
  /// The time of day of each sample of the session.
  let clock: RunClock
  let meters: MeterDisplay
  /// The thread that writes taps and event logs.
  let writer: SharedWriter

  var positions: ObservationPositions { observer.positions }

  var parameters: FrameParameters { list.parameters(of: observer) }

  func register(_ made: any AudioObserver) throws(AudioError) -> InstalledObserver {
    InstalledObserver(
      request: observer, registration: try session.register(made, from: observer.source))
  }
}

/// The thread that writes the outputs of a session's observers. Main thread only.
final class SharedWriter {
  private var writer: BackgroundWriter?

  /// The thread, started at its first use.
  func started() throws(AudioError) -> BackgroundWriter {
    if let writer { return writer }
    let started = try BackgroundWriter()
    writer = started
    return started
  }
}

/// An observer of a running session, kept for the questions after the run.
struct InstalledObserver {
  let request: ObserverRequest
  let registration: ObserverRegistration
  /// The observer's losses, as phrases: "120 samples per channel were dropped".
  var losses: () -> [String] = { [] }
  /// The number of samples beyond full scale that saturated in the observer's files.
  var clippedSamples: () -> Int = { 0 }
  /// The number of NaN samples on their way to those files.
  var notANumberSamples: () -> Int = { 0 }
  /// Further details for `-v`.
  var details: () -> [String] = { [] }
  /// Returns its events since the last call.
  var takeEvents: () -> [RunEvent] = { [] }
  /// Takes a line of JSON, if the observer writes JSON.
  var tell: (JSONValue) -> Void = { _ in }
  /// The observer, if its release closes its log: the end of a run is logged after the end of its streams.
  var kept: (any AudioObserver)?
  /// The inputs mixed in by the observer.
  var inputs: () -> [SessionInput] = { [] }
  /// Completes the outputs that outlast the streams.
  var finish: () throws(AudioError) -> Void = {}
}

extension InstalledObserver {
  /// Nil if it was never called.
  private var statistics: ObserverStatistics? { registration.statistics[request.position] }

  /// Warnings for the user, shown without a request.
  var notes: [String] {
    let troubles = losses() + (statistics.map(troubles) ?? [])
    return troubles.map { "observer '\(request.text)': \($0)" }
  }

  /// Its call count and its times per call, then the details.
  var description: [String] {
    let calls = statistics.map { statistics in
      "\(statistics.calls) calls, \(statistics.samplesPerChannel) samples per channel; mean"
        + " \(Self.milliseconds(statistics.meanTime)) ms,"
        + " longest \(Self.milliseconds(statistics.longestTime)) ms"
    }
    return ((calls.map { [$0] } ?? []) + details()).map { "observer '\(request.text)': \($0)" }
  }

  private func troubles(_ statistics: ObserverStatistics) -> [String] {
    var troubles: [String] = []
    let calls = statistics.calls
    if statistics.lateCalls > 0 {
      troubles.append(
        "\(statistics.lateCalls) of \(calls) calls took longer than their audio lasts")
    }
    if statistics.missedCalls > 0 {
      troubles.append(
        "\(statistics.missedCalls) frames at the end went on without a call, for it was too slow")
    }
    if statistics.discardedEdits > 0 {
      troubles.append(
        "the edits of \(statistics.discardedEdits) of \(calls) calls were discarded, for its mode is"
          + " \(request.effectiveMode.rawValue)")
    }
    return troubles
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    (duration / .milliseconds(1)).rounded(toDigits: 3)
  }
}
