// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The kinds of observers, in the order of help pages and errors.
enum ObserverKinds {
  static let all: [any ObserverKind.Type] = [
    GainKind.self, InvertKind.self, FadeInKind.self, FadeOutKind.self, ChannelMapKind.self,
    DelayKind.self,
    ResampleKind.self, HighpassKind.self, LowpassKind.self, BandpassKind.self, NotchKind.self,
    PeakKind.self, LowshelfKind.self, HighshelfKind.self, LimitKind.self, MixKind.self,
    TapKind.self, MeterKind.self, LoudnessKind.self, LevelsKind.self, VoiceKind.self,
    EventsKind.self,
    ExecKind.self, LV2Kind.self,
    LadspaKind.self, EchoKind.self,
  ]

  static func named(_ word: some StringProtocol) -> (any ObserverKind.Type)? {
    all.first { $0.form.word == word }
  }

  /// The words of the kinds with a key of their own.
  static func words(withKey name: String) -> [String] {
    all.filter { $0.keyForms.contains { $0.name == name } }.map { $0.form.word }
  }
}

/// A kind of observer, named after the colon of `--observe`: its syntax and its installation in a session.
///
/// A new kind is one type, and one line in ``ObserverKinds``. The grammar, shell completion, the help topic and the
/// table of docs/observers.md follow from it.
protocol ObserverKind: Sendable, Equatable {
  associatedtype Argument: Sendable

  static var form: ObserverForm { get }
  static var syntax: ValueSyntax<Argument> { get }
  /// The keys of this kind only.
  static var keys: [ObserverKey<Self>] { get }

  init(argument: Argument)

  var argument: Argument { get }
  /// The rate of its audio without a key, in hertz. Nil = the stream's.
  var sampleRate: Int? { get }
  var filesRead: [String] { get }

  /// - Throws: the reason for which its keys do not fit together.
  func check(_ observer: ObserverRequest) throws(InvalidValue)

  /// Returns the outputs it writes besides standard error.
  func outputs(
    of observer: ObserverRequest, in scene: ObservationScene
  ) throws(AudioError) -> [SinkEndpoint]

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver
}

extension ObserverKind {
  static var keys: [ObserverKey<Self>] { [] }
  var sampleRate: Int? { nil }
  var filesRead: [String] { [] }
  func check(_ observer: ObserverRequest) throws(InvalidValue) {}
  func outputs(of _: ObserverRequest, in _: ObservationScene) -> [SinkEndpoint] { [] }

  static func parse(_ argument: String?) throws(InvalidValue) -> any ObserverKind {
    Self(argument: try syntax.parse(try form.checked(argument)))
  }

  /// Sets one of its own keys.
  ///
  /// - Returns: false if it has no such key.
  mutating func set(_ name: String, to value: String) throws(InvalidValue) -> Bool {
    guard let key = Self.keys.first(where: { $0.form.name == name }) else { return false }
    try key.set(&self, value)
    return true
  }

  static var keyForms: [ObserverKeyForm] { keys.map(\.form) }

  static func offers(_ text: String) -> [Offer] { syntax.offers(for: text) }
}

/// A kind that needs only the frames.
protocol FrameKind: ObserverKind {
  func observer(by installation: ObserverInstallation) -> any AudioObserver
}

extension FrameKind {
  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    try installation.register(observer(by: installation))
  }
}

/// The word and the argument of a kind, for help pages and errors.
struct ObserverForm: Sendable {
  enum Argument: Sendable {
    case none
    /// A file that replaces standard error.
    case file
    /// The placeholder in help pages, and the noun in errors: `DB`, `decibels`.
    case required(String, String)
  }

  let word: String
  let argument: Argument
  /// The default mode. A kind that edits is read-write.
  let mode: ObserverMode
  /// Whether it has an effect outside of the stream, such as a file.
  let tells: Bool
  let help: String

  /// - Parameter tells: nil = true unless it edits.
  init(
    _ word: String, _ argument: Argument = .none, mode: ObserverMode = .readWrite,
    tells: Bool? = nil, help: String
  ) {
    self.word = word
    self.argument = argument
    self.mode = mode
    self.help = help
    self.tells = tells ?? (mode == .readOnly)
  }

  /// For example `gain=DB` or `events[=FILE]`.
  var usage: String {
    switch argument {
    case .none: word
    case .file: "\(word)[=FILE]"
    case .required(let placeholder, _): "\(word)=\(placeholder)"
    }
  }

  /// The completions of the word.
  var offers: [Offer] {
    switch argument {
    case .none: [.word(word)]
    case .file: [.word(word), .beginning(word + "=")]
    case .required: [.beginning(word + "=")]
    }
  }

  /// The text of the argument. Empty without one.
  fileprivate func checked(_ text: String?) throws(InvalidValue) -> String {
    switch argument {
    case .none where text != nil: throw InvalidValue("\(word) takes no argument")
    case .file where text?.isEmpty == true: throw InvalidValue("\(word)= needs a file name")
    case .required(_, let need) where text?.isEmpty != false:
      throw InvalidValue("\(word) needs \(need): \(word)=...")
    default: text ?? ""
    }
  }
}

/// The key in help pages.
struct ObserverKeyForm: Sendable {
  var name: String
  var help: String
  /// The values that completion can list.
  var values: [String]
}

/// A key before the colon, and the property it sets.
struct ObserverKey<Target>: Sendable {
  let form: ObserverKeyForm
  let set: @Sendable (inout Target, String) throws(InvalidValue) -> Void

  init<Value>(
    _ name: String, _ syntax: ValueSyntax<Value>,
    _ property: any WritableKeyPath<Target, Value?> & Sendable, help: String
  ) {
    form = ObserverKeyForm(
      name: name, help: help, values: syntax.offers(for: "").compactMap(\.completeWord))
    set = { (target: inout Target, text: String) throws(InvalidValue) in
      target[keyPath: property] = try syntax.parse(text)
    }
  }
}
