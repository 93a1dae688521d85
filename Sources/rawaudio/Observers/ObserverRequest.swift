// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// An observer as written on a command line: `POSITION[@SOURCE][,key=value…]:KIND[=ARGUMENT]`.
struct ObserverRequest: Sendable {
  /// The text as given.
  var text = ""
  var position: ObservationPosition
  /// The only source to observe. Nil for all sources at the position.
  var source: SourceKey?
  /// Hertz.
  var sampleRate: Int?
  var channelCount: Int?
  var samplesPerCall: Int?
  var mode: ObserverMode?
  var kind: any ObserverKind

  /// The requested mode, else the default of the kind.
  var effectiveMode: ObserverMode { mode ?? form.mode }

  /// Whether it can change the stream.
  var edits: Bool { effectiveMode != .readOnly }

  /// Whether it has an effect outside of the stream, such as a file.
  var tells: Bool { form.tells }

  var form: ObserverForm { type(of: kind).form }

  var positions: ObservationPositions { ObservationPositions(position) }

  /// The parameters to register the observer with.
  ///
  /// - Parameter samplesPerCall: for an observer without its own value.
  func parameters(samplesPerCall defaultSamplesPerCall: Int? = nil) -> FrameParameters {
    FrameParameters(
      sampleRate: sampleRate ?? kind.sampleRate, channelCount: channelCount, mode: effectiveMode,
      samplesPerCall: samplesPerCall ?? defaultSamplesPerCall)
  }
}

extension ObserverRequest {
  /// The keys of every kind.
  static let keys: [ObserverKey<Self>] = [
    ObserverKey("rate", .sampleRate, \.sampleRate, help: "The rate in which it gets the audio."),
    ObserverKey("channels", .channelCount, \.channelCount, help: "The channels that it gets."),
    ObserverKey(
      "samples-per-call", .samplesPerCall, \.samplesPerCall,
      help: """
        Over all channels; at least 10 ms and a multiple of the channel count. Else that of --samples-per-call, or \
        10 ms.
        """),
    ObserverKey(
      "mode", .choice(name: "mode", ObserverMode.allCases), \.mode,
      help: "read-only (its changes are dropped), read-write or write-only (it gets silence)."),
  ]

  init(_ text: String) throws(InvalidValue) {
    guard let colon = text.firstIndex(of: ":") else {
      throw InvalidValue(
        "an observer is POSITION[@SOURCE][,key=value...]:KIND[=ARGUMENT], for example record:meter")
    }
    self.text = text
    let settings = text[..<colon].split(separator: ",", omittingEmptySubsequences: false)
    (position, source) = try Self.target(settings[0])
    kind = try Self.kind(text[text.index(after: colon)...])
    var keys: Set<Substring> = []
    for setting in settings.dropFirst() {
      let key = setting.prefix { $0 != "=" }
      guard keys.insert(key).inserted else { throw InvalidValue("'\(key)' is given twice") }
      guard key.endIndex < setting.endIndex else {
        throw InvalidValue("'\(setting)' is no key=value")
      }
      try set(String(key), to: String(setting[setting.index(after: key.endIndex)...]))
    }
    try kind.check(self)
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

  private static func kind(_ text: Substring) throws(InvalidValue) -> any ObserverKind {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let kind = ObserverKinds.named(parts[0]) else {
      let words = ObserverKinds.all.map { $0.form.word }
      throw InvalidValue(
        "'\(parts[0])' is no kind of observer",
        meaning: nearest(to: parts[0].lowercased(), among: words),
        else: "there are \(words.joinedAsList)")
    }
    return try kind.parse(parts.count == 2 ? String(parts[1]) : nil)
  }

  private mutating func set(_ name: String, to value: String) throws(InvalidValue) {
    if let key = Self.keys.first(where: { $0.form.name == name }) {
      return try key.set(&self, value)
    }
    if try kind.set(name, to: value) { return }
    let owners = ObserverKinds.words(withKey: name)
    guard owners.isEmpty else { throw InvalidValue("\(name) is a key of \(owners.joinedAsList)") }
    func names(_ keys: [ObserverKeyForm]) -> String { keys.map(\.name).joinedAsList }
    let own = ObserverKinds.all.filter { !$0.keyForms.isEmpty }
      .map { "for \($0.form.word) \(names($0.keyForms))" }.joined(separator: ", ")
    let possible = Self.keys.map(\.form) + type(of: kind).keyForms
    throw InvalidValue(
      "'\(name)' is no key", meaning: nearest(to: name.lowercased(), among: possible.map(\.name)),
      else: "the keys are \(names(Self.keys.map(\.form))), and \(own)")
  }
}

extension ObserverRequest {
  /// Returns the outputs it writes besides standard error.
  func outputs(in scene: ObservationScene) throws(InvalidValue) -> [SinkEndpoint] {
    do throws(AudioError) {
      return try kind.outputs(of: self, in: scene)
    } catch {
      throw InvalidValue(error.reasonAndAdvice)
    }
  }
}

extension ObserverRequest: Equatable {
  /// Compares only the texts: all other members follow from them.
  static func == (first: Self, second: Self) -> Bool { first.text == second.text }
}

extension ValueSyntax<ObserverRequest> {
  /// `record:meter`, `before-mixing@alice,rate=16000,channels=1:tap=alice.wav`, `playback:gain=-6`, …
  static let observer = ValueSyntax(name: "observer") { (text: String) throws(InvalidValue) in
    try ObserverRequest(text)
  }
}

extension ValueSyntax<EncodingName> {
  /// An encoding. Completion offers those that store each sample by itself.
  static let storedEncoding = encoding.offering { _ in
    SampleEncoding.allCases.filter { $0.bytesPerSample != nil }.map { .word($0.rawValue) }
  }
}

extension ObserverRequest {
  /// The completions of the beginning of an observer.
  ///
  /// - Parameter positions: the positions of the command.
  static func offers(_ text: String, at positions: [ObservationPosition]) -> [Offer] {
    guard let colon = text.firstIndex(of: ":") else {
      return settingOffers(text, at: positions)
    }
    let kind = text.index(after: colon)
    return kindOffers(text[kind...]).map { $0.behind(String(text[..<kind])) }
  }

  /// Completions after the colon.
  private static func kindOffers(_ text: Substring) -> [Offer] {
    guard let equals = text.firstIndex(of: "=") else {
      return ObserverKinds.all.flatMap { $0.form.offers }
    }
    let value = text.index(after: equals)
    return ObserverKinds.named(text[..<equals])?.offers(String(text[value...]))
      .map { $0.behind(String(text[..<value])) } ?? []
  }

  /// Completions before the colon.
  private static func settingOffers(
    _ text: String, at positions: [ObservationPosition]
  ) -> [Offer] {
    let settings = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let last = settings.last, settings.count > 1 else {
      if let position = positions.first(where: { $0.rawValue == text }) {
        return [
          .beginning("\(position.rawValue):", about: "a kind of observer follows"),
          .beginning("\(position.rawValue),", about: "keys follow"),
        ]
      }
      return positions.map { .beginning("\($0.rawValue):") }
    }
    let start = String(text.dropLast(last.count))
    let halves = last.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      let used = settings.dropFirst().map { $0.prefix { $0 != "=" } }
      return everyKey.filter { !used.contains(Substring($0.name)) }
        .map { .beginning("\(start)\($0.name)=") }
    }
    let values = everyKey.first { $0.name == halves[0] }?.values ?? []
    return values.map { .beginning("\(start)\(halves[0])=\($0):") }
  }

  /// The keys of all kinds, each once.
  static var everyKey: [ObserverKeyForm] {
    (keys.map(\.form) + ObserverKinds.all.flatMap { $0.keyForms }).reduce(into: []) { keys, key in
      if !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
    }
  }
}
