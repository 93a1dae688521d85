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

  var status = Status.done
  /// The path of its output. Nil if it has none.
  var output: String?
  var figures: Figures?
  /// The parts of the output. Nil if it is one file.
  var parts: [OutputPiece]?
  /// Messages for the user, as lines.
  var lines: [String] = []
  var conditions: Set<FailureCondition> = []

  /// Works on a file, and keeps the messages and the failure of the work.
  ///
  /// - Parameters:
  ///   - action: the work in errors: `convert`.
  ///   - work: fills the result in. It answers false if it was abandoned.
  /// - Returns: nil if it was abandoned.
  static func of(
    _ file: ListedFile, _ action: String, output: String? = nil, _ verbosity: Verbosity,
    work: (inout ItemResult, Console) throws -> Bool
  ) -> ItemResult? {
    var result = ItemResult(output: output)
    let lines = CollectedLines()
    do {
      guard try work(&result, lines.console(verbosity)) else { return nil }
    } catch var error as AudioError {
      if error.subject.isEmpty { error.subject = file.source }
      result.status = .failed(error)
    } catch {
      result.status = .failed(
        AudioError(.invalidParameter, cannot: action, file.source, because: "\(error)"))
    }
    result.lines = lines.texts
    return result
  }

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
    /// The samples per channel from the start that the part before has, too.
    var overlap: Int64 = 0
    /// Whether the source ended before the requested part.
    var isShort = false
    /// The MD5 of the output's samples, in hexadecimal digits. Nil if none are stored.
    var digest: String?
    /// The program that decoded the source. Nil for libsndfile or this program.
    var decoder: String?
    /// The source's metadata that the output lacks.
    var omissions: [Metadata.Omission] = []

    /// The figures of a part of the output.
    fileprivate func of(_ part: OutputPiece) -> Figures {
      var figures = self
      figures.samplesPerChannel = Int64(part.samples.count)
      (figures.clippedSamples, figures.digest) = (part.clippedSamples, part.digest)
      figures.overlap = part.overlap
      let rate = sourceSampleRate ?? format.sampleRate
      func place(_ position: Int64) -> Int64 {
        (self.place?.lowerBound ?? 0)
          + AudioTime.nearest(position, from: format.sampleRate, to: rate)
      }
      figures.place = place(part.samples.lowerBound)..<place(part.samples.upperBound)
      return figures
    }

    var seconds: Double { Double(samplesPerChannel) / Double(format.sampleRate) }
  }

  /// The lines of `--results`: one for each part, else one for the item.
  func lines(of item: ListItem) -> [JSONValue] {
    guard let parts, !parts.isEmpty, let figures, failure == nil else { return [json(of: item)] }
    return parts.map { part in
      var result = self
      result.output = part.path
      result.figures = figures.of(part)
      return result.json(of: item)
    }
  }

  /// The paths of the item and its outputs.
  func paths(of item: ListItem) -> [String] {
    var paths = (output.map { [$0] } ?? []) + (parts ?? []).compactMap(\.path)
    if let source = item.source { paths.append(source) }
    return paths
  }

  var failure: AudioError? { if case .failed(let error) = status { error } else { nil } }

  /// The line of `--results`, described in `docs/corpora.md`. Unknown values are null.
  func json(of item: WorkList.Item) -> JSONValue {
    func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
    func integer(_ value: Int64?) -> JSONValue { value.map { .integer($0) } ?? .null }
    func path(_ path: String?) -> JSONValue { path.map { .path($0) } ?? .null }
    func figure(_ value: (Figures) -> JSONValue) -> JSONValue { figures.map(value) ?? .null }
    let members: [(name: String, value: JSONValue)] = [
      ("schema", .integer(EventObserver.schemaVersion)), ("source", path(item.source)),
      ("id", text(item.id)),
      ("output", path(output)), ("status", .string(statusName)),
      ("error", text(failure?.description)),
      ("sampleRate", figure { .integer(Int64($0.format.sampleRate)) }),
      ("channels", figure { .integer(Int64($0.format.channelCount)) }),
      ("encoding", text(figures?.encoding?.rawValue)),
      ("samplesPerChannel", figure { .integer($0.samplesPerChannel) }),
      ("duration", figure { .number($0.seconds) }),
      ("sourceStart", integer(figures?.place?.lowerBound)),
      ("sourceEnd", integer(figures?.place?.upperBound)),
      ("overlap", integer(figures?.overlap)),
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
