internal import AudioCore

/// An observer as a command line asks for it: `POSITION[@SOURCE][,key=value…]:KIND[=ARGUMENT]`.
struct ObserverRequest: Sendable, Hashable {
  /// What the observer does.
  enum Kind: Sendable, Hashable {
    /// Decibels.
    case gain(Double)
    /// Hertz.
    case resample(Int)
    case mix(SourceEndpoint)
    /// The pattern of a file's name.
    case tap(String)
    case meter
    /// The file to write to; nil for standard error.
    case events(String?)
    /// A command line for the shell.
    case exec(String)
  }

  /// As it was written.
  var text = ""
  var position: ObservationPosition
  /// The one source to observe; nil for all at the position.
  var source: SourceID?
  /// Hertz.
  var sampleRate: Int?
  var channelCount: Int?
  var samplesPerCall: Int?
  var mode: ObserverMode?
  /// How samples are handed to an external program, or stored by a tap.
  var encoding: EncodingName?
  /// Samples per channel that an external program may be behind in a live session.
  var latency: Int?
  /// How long an external program may stand still.
  var timeout: Duration?
  var kind: Kind

  /// The mode in force: as asked, else the kind's own.
  var effectiveMode: ObserverMode { mode ?? kind.defaultMode }

  /// The parameters to register the observer with.
  ///
  /// - Parameter samplesPerCall: for an observer that names none.
  func parameters(samplesPerCall defaultSamplesPerCall: Int? = nil) -> FrameParameters {
    FrameParameters(
      sampleRate: sampleRate ?? kind.sampleRate, channelCount: channelCount, mode: effectiveMode,
      samplesPerCall: samplesPerCall ?? defaultSamplesPerCall)
  }
}

extension ObserverRequest {
  /// Whether what it does can reach the stream.
  var edits: Bool { effectiveMode != .readOnly }

  /// Whether something of it leaves the session by another way than the stream.
  var tells: Bool {
    switch kind {
    case .gain, .resample, .mix: false
    case .tap, .meter, .events, .exec: true
    }
  }
}

extension ObserverRequest.Kind {
  /// What edits is read-write, what looks is read-only.
  var defaultMode: ObserverMode {
    switch self {
    case .gain, .resample, .mix, .exec: .readWrite
    case .tap, .meter, .events: .readOnly
    }
  }

  fileprivate var sampleRate: Int? {
    if case .resample(let rate) = self { rate } else { nil }
  }
}
