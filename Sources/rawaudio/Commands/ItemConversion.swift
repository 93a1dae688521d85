// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles

/// The conversion of one file, or of one piece of it, to its own output.
///
/// Any thread, and several at once.
struct ItemConversion: Sendable {
  let command: ConvertCommand
  /// The facts of a whole album. Nil without one.
  var album: AlbumFacts?
  let outputGuard: OutputGuard
  /// Whether a pattern, a list or a table makes the names of outputs.
  var generatesNames = false
  /// The table of parts or events. Nil without one.
  var labels: LabelFile?
  var digestsSamples = false
  let verbosity: Verbosity
  /// Shared by all items.
  var filterCache = ResamplerFilterCache()

  /// Converts one item.
  ///
  /// - Parameters:
  ///   - reading: the shared reading of its source. Nil if it is opened for this item alone.
  ///   - workers: the extra threads for it. Nil = one for each further processor.
  ///   - onStart: called with the format of the output, before its first sample.
  /// - Returns: nil if it was abandoned.
  func convert(
    _ job: PieceJob.Piece, from reading: SharedReading? = nil, _ workers: WorkerAllowance? = nil,
    until control: SessionControl, onStart: @escaping (StreamFormat) -> Void = { _ in }
  ) -> ItemResult? {
    var request = command.output
    if generatesNames {
      (request.isNameGenerated, request.folders) = (true, PartFolders(fixedFolders: 0))
    }
    var result = ItemResult(status: .done, output: job.output)
    let lines = CollectedLines()
    let console = lines.console(verbosity)
    var claimed: String?
    defer { claimed.map(outputGuard.release) }
    do {
      try request.metadata.fill(from: job.file)
      if let output = job.output, command.splitsItems {
        request.sink = .file(output)
        request.overwrites = outputGuard.replaces
        if request.recording.names != nil {
          request.recording.names = try PartNames(
            output, in: request.recording.civilTime, keepsFields: true)
        }
      } else if let output = job.output {
        // Another source may have taken this output in the meantime.
        guard case .write(let isReplacing) = try outputGuard.claim(output) else {
          result.status = .skipped
          return result
        }
        claimed = output
        request.sink = .file(output)
        request.overwrites = isReplacing
      }
      var edited = command.editedSource(
        .file(job.file.source), to: request, part: job.file, workers: workers,
        control: control, album: album?.part(job.file))
      edited.reading = reading
      if job.file.isPiece { edited.pieceNumber = job.file.number }
      let collector = PieceCollector(labels, keepsPieces: digestsSamples)
      let session = try command.session(
        of: edited, to: request,
        pieces: command.splitsItems || request.recording.trigger != nil ? collector : nil,
        on: console)
      session.session.resamplerFilterCache = filterCache
      session.outputs[.publish]?.setting.digestsSamples = digestsSamples
      let report = try session.run {
        session.describe($0)
        if let sink = $0.sinks.first { onStart(sink.format) }
      } onFailure: { error in
        session.observers.notes.forEach(console.note)
        return error
      }
      if report.outcome == .abandoned || report.sources.isEmpty { return nil }
      if let failure = collector.failure { throw failure }
      if let output = job.output, !command.splitsItems { outputGuard.note(output) }
      let notes = RunNotes(
        of: session, failingOn: command.processing.failureConditions)
      notes.noteFaults(report)
      result.conditions = notes.conditions
      result.figures = figures(session, report)
      if request.recording.names != nil || request.recording.splitsChannels {
        result.parts = collector.pieces
      }
    } catch var error as AudioError {
      if error.subject.isEmpty { error.subject = job.file.source }
      result.status = .failed(error)
    } catch {
      result.status = .failed(
        AudioError(.invalidParameter, cannot: "convert", job.file.source, because: "\(error)"))
    }
    result.lines = lines.texts
    return result
  }

  private func figures(
    _ command: CommandSession, _ report: SessionReport
  ) -> ItemResult.Figures? {
    guard let sink = report.sinks.first, let output = command.outputs[.publish],
      let source = report.sources.first
    else { return nil }
    let origin = command.inputs.first?.origin ?? 0
    var format = sink.format
    // Each file has one channel.
    if output.request.recording.splitsChannels,
      let channel = try? StreamFormat(sampleRate: format.sampleRate, channelCount: 1)
    {
      format = channel
    }
    return ItemResult.Figures(
      format: format, encoding: output.encoding,
      samplesPerChannel: sink.samplesPerChannel, clippedSamples: output.clippedSamples,
      isTruncated: command.inputs.contains { $0.truncation != nil },
      place: origin..<origin + source.samplesPerChannel,
      sourceSampleRate: source.format.sampleRate,
      isShort: command.inputs.contains { $0.shortage != nil }, digest: output.digest,
      decoder: command.inputs.lazy.compactMap(\.decoder).first,
      omissions: output.metadataOmissions)
  }
}
