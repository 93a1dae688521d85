// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// An observer as written on a command line: `POSITION[@SOURCE][,key=value…]:KIND[=ARGUMENT]`.
struct ObserverRequest: Sendable, Hashable {
  /// What the observer does.
  enum Kind: Sendable, Hashable {
    /// Decibels.
    case gain(Double)
    case invert
    /// Of the beginning, else of the end.
    case fade(FadeRequest, isIn: Bool)
    case channelMap(ChannelMap)
    /// Hertz.
    case resample(Int)
    case mix(SourceEndpoint)
    /// The pattern of a file name.
    case tap(String)
    case meter
    /// The file to write to; nil for standard error.
    case loudness(String?)
    /// The same.
    case events(String?)
    /// A command line for the shell.
    case exec(String)
  }

  /// The text as it was written.
  var text = ""
  var position: ObservationPosition
  /// The only source to observe; nil for all sources at the position.
  var source: SourceKey?
  /// Hertz.
  var sampleRate: Int?
  var channelCount: Int?
  var samplesPerCall: Int?
  var mode: ObserverMode?
  /// The encoding for an external program, or for the file of a tap.
  var encoding: EncodingName?
  /// Where the track of a tap begins; nil for the default of the session.
  var alignment: TapAlignment?
  /// How far an external program may be behind in a live session, in samples per channel.
  var latency: Int?
  /// How long an external program may do nothing.
  var timeout: Duration?
  var kind: Kind

  /// The mode that was asked for, else the default of the kind.
  var effectiveMode: ObserverMode { mode ?? kind.defaultMode }

  /// The parameters to register the observer with.
  ///
  /// - Parameter samplesPerCall: for an observer that does not name a number itself.
  func parameters(samplesPerCall defaultSamplesPerCall: Int? = nil) -> FrameParameters {
    FrameParameters(
      sampleRate: sampleRate ?? kind.sampleRate, channelCount: channelCount, mode: effectiveMode,
      samplesPerCall: samplesPerCall ?? defaultSamplesPerCall)
  }
}

extension ObserverRequest {
  /// Whether it can change the stream.
  var edits: Bool { effectiveMode != .readOnly }

  /// Whether it has an effect outside of the stream, such as a file.
  var tells: Bool {
    switch kind {
    case .gain, .invert, .fade, .channelMap, .resample, .mix: false
    case .tap, .meter, .loudness, .events, .exec: true
    }
  }
}

extension ObserverRequest.Kind {
  /// Kinds that edit are read-write; kinds that only look are read-only.
  var defaultMode: ObserverMode {
    switch self {
    case .gain, .invert, .fade, .channelMap, .resample, .mix, .exec: .readWrite
    case .tap, .meter, .loudness, .events: .readOnly
    }
  }

  fileprivate var sampleRate: Int? {
    if case .resample(let rate) = self { rate } else { nil }
  }
}

extension ValueSyntax<ObserverRequest> {
  /// `record:meter`, `before-mixing@alice,rate=16000,channels=1:tap=alice.wav`, `playback:gain=-6`, …
  static let observer = ValueSyntax(name: "observer") { (text: String) throws(InvalidValue) in
    try ObserverRequest(text)
  }
}

extension ObserverRequest {
  init(_ text: String) throws(InvalidValue) {
    guard let colon = text.firstIndex(of: ":") else {
      throw InvalidValue(
        "an observer is POSITION[@SOURCE][,key=value...]:KIND[=ARGUMENT], for example record:meter")
    }
    self.text = text
    let settings = text[..<colon].split(separator: ",", omittingEmptySubsequences: false)
    (position, source) = try Self.target(settings[0])
    kind = try Kind(String(text[text.index(after: colon)...]))
    var keys: Set<Substring> = []
    for setting in settings.dropFirst() {
      let key = setting.prefix { $0 != "=" }
      guard keys.insert(key).inserted else { throw InvalidValue("'\(key)' is given twice") }
      try apply(setting)
    }
    try rejectMisplacedSettings()
  }

  private static func target(
    _ text: Substring
  ) throws(InvalidValue) -> (ObservationPosition, SourceKey?) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    guard let position = ObservationPosition(rawValue: parts[0].lowercased()) else {
      let names = ObservationPosition.allCases.map(\.rawValue).joinedAsAlternatives
      throw InvalidValue("'\(parts[0])' is no position; it must be \(names)")
    }
    guard parts.count == 2 else { return (position, nil) }
    do throws(AudioError) {
      return (position, try SourceKey(String(parts[1])))
    } catch {
      throw InvalidValue(
        "'\(parts[1])' is no source; a source is ID or GROUP/ID, of letters, digits, '_' and '-'")
    }
  }

  private mutating func apply(_ setting: Substring) throws(InvalidValue) {
    let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw InvalidValue("'\(setting)' is no key=value") }
    let value = String(parts[1])
    switch ObserverKey(rawValue: String(parts[0])) {
    case .rate: sampleRate = try ValueSyntax<Int>.sampleRate.parse(value)
    case .channels: channelCount = try ValueSyntax<Int>.channelCount.parse(value)
    case .samplesPerCall: samplesPerCall = try ValueSyntax<Int>.samplesPerCall.parse(value)
    case .mode:
      mode = try ValueSyntax.choice(name: "mode", ObserverMode.allCases).parse(value)
    case .encoding: encoding = try ValueSyntax<EncodingName>.encoding.parse(value)
    case .align:
      alignment = try ValueSyntax.choice(name: "align", TapAlignment.allCases).parse(value)
    case .latency:
      let hasUnit = value.last?.isLetter == true
      guard case .samples(let samples)? = try? TimePosition(hasUnit ? value : value + "S") else {
        throw InvalidValue("a latency is a count of samples per channel")
      }
      latency = Int(samples)
    case .timeout:
      guard case .time(let duration) = try ValueSyntax<TimePosition>.length.parse(value) else {
        throw InvalidValue("a timeout is a time, for example 10s")
      }
      timeout = duration
    case nil:
      throw InvalidValue(
        "'\(parts[0])' is no key; the keys are rate, channels, samples-per-call and mode, and for"
          + " exec encoding, latency and timeout, for tap encoding and align")
    }
  }

  private func rejectMisplacedSettings() throws(InvalidValue) {
    if alignment != nil {
      guard case .tap = kind else { throw InvalidValue("align is a key of tap") }
    }
    if case .exec = kind {
      if let encoding, encoding.layout() == nil {
        throw InvalidValue("a program is given plain samples, not \(encoding.encoding.rawValue)")
      }
      return
    }
    if latency != nil || timeout != nil {
      throw InvalidValue("latency and timeout are keys of exec")
    }
    if case .tap = kind {
      if encoding?.isPadded == true {
        throw InvalidValue("files hold 24 bits in three bytes, not in four; use s24")
      }
      return
    }
    if encoding != nil { throw InvalidValue("encoding is a key of exec and tap") }
    if case .channelMap = kind, channelCount != nil {
      throw InvalidValue("channel-map gives the channel count itself; leave out the key channels")
    }
    if case .resample = kind, sampleRate != nil {
      throw InvalidValue("resample names the rate itself; leave out the key rate")
    }
  }
}

extension ObserverRequest.Kind {
  fileprivate init(_ text: String) throws(InvalidValue) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let argument = parts.count == 2 ? String(parts[1]) : nil
    func required(_ what: String) throws(InvalidValue) -> String {
      guard let argument, !argument.isEmpty else {
        throw InvalidValue("\(parts[0]) needs \(what): \(parts[0])=...")
      }
      return argument
    }
    switch ObserverWord(rawValue: String(parts[0])) {
    case .gain: self = .gain(try ValueSyntax<Double>.decibels.parse(required("decibels")))
    case .invert where argument == nil: self = .invert
    case .invert: throw InvalidValue("invert takes no argument")
    case .fadeIn: self = .fade(try ValueSyntax.fade.parse(required("a time")), isIn: true)
    case .fadeOut: self = .fade(try ValueSyntax.fade.parse(required("a time")), isIn: false)
    case .channelMap:
      self = .channelMap(try ValueSyntax.channelMap.parse(required("channels")))
    case .resample: self = .resample(try ValueSyntax<Int>.sampleRate.parse(required("a rate")))
    case .mix: self = .mix(try ValueSyntax<SourceEndpoint>.observedSource(required("a source")))
    case .tap: self = .tap(try required("a file name"))
    case .meter where argument == nil: self = .meter
    case .meter: throw InvalidValue("meter takes no argument")
    case .loudness:
      if argument?.isEmpty == true { throw InvalidValue("loudness= needs a file name") }
      self = .loudness(argument)
    case .events:
      if argument?.isEmpty == true { throw InvalidValue("events= needs a file name") }
      self = .events(argument)
    case .exec: self = .exec(try required("a command"))
    case nil:
      throw InvalidValue(
        "'\(parts[0])' is no kind of observer; there are "
          + ObserverWord.allCases.map(\.rawValue).joinedAsList)
    }
  }
}

extension ValueSyntax<SourceEndpoint> {
  fileprivate static func observedSource(_ text: String) throws(InvalidValue) -> SourceEndpoint {
    let source = try source(name: "source").parse(text)
    if source == .standardInput || source.isDevice {
      throw InvalidValue("an observer mixes in a file or a generated source")
    }
    return source
  }
}
