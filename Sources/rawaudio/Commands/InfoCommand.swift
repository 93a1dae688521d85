// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// `rawaudio info`: the properties of files.
struct InfoCommand: Command {
  @Argument(
    .path(name: "file"), isRequired: false, help: "The files to look at, or folders with them.")
  var files: [String]
  var report = ReportOptions()
  @Flag(
    "totals", help: "Sum up all files behind the list: count, duration, samples, bytes, formats.")
  var sumsUp: Bool
  var listing = ListOptions()
  var decoding = DecodingOptions()

  private(set) var list = WorkListRequest(origin: .arguments([]), jobs: 1)

  static let name = "info"
  static let usual = "json json-lines totals list jobs decoder quiet verbose"
  static let abstract = "Show container, encoding, rate, channels, duration and metadata of files."
  static let discussion =
    "Exits with 1 if a file is missing or is no audio; the others are shown."

  static let examples = [
    Example("For people:", "rawaudio info take.wav"),
    Example("For another program:", "rawaudio info --json ./*.wav"),
    Example("Of any number:", "find . -name '*.wav' | rawaudio info --json-lines --list -"),
  ]

  mutating func validate(in context: InvocationContext) throws(UsageError) {
    list = try listing.request(paths: files, expecting: $files)
  }

  func run(on console: Console) throws -> ExitCode {
    var page = ReportPage(report.style, on: console)
    var code = ExitCode.success
    var totals = InfoTotals()
    var notes = FoldedNotes()
    list.folders?.tell(on: console)
    let limit = decoding.spoolLimit?.bytes ?? SoundFileSource.usualSpoolLimit
    let decoder = decoding.decoder ?? .automatic
    let work = try OrderedWork<FileReport>(
      list, malformed: { .failure(path: $1.source, $0) }
    ) { file, _ in
      FileReport(path: file.source, decoder: decoder, spoolLimit: limit)
    }
    _ = try work.run { report in
      if case .failure(let path, let error) = report {
        notes.tell(
          error.advisingDownload([Self.name, error.subject]), of: path.map { [$0] } ?? [],
          on: console)
        code = .failure
      }
      if sumsUp { totals.add(report.facts?.share) }
      try page.add(report.json) { isFirst in (report.facts?.text).map { isFirst ? $0 : "\n" + $0 } }
    }
    if sumsUp {
      try page.add(totals.json) { isFirst in isFirst ? totals.text : "\n" + totals.text }
    }
    notes.counted.forEach(console.result)
    try page.end()
    return code
  }
}

/// The result of one entry of the list.
private enum FileReport: Sendable {
  case facts(FileFacts)
  /// The path is nil for an entry that cannot be parsed.
  case failure(path: String?, AudioError)

  init(path: String, decoder: FileDecoder, spoolLimit: Int64) {
    do throws(AudioError) {
      switch try FileInformation(path: path, decoder: decoder, spoolLimit: spoolLimit) {
      case .soundFile(let information): self = .facts(FileFacts(path: path, information))
      case .decodedFile(let information): self = .facts(FileFacts(path: path, information))
      }
    } catch {
      self = .failure(path: path, error.advisingSpoolLimit)
    }
  }

  /// Nil for a failure.
  var facts: FileFacts? { if case .facts(let facts) = self { facts } else { nil } }

  var json: JSONValue {
    switch self {
    case .facts(let facts): facts.json
    case .failure(let path, let error):
      .object([
        ("path", path.map { .path($0) } ?? .null), ("error", .string(error.description)),
      ])
    }
  }
}
