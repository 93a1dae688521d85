internal import AudioCore

/// All that a command line asks to be observed.
struct ObserverList: Sendable, Hashable {
  /// In order.
  var observers: [ObserverRequest] = []
  /// For the observers at `main` that name none.
  var samplesPerCall: Int?
  var main: ObservationPosition
  /// Whether taps and event logs may replace existing files.
  var overwrites = false
}

extension ObserverList {
  /// The parameters of an observer.
  func parameters(of observer: ObserverRequest) -> FrameParameters {
    observer.parameters(samplesPerCall: observer.position == main ? samplesPerCall : nil)
  }

  /// Holds `--samples-per-call` against the observer contract.
  ///
  /// - Parameter format: of the main position; before that is known, the lowest rate and count it can
  ///   still have.
  /// - Throws: naming the smallest legal value.
  func checkSamplesPerCall(at format: StreamFormat) throws(UsageError) {
    guard let samplesPerCall else { return }
    do throws(AudioError) {
      try FrameParameters.check(samplesPerCall: samplesPerCall, format)
    } catch {
      throw UsageError(illegal: samplesPerCall, for: ObserverOptions.samplesPerCall, error)
    }
  }

  /// What the user got wrong where a session finds that a frame size is illegal; nil for other errors.
  func usageError(for error: AudioError) -> UsageError? {
    guard error.kind == .invalidParameter, error.action == "use samples per call" else {
      return nil
    }
    if let observer = observers.first(where: { "\($0.samplesPerCall ?? 0)" == error.subject }) {
      return UsageError(
        invalid: observer.text, for: ObserverOptions.observe.declaration,
        because: error.reasonAndAdvice)
    }
    return samplesPerCall.map {
      UsageError(illegal: $0, for: ObserverOptions.samplesPerCall, error)
    }
  }
}

extension UsageError {
  fileprivate init(illegal samplesPerCall: Int, for option: Option<Int>, _ error: AudioError) {
    self.init(
      invalid: "\(samplesPerCall)", for: option.declaration, because: error.reasonAndAdvice)
  }
}

extension AudioError {
  /// Why, and what to do next.
  var reasonAndAdvice: String { [reason, advice].compactMap { $0 }.joined(separator: "; ") }
}
