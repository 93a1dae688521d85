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
    var claimed: String?
    defer { claimed.map(outputGuard.release) }
    return ItemResult.of(job.file, "convert", output: job.output, verbosity) { result, console in
      guard let plan = try plan(job, claiming: &claimed) else {
        result.status = .skipped
        return true
      }
      var edited = command.editedSource(
        .file(job.file.source), to: plan, part: job.file, workers: workers, control: control,
        album: album?.part(job.file))
      edited.reading = reading
      if job.file.isPiece { edited.pieceNumber = job.file.number }
      let collector = PieceCollector(labels, keepsPieces: digestsSamples)
      let session = try command.session(
        of: edited, to: plan,
        pieces: command.splitsItems || plan.recording.trigger != nil ? collector : nil,
        on: console)
      session.session.resamplerFilterCache = filterCache
      session.outputs[.publish]?.digestsSamples = digestsSamples
      let report = try session.run {
        session.describe($0)
        if let sink = $0.sinks.first { onStart(sink.format) }
      } onFailure: { error in
        session.observers.notes.forEach(console.note)
        return error
      }
      if report.outcome == .abandoned || report.sources.isEmpty { return false }
      if let failure = collector.failure { throw failure }
      if let output = job.output, !command.splitsItems { outputGuard.note(output) }
      let notes = RunNotes(
        of: session, failingOn: command.processing.failureConditions)
      notes.noteFaults(report)
      result.conditions = notes.conditions
      result.figures = figures(session, report)
      if plan.recording.names != nil || plan.recording.splitsChannels {
        result.parts = collector.pieces
      }
      return true
    }
  }

  /// Returns the plan of an item's output, and claims the output. Nil if it exists, and is skipped.
  private func plan(
    _ job: PieceJob.Piece, claiming claimed: inout String?
  ) throws(AudioError) -> OutputPlan? {
    var plan = command.output
    if generatesNames {
      (plan.isNameGenerated, plan.folders) = (true, PartFolders(fixedFolders: 0))
    }
    try plan.metadata.fill(from: job.file)
    guard let output = job.output else { return plan }
    plan.sink = .file(output)
    if command.splitsItems {
      plan.overwrites = outputGuard.replaces
      if plan.recording.names != nil {
        plan.recording.names = try PartNames(
          output, in: plan.recording.civilTime, keepsFields: true)
      }
      return plan
    }
    // Another source may have taken this output in the meantime.
    guard case .write(let isReplacing) = try outputGuard.claim(output) else { return nil }
    (claimed, plan.overwrites) = (output, isReplacing)
    return plan
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
    if output.plan.recording.splitsChannels,
      let channel = try? StreamFormat(sampleRate: format.sampleRate, channelCount: 1)
    {
      format = channel
    }
    return ItemResult.Figures(
      format: format, encoding: output.account.writtenEncoding,
      samplesPerChannel: output.triggeredSamplesPerChannel ?? sink.samplesPerChannel,
      clippedSamples: output.account.clippedSamples,
      isTruncated: command.inputs.contains { $0.truncation != nil },
      place: origin..<origin + source.samplesPerChannel,
      sourceSampleRate: source.format.sampleRate,
      isShort: command.inputs.contains { $0.shortage != nil },
      digest: output.account.sampleDigest?.hexadecimal.lowercased(),
      decoder: command.inputs.lazy.compactMap(\.decoder).first,
      omissions: output.account.metadataOmissions)
  }
}
