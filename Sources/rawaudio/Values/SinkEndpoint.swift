/// Where samples go to, as a command line names it.
enum SinkEndpoint: Sendable, Hashable {
  case file(String)
  case standardOutput
  /// The name of an ALSA PCM.
  case device(String)
  /// Takes everything and keeps nothing.
  case null
}

extension SinkEndpoint {
  /// What errors call it.
  var name: String {
    switch self {
    case .file(let path): path
    case .standardOutput: "standard output"
    case .device(let name): name
    case .null: "null:"
    }
  }

  var isDevice: Bool {
    if case .device = self { true } else { false }
  }
}

extension ValueSyntax<SinkEndpoint> {
  /// A path, `-`, `alsa:NAME` or `null:`. A path that looks like one of them is written with `./` in
  /// front.
  static let sink = ValueSyntax(name: "sink") { (text: String) throws(InvalidValue) in
    if text == "-" { return .standardOutput }
    if text == "null:" { return .null }
    if text.isEmpty { throw InvalidValue("the name is empty") }
    if let device = try alsaName(text) { return .device(device) }
    if text.hasPrefix("null:") { throw InvalidValue("the sink that discards is written null:") }
    if try GeneratedSignal(text) != nil {
      throw InvalidValue("a generated signal is a source, not a sink")
    }
    return .file(text)
  }
}
