// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The observers of a command's session, from the command line to the notes at the end.
///
/// Main thread only.
struct InstalledObservers {
  private let request: ObserverList
  private let installed: [InstalledObserver]

  /// Registers them with `session`, in order.
  ///
  /// - Parameters:
  ///   - isLive: whether anything in the session moves at a device's pace.
  ///   - isOpen: whether sources join while it runs.
  ///   - duration: how long a mixed-in sweep takes.
  init(
    _ request: ObserverList, on session: Session, console: Console, isLive: Bool,
    isOpen: Bool = false, duration: TimePosition?
  ) throws(AudioError) {
    self.request = request
    var installation = ObserverInstallation(
      request, on: session, isLive: isLive, isOpen: isOpen, duration: duration,
      meters: MeterDisplay(console))
    var installed: [InstalledObserver] = []
    for observer in request.observers {
      installed.append(try observer.kind.install(observer, by: &installation))
    }
    self.installed = installed
  }

  /// Whether the status line belongs to a meter.
  var haveMeter: Bool { request.observers.contains { $0.kind is MeterKind } }

  /// What observers mixed in.
  var inputs: [SessionInput] { installed.flatMap { $0.inputs() } }

  var notes: [String] { installed.flatMap { $0.notes } }

  var descriptions: [String] { installed.flatMap { $0.description } }

  /// Tells something beside frames to every observer that tells in JSON.
  func tell(_ line: JSONValue) { installed.forEach { $0.tell(line) } }

  /// Completes what outlasts the streams, after the run.
  ///
  /// - Throws: the first that fails.
  func finish() throws(AudioError) {
    for observer in installed { try observer.finish() }
  }

  /// Names and counts of the observers in whose outputs samples saturated.
  var clippings: [(name: String, samples: Int)] {
    installed.map { ($0.request.text, $0.clippedSamples()) }.filter { $0.1 > 0 }
  }

  /// The same of samples that were not numbers.
  var notNumbers: [(name: String, samples: Int)] {
    installed.map { ($0.request.text, $0.notANumberSamples()) }.filter { $0.1 > 0 }
  }

  /// Holds `--samples-per-call` against what the session settled on, and tells what it came to.
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

  /// The usage error, if `error` says that an output cannot be written in pieces of `--samples-per-call`.
  func usageError(_ error: AudioError) -> UsageError? { request.usageError(error) }

  /// What the user got wrong where an observer's frames turned out to be impossible, which ended the run.
  var usageError: UsageError? {
    let refused = installed.first { $0.registration.rejection != nil }
    guard let refused, let error = refused.registration.rejection else { return nil }
    return request.usageError(error, of: refused.request)
  }
}

/// An observer of a running session, kept so that it can be asked afterwards what happened.
struct InstalledObserver {
  let request: ObserverRequest
  let registration: ObserverRegistration
  /// What the observer had to leave out, as phrases: "120 samples per channel were dropped".
  var losses: () -> [String] = { [] }
  /// Samples, in files of the observer, that were beyond full scale and saturated.
  var clippedSamples: () -> Int = { 0 }
  /// Samples on their way there that were not numbers.
  var notANumberSamples: () -> Int = { 0 }
  /// What else there is to know with `-v`.
  var details: () -> [String] = { [] }
  /// Tells something beside frames where the observer tells in JSON.
  var tell: (JSONValue) -> Void = { _ in }
  /// The observer where its log is closed with it: what is told at the end of a run comes after its streams' end.
  var kept: (any AudioObserver)?
  /// What the observer mixed in.
  var inputs: () -> [SessionInput] = { [] }
  /// Completes what outlasts the streams.
  var finish: () throws(AudioError) -> Void = {}
}

extension InstalledObserver {
  /// nil where it was not called at all.
  private var statistics: ObserverStatistics? { registration.statistics[request.position] }

  /// What the user should know though nobody asked.
  var notes: [String] {
    let troubles = losses() + (statistics.map(troubles) ?? [])
    return troubles.map { "observer '\(request.text)': \($0)" }
  }

  /// How often it was called and how long it took.
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
