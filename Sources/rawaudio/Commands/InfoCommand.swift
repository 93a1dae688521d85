internal import AudioCore

/// `rawaudio info`: what is in files.
struct InfoCommand: Command {
  /// Paths; never empty.
  var files: [String]
  var writesJSON: Bool
  /// How much of standard input a temporary file may hold; nil = the library's default.
  var spoolLimit: FileSize?

  static let name = "info"
  static let abstract = "Show container, encoding, rate, channels, duration and metadata of files."
  static let discussion =
    "Exits with 1 where a file is missing or is no audio; the others are shown."

  static let file = Argument(.path(name: "file"), isRepeatable: true, help: "The files to look at.")
  static let json = Flag("json", help: "Print JSON, one object for each file in one array.")

  static let parameters: [any Declared] = [file, json, InputOptions.spoolLimit]

  static let examples = [
    Example("For people:", "rawaudio info take.wav"),
    Example("For another program:", "rawaudio info --json *.wav"),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    files = try arguments.values(of: Self.file)
    writesJSON = arguments.has(Self.json)
    spoolLimit = try arguments.value(of: InputOptions.spoolLimit)
  }

  func run(on console: Console) throws -> ExitCode {
    var reports: [FileReport] = []
    var code = ExitCode.success
    for file in files {
      do throws(AudioError) {
        let information = try SoundFileInformation(
          path: file, spoolLimit: spoolLimit?.bytes ?? SoundFileSource.usualSpoolLimit)
        reports.append(FileReport(path: file, information: information))
      } catch {
        console.error(error.advisingSpoolLimit)
        code = .failure
      }
    }
    if writesJSON {
      try console.print(JSONValue.array(reports.map(\.json)).serialized)
    } else {
      try console.print(reports.map(\.text).joined(separator: "\n"))
    }
    return code
  }
}

/// What `info` prints about one file.
struct FileReport {
  var path: String
  var information: SoundFileInformation

  /// One line for each fact.
  var text: String {
    var lines = [
      ("file", path.printable), ("container", information.container.rawValue),
      ("encoding", information.encoding.rawValue + (byteOrder.map { ", \($0)-endian" } ?? "")),
      ("sample rate", "\(information.format.sampleRate) Hz"),
      ("channels", "\(information.format.channelCount)"), ("duration", duration),
    ]
    if let truncation = information.truncation {
      lines.append(
        (
          "truncated",
          truncation.statesLength
            ? "the header claims \(truncation.claimedSamplesPerChannel) samples per channel"
            : "the file ends within its stream"
        ))
    }
    for (text, value) in texts { lines.append((text.rawValue, value.printable)) }
    let column = 14
    return lines.reduce(into: "") { page, line in
      let gap = String(repeating: " ", count: max(1, column - line.0.count - 1))
      page += "\(line.0):\(gap)\(line.1)\n"
    }
  }

  /// The same as a JSON object. What is not known is null.
  var json: JSONValue {
    .object([
      ("path", .path(path)), ("container", .string(information.container.rawValue)),
      ("encoding", .string(information.encoding.rawValue)),
      ("byteOrder", byteOrder.map { .string($0) } ?? .null),
      ("sampleRate", .integer(Int64(information.format.sampleRate))),
      ("channelCount", .integer(Int64(information.format.channelCount))),
      ("samplesPerChannel", information.samplesPerChannel.map { .integer($0) } ?? .null),
      ("duration", seconds.map { .number($0) } ?? .null),
      ("truncated", .boolean(information.truncation != nil)),
      (
        "claimedSamplesPerChannel",
        information.truncation.flatMap {
          $0.statesLength ? .integer($0.claimedSamplesPerChannel) : nil
        } ?? .null
      ),
      ("metadata", .object(texts.map { ($0.rawValue, .string($1)) })),
    ])
  }

  private var byteOrder: String? {
    information.byteOrder.map { $0 == .little ? "little" : "big" }
  }

  private var seconds: Double? {
    information.samplesPerChannel.map { Double($0) / Double(information.format.sampleRate) }
  }

  private var duration: String {
    guard let samples = information.samplesPerChannel else { return "unknown until it is read" }
    return
      "\(clockTime(samples, at: information.format.sampleRate)) (\(samples) samples per channel)"
  }

  /// In the order of their declaration.
  private var texts: [(SoundFileInformation.Text, String)] {
    SoundFileInformation.Text.allCases.compactMap { text in
      information.texts[text].map { (text, $0) }
    }
  }
}
