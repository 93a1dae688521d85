internal import AudioCore

/// Where samples come from, as a command line names it.
enum SourceEndpoint: Sendable, Hashable {
  case file(String)
  case standardInput
  /// The name of an ALSA PCM.
  case device(String)
  case generated(GeneratedSignal)
}

extension SourceEndpoint {
  var isDevice: Bool {
    if case .device = self { true } else { false }
  }

  /// Whether it never ends by itself.
  var isEndless: Bool {
    switch self {
    case .file, .standardInput: false
    case .device, .generated: true
    }
  }

  /// - Throws: where standard input is named twice.
  static func requireSingleStandardInput(_ sources: [SourceEndpoint]) throws(UsageError) {
    if sources.count(where: { $0 == .standardInput }) > 1 {
      throw UsageError("Standard input can be read by one source only")
    }
  }

  /// A computed signal has no end, and offline nobody is there to stop it.
  ///
  /// - Throws: where one of `sources` is computed and there is no duration.
  static func requireDuration(
    _ duration: TimePosition?, for sources: [SourceEndpoint]
  ) throws(UsageError) {
    guard duration == nil else { return }
    for case .generated in sources {
      throw UsageError(
        "A generated source never ends; say how long with '\(ProcessingOptions.duration.declaration.label)'"
      )
    }
  }
}

extension ValueSyntax<SourceEndpoint> {
  /// A path, `-`, `alsa:NAME` or a generated signal. A path that looks like one of them is written
  /// with `./` in front.
  static func source(name: String) -> Self {
    ValueSyntax(name: name) { (text: String) throws(InvalidValue) in
      if text == "-" { return .standardInput }
      if text.isEmpty { throw InvalidValue("the name is empty") }
      if let device = try alsaName(text) { return .device(device) }
      if text.hasPrefix("null:") {
        throw InvalidValue("null: only takes samples; silence: gives silence")
      }
      if let signal = try GeneratedSignal(text) { return .generated(signal) }
      return .file(text)
    }
  }
}

/// The name behind `alsa:`; nil where `text` does not start with it.
func alsaName(_ text: String) throws(InvalidValue) -> String? {
  guard text.hasPrefix("alsa:") else { return nil }
  let name = String(text.dropFirst(5))
  if name.isEmpty { throw InvalidValue("a device is written with its name: alsa:default") }
  return name
}
