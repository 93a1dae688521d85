// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// A kind of observer, as it stands behind the colon of `--observe`: how it is written, and how a session gets it.
///
/// A new kind is one type, and one line in ``ObserverKinds/all``. The grammar, the completion of shells, the help topic
/// and the table of docs/observers.md follow from it.
protocol ObserverKind: Sendable, Equatable {
  associatedtype Argument: Sendable

  static var form: ObserverForm<Argument> { get }
  /// The keys that only this kind has.
  static var keys: [ObserverKey<Self>] { get }

  init(argument: Argument)

  /// The rate at which it gets the audio if no key says so, in hertz; nil = the stream's.
  var sampleRate: Int? { get }

  /// The files that it reads.
  var filesRead: [String] { get }

  /// - Throws: the reason why its keys do not fit together.
  func check(_ observer: ObserverRequest) throws(InvalidValue)

  /// Returns the outputs that it writes beside standard error.
  func outputs(
    of observer: ObserverRequest, in scene: ObservationScene
  ) throws(AudioError) -> [SinkEndpoint]

  /// Registers an observer with the session.
  func install(
    _ observer: ObserverRequest, by installation: inout ObserverInstallation
  ) throws(AudioError) -> InstalledObserver
}

extension ObserverKind {
  static var keys: [ObserverKey<Self>] { [] }
  var sampleRate: Int? { nil }
  var filesRead: [String] { [] }

  func check(_ observer: ObserverRequest) throws(InvalidValue) {}

  func outputs(
    of observer: ObserverRequest, in scene: ObservationScene
  ) throws(AudioError) -> [SinkEndpoint] { [] }
}

/// A kind that needs nothing but the frames.
protocol FrameKind: ObserverKind {
  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters
  ) -> any AudioObserver
}

extension FrameKind {
  func install(
    _ observer: ObserverRequest, by installation: inout ObserverInstallation
  ) throws(AudioError) -> InstalledObserver {
    try installation.register(observer) { self.observer(at: $0, $1) }
  }
}

/// How a kind is written: its word, and its argument behind `=`.
struct ObserverForm<Argument: Sendable>: Sendable {
  let word: String
  /// How help pages write it, for example `gain=DB` or `events[=FILE]`.
  let usage: String
  /// The mode of an observer that names none. A kind that edits is read-write.
  let mode: ObserverMode
  /// Whether it has an effect outside of the stream, such as a file.
  let tells: Bool
  let help: String
  fileprivate let parse: @Sendable (String?) throws(InvalidValue) -> Argument
  fileprivate let offers: (@Sendable (String) -> [Offer])?

  /// A kind that needs an argument.
  ///
  /// - Parameters:
  ///   - placeholder: how help pages write the argument.
  ///   - need: the argument in words.
  ///   - tells: nil = whether it does not edit.
  init(
    _ word: String, _ placeholder: String, _ syntax: ValueSyntax<Argument>, needs need: String,
    mode: ObserverMode = .readWrite, tells: Bool? = nil, help: String
  ) {
    self.init(
      word, "=\(placeholder)", mode, tells, help, offers: { syntax.offers(for: $0) }
    ) { (text: String?) throws(InvalidValue) in
      guard let text, !text.isEmpty else {
        throw InvalidValue("\(word) needs \(need): \(word)=...")
      }
      return try syntax.parse(text)
    }
  }

  private init(
    _ word: String, _ argument: String, _ mode: ObserverMode, _ tells: Bool?, _ help: String,
    offers: (@Sendable (String) -> [Offer])?,
    parse: @escaping @Sendable (String?) throws(InvalidValue) -> Argument
  ) {
    self.word = word
    usage = word + argument
    self.mode = mode
    self.tells = tells ?? (mode == .readOnly)
    self.help = help
    self.offers = offers
    self.parse = parse
  }
}

/// The argument of a kind that takes none.
struct NoArgument: Sendable, Equatable {}

extension ObserverForm<NoArgument> {
  init(_ word: String, mode: ObserverMode = .readWrite, help: String) {
    self.init(word, "", mode, nil, help, offers: nil) { (text: String?) throws(InvalidValue) in
      if text != nil { throw InvalidValue("\(word) takes no argument") }
      return NoArgument()
    }
  }
}

extension ObserverForm<String?> {
  /// A kind that tells, on standard error unless a file is named.
  init(tellingTo word: String, help: String) {
    self.init(
      word, "[=FILE]", .readOnly, nil, help, offers: { _ in [.path(behind: "")] }
    ) { (text: String?) throws(InvalidValue) in
      if text?.isEmpty == true { throw InvalidValue("\(word)= needs a file name") }
      return text
    }
  }
}

extension ObserverKind {
  static func parse(_ argument: String?) throws(InvalidValue) -> any ObserverKind {
    Self(argument: try form.parse(argument))
  }

  /// Sets one of its own keys.
  ///
  /// - Returns: false if it has no such key.
  mutating func set(_ key: String, to value: String) throws(InvalidValue) -> Bool {
    guard let key = Self.keys.first(where: { $0.name == key }) else { return false }
    try key.set(&self, value)
    return true
  }

  /// How its word may be completed.
  static var wordOffers: [Offer] {
    let whole = Offer.word(form.word)
    let begun = Offer.beginning(form.word + "=")
    if form.offers == nil { return [whole] }
    return form.usage.contains("[") ? [whole, begun] : [begun]
  }

  /// How an argument that was begun may go on.
  static func argumentOffers(_ text: String) -> [Offer] { form.offers?(text) ?? [] }
}

/// A key in front of the colon, and the property that it sets.
struct ObserverKey<Target>: Sendable {
  let name: String
  let help: String
  /// The values that can be listed.
  let values: [String]
  fileprivate let set: @Sendable (inout Target, String) throws(InvalidValue) -> Void

  init<Value>(
    _ name: String, _ syntax: ValueSyntax<Value>,
    _ property: any WritableKeyPath<Target, Value?> & Sendable, help: String
  ) {
    self.name = name
    self.help = help
    values = syntax.offers(for: "").compactMap(\.completeWord)
    set = { (target: inout Target, text: String) throws(InvalidValue) in
      target[keyPath: property] = try syntax.parse(text)
    }
  }

  func set(_ target: inout Target, to text: String) throws(InvalidValue) { try set(&target, text) }
}
