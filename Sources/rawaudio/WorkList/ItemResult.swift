// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The result of one item of a work list.
struct ItemResult: Sendable {
  enum Status: Sendable {
    case done
    /// Its output already existed.
    case skipped
    case failed(AudioError)
  }

  var status: Status
  /// The path of its output. Nil if it has none.
  var output: String?
  var figures: Figures?
  /// Messages for the user, as lines.
  var lines: [String] = []
  var conditions: Set<FailureCondition> = []

  struct Figures: Sendable {
    var format: StreamFormat
    /// Nil if no samples are stored.
    var encoding: SampleEncoding?
    var samplesPerChannel: Int64
    var clippedSamples: Int
    var isTruncated: Bool
    /// The place of the output in its source, in samples per channel. Nil if it is unknown.
    var place: Range<Int64>?
    /// In hertz.
    var sourceSampleRate: Int?
    /// Whether the source ended before the requested part.
    var isShort = false
    /// The MD5 of the output's samples, in hexadecimal digits. Nil if none are stored.
    var digest: String?
    /// The program that decoded the source. Nil for libsndfile or this program.
    var decoder: String?
    /// The source's metadata that the output lacks.
    var omissions: [Metadata.Omission] = []

    var seconds: Double { Double(samplesPerChannel) / Double(format.sampleRate) }
  }

  var failure: AudioError? { if case .failed(let error) = status { error } else { nil } }

  /// The line of `--results`, described in `docs/corpora.md`. Unknown values are null.
  func json(of item: WorkList.Item) -> JSONValue {
    let (file, id): (ListedFile?, String?) =
      switch item {
      case .file(let file): (file, file.id)
      case .malformed(_, let id): (nil, id)
      }
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    func integer(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
    func path(_ path: String?) -> JSONValue { path.map { .path($0) } ?? .null }
    func figure(_ value: (Figures) -> JSONValue) -> JSONValue { figures.map(value) ?? .null }
    let members: [(name: String, value: JSONValue)] = [
      ("schema", .integer(1)), ("source", path(file?.source)), ("id", text(id)),
      ("output", path(output)), ("status", .string(statusName)),
      ("error", text(failure?.description)),
      ("sampleRate", figure { .integer(Int64($0.format.sampleRate)) }),
      ("channels", figure { .integer(Int64($0.format.channelCount)) }),
      ("encoding", text(figures?.encoding?.rawValue)),
      ("samplesPerChannel", figure { .integer($0.samplesPerChannel) }),
      ("duration", figure { .number($0.seconds) }),
      ("sourceStart", integer(figures?.place?.lowerBound)),
      ("sourceEnd", integer(figures?.place?.upperBound)),
      ("sourceSampleRate", integer(figures?.sourceSampleRate.map { Int64($0) })),
      ("clippedSamples", figure { .integer(Int64($0.clippedSamples)) }),
      ("truncated", figure { .boolean($0.isTruncated) }),
      ("short", figure { .boolean($0.isShort) }), ("md5", text(figures?.digest)),
      ("decoder", text(figures?.decoder)),
      ("lostMetadata", figure { $0.omissions.json }),
    ]
    return .object(members)
  }

  private var statusName: String {
    switch status {
    case .done: "done"
    case .skipped: "skipped"
    case .failed: "failed"
    }
  }
}
