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
  ///   - duration: how long a mixed-in sweep takes.
  init(
    _ request: ObserverList, on session: Session, console: Console, isLive: Bool,
    duration: TimePosition?
  ) throws(AudioError) {
    self.request = request
    let installation = ObserverInstallation(
      session: session, request: request, isLive: isLive, duration: duration,
      meters: MeterDisplay(console), writer: LazyWriter())
    var installed: [InstalledObserver] = []
    for observer in request.observers {
      installed.append(try installation.install(observer))
    }
    self.installed = installed
  }

  /// Whether the status line belongs to a meter.
  var haveMeter: Bool { request.observers.contains { $0.kind == .meter } }

  /// What observers mixed in.
  var inputs: [SessionInput] { installed.flatMap { $0.inputs() } }

  var notes: [String] { installed.flatMap { $0.notes } }

  var descriptions: [String] { installed.flatMap { $0.description } }

  /// Tells something beside frames to every observer that tells in JSON.
  func tell(_ line: JSONValue) { installed.forEach { $0.tell(line) } }

  /// Names and counts of the observers in whose outputs samples saturated.
  var clippings: [(name: String, samples: Int)] {
    installed.map { ($0.request.text, $0.clippedSamples()) }.filter { $0.1 > 0 }
  }

  /// Holds `--samples-per-call` against what the session settled on, and tells what it came to.
  func check(_ summary: SessionSummary, on console: Console) throws(UsageError) {
    let local = summary.sources.first { $0.id == .local }
    guard let format = request.main == .record ? local?.description.format : summary.mixFormat
    else { return }
    try request.checkSamplesPerCall(at: format)
    let count = request.samplesPerCall ?? FrameParameters.smallestSamplesPerCall(format)
    let rate = Double(format.sampleRate * format.channelCount) / Double(count)
    console.detail("samples per call: \(count) (\((rate * 100).rounded() / 100) calls a second)")
  }

  /// The usage error behind `error`, where an observer's frames turned out to be impossible.
  func usageError(for error: any Error) -> UsageError? {
    (error as? AudioError).flatMap { request.usageError(for: $0) }
  }
}
