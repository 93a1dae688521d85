internal import AudioCore

/// What came of one item of a work list.
struct ItemResult: Sendable {
  enum Status: Sendable {
    case done
    /// Its output was there already.
    case skipped
    case failed(AudioError)
  }

  var status: Status
  /// A path; nil where it has none.
  var output: String?
  var figures: Figures?
  /// What the user should know, as lines.
  var lines: [String] = []
  var conditions: Set<FailureCondition> = []

  /// What is in the output.
  struct Figures: Sendable {
    var format: StreamFormat
    /// Nil where nothing is stored.
    var encoding: SampleEncoding?
    var samplesPerChannel: Int64
    var clippedSamples: Int
    var isTruncated: Bool

    var seconds: Double { Double(samplesPerChannel) / Double(format.sampleRate) }
  }

  var failure: AudioError? { if case .failed(let error) = status { error } else { nil } }

  /// The line of `--results`; `docs/corpora.md` describes it. What is not known is null.
  func json(of item: WorkList.Item) -> JSONValue {
    let file: ListedFile? = if case .file(let file) = item { file } else { nil }
    func known(_ value: (Figures) -> JSONValue) -> JSONValue { figures.map(value) ?? .null }
    return .object([
      ("schema", .integer(1)),
      ("source", file.map { .path($0.source) } ?? .null),
      ("id", file?.id.map { .string($0) } ?? .null),
      ("output", output.map { .path($0) } ?? .null),
      ("status", .string(statusName)),
      ("error", failure.map { .string("\($0)") } ?? .null),
      ("sampleRate", known { .integer(Int64($0.format.sampleRate)) }),
      ("channels", known { .integer(Int64($0.format.channelCount)) }),
      ("encoding", figures?.encoding.map { .string($0.rawValue) } ?? .null),
      ("samplesPerChannel", known { .integer($0.samplesPerChannel) }),
      ("duration", known { .number($0.seconds) }),
      ("clippedSamples", known { .integer(Int64($0.clippedSamples)) }),
      ("truncated", known { .boolean($0.isTruncated) }),
    ])
  }

  private var statusName: String {
    switch status {
    case .done: "done"
    case .skipped: "skipped"
    case .failed: "failed"
    }
  }
}
