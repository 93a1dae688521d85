/// `rawaudio info`: what files say of themselves.
struct InfoCommand: Command {
  /// Paths; never empty.
  var files: [String]
  var writesJSON: Bool

  static let name = "info"
  static let abstract = "Show container, encoding, rate, channels, duration and metadata of files."
  static let discussion =
    "Exits with 1 where a file is missing or is no audio; the others are shown."

  static let file = Argument(.path(name: "file"), isRepeatable: true, help: "The files to look at.")
  static let json = Flag("json", help: "Print JSON, one object for each file in one array.")

  static let parameters: [any Declared] = [file, json]

  static let examples = [
    Example("For people:", "rawaudio info take.wav"),
    Example("For another program:", "rawaudio info --json *.wav"),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    files = try arguments.values(of: Self.file)
    writesJSON = arguments.has(Self.json)
  }
}

extension ValueSyntax<String> {
  static func path(name: String) -> Self {
    ValueSyntax(name: name) { (text: String) throws(InvalidValue) in
      if text.isEmpty { throw InvalidValue("the name is empty") }
      return text
    }
  }
}
