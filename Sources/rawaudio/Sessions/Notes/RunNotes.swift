// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// Prints the notes at the beginning and the end of a run. Session thread only.
final class RunNotes: RunReader {
  private let command: CommandSession
  /// The conditions that are to fail. Their notes are printed with `-q`, too.
  private let failures: Set<FailureCondition>
  /// The conditions that `--fail-on` may make a failure.
  private(set) var conditions: Set<FailureCondition> = []
  /// Whether a signal ended a pipe or FIFO before its first sample.
  private(set) var streamIsEmpty = false

  init(of command: CommandSession, failingOn failures: Set<FailureCondition>) {
    self.command = command
    self.failures = failures
  }

  func take(_ event: RunEvent, in log: RunLog) {
    switch event {
    case .started(let summary):
      command.describe(summary)
      command.noteResampling()
      command.tellPriorities()
    case .runFailed:
      command.tellPauses()
      command.noteTroubles()
      command.observers.notes.forEach(command.console.note)
    case .runEnded(let report, let signal):
      command.describe(report)
      command.tellWakeUps()
      command.tellPauses()
      if report.outcome == .abandoned { return }
      if let signal, command.liveness == .stream, report.outcome == .stopped {
        tellStreamEnd(report, by: signal)
      }
      noteFaults(report)
    default: break
    }
  }

  /// Prints the length of each file or stream that a signal completed, in the order of the session.
  private func tellStreamEnd(_ report: SessionReport, by signal: Int32) {
    let end = "\(Self.name(of: signal)) ended the input"
    func length(_ count: Int64, _ format: StreamFormat) -> String {
      "\(count) samples per channel (\((Double(count) / Double(format.sampleRate)).decimal(3)) s)"
    }
    let kept = report.sinks.filter {
      command.outputs[$0.place].map { $0.isSoundFile && !$0.account.leftNoFile } ?? false
    }
    guard let source = report.sources.first else {
      streamIsEmpty = true
      return command.console.note("\(end) before anything came")
    }
    if kept.isEmpty {
      command.console.note("\(end) after \(length(source.samplesPerChannel, source.format))")
    }
    for sink in kept {
      let name = command.outputs[sink.place]?.name ?? ""
      command.console.note(
        "\(end); '\(name)' is complete, with \(length(sink.samplesPerChannel, sink.format))")
    }
  }

  private static func name(of signal: Int32) -> String {
    switch signal {
    case SIGINT: "SIGINT"
    case SIGTERM: "SIGTERM"
    case SIGHUP: "SIGHUP"
    default: "signal \(signal)"
    }
  }
}

extension RunNotes {
  func noteFaults(_ report: SessionReport) {
    if command.noteTroubles(areFatal: failures.contains(.xrun)) { conditions.insert(.xrun) }
    noteLostSamples()
    for input in command.inputs + command.observers.inputs { note(input, report) }
    command.orderedOutputs.compactMap(\.silenceNote).forEach { note($0) }
    command.observers.notes.forEach { note($0) }
    noteFollowing(report)
    noteEmptiness(report)
    noteRates(report)
    noteEncoders(report)
    noteLostMetadata()
    noteLoudness()
  }

  /// - Parameter condition: the condition that `--fail-on` may make a failure. Nil for none.
  private func note(_ text: String, _ condition: FailureCondition? = nil) {
    if let condition { conditions.insert(condition) }
    command.console.note(text, isFatal: condition.map(failures.contains) ?? false)
  }

  /// - Parameter shortfall: of the loudness, in LU. The last note is about it.
  private func note(_ notes: [String], _ shortfall: Double) {
    for (index, text) in notes.enumerated() {
      note(text, shortfall > 0 && index == notes.count - 1 ? .loudness : nil)
    }
    if shortfall > 0 { conditions.insert(.loudness) }
  }

  private func noteLoudness() {
    for output in command.orderedOutputs {
      if let outcome = output.levelOutcome, let target = output.levelTarget {
        let name = command.inputs.count == 1 ? command.inputs.first?.name : nil
        note(
          outcome.notes(of: name ?? output.name, in: output.name, reaching: target),
          outcome.shortfall)
        command.console.detail(outcome.detail(of: name ?? output.name))
      }
      if let limit = output.limit?.limit, output.mayExceedLimit {
        note(
          "the codec of '\(output.name)' may raise peaks beyond \(limit.decimal(1)) dBTP; only a single file is decoded"
            + " and written again")
      }
      guard let levelling = output.levelling else { continue }
      note(levelling.notes(of: command.inputs.first?.name ?? output.name), levelling.shortfall)
    }
  }

  private func noteLostMetadata() {
    for output in command.orderedOutputs where !output.account.metadataOmissions.isEmpty {
      note(
        "'\(output.name)' does not carry \(Self.list(output.account.metadataOmissions))", .metadata)
    }
  }

  /// The names. A reason follows the last of successive names that share it.
  private static func list(_ omissions: [Metadata.Omission]) -> String {
    let most = 8
    var text = ""
    for (index, omission) in omissions.prefix(most).enumerated() {
      let next = index + 1 < min(most, omissions.count) ? omissions[index + 1] : nil
      text += omission.name
      if next?.reason != omission.reason { text += " (\(omission.reason))" }
      if next != nil { text += ", " }
    }
    return omissions.count > most ? text + " and \(omissions.count - most) more" : text
  }

  /// Notes a result that is empty, for example because `--start` is after the end of the source, or a recording that left
  /// no file, also after a signal.
  private func noteEmptiness(_ report: SessionReport) {
    let mayBeNoted = report.outcome == .finished && conditions.isEmpty
    for sink in report.sinks {
      guard let output = command.outputs[sink.place], output.device == nil else { continue }
      if output.account.leftNoFile {
        if !output.choosesSamples { note("'\(output.name)' is not written: no sample came") }
        continue
      }
      guard mayBeNoted, sink.samplesPerChannel == 0 else { continue }
      note("'\(output.name)' holds no sample: there was nothing to take from the input")
    }
    // A run that was ended while its source began has no sinks to report.
    guard report.outcome == .stopped, report.sinks.isEmpty else { return }
    for output in command.orderedOutputs where output.isSoundFile && !output.choosesSamples {
      note("'\(output.name)' is not written: no sample came")
    }
  }

  /// Notes files that cannot state the beginning or the end of their sound.
  private func noteEncoders(_ report: SessionReport) {
    guard report.outcome == .finished else { return }
    for sink in report.sinks {
      if let text = command.outputs[sink.place]?.bitRateNote(sink.format) { note(text) }
    }
    command.orderedOutputs.flatMap(\.encoderNotes).forEach { note($0) }
  }

  /// Notes a header that cannot state the exact rate.
  private func noteRates(_ report: SessionReport) {
    for sink in report.sinks {
      guard let output = command.outputs[sink.place], let file = output.account.soundFileFormat
      else {
        continue
      }
      let rate = sink.format.sampleRate
      let stated = file.statedSampleRate(of: sink.format)
      if stated == rate { continue }
      note("'\(output.name)' holds \(rate) Hz; its header can only say \(stated) Hz")
    }
  }

  /// Notes clipped samples and NaN samples.
  private func noteLostSamples() {
    func noteClipping(_ count: Int, _ output: String) {
      note("\(count.counted("sample")) clipped in \(output); lower the gain", .clip)
    }
    for output in command.orderedOutputs {
      if output.account.clippedSamples > 0 {
        noteClipping(output.account.clippedSamples, "'\(output.name)'")
      }
      let count = output.account.notANumberSamples
      if count == 0 { continue }
      let samples = count == 1 ? "sample is not a number" : "samples are not numbers"
      let kept = count == 1 ? "it is kept" : "they are kept"
      let fate = output.keepsNotANumber ? kept : "silence stands there"
      note("\(count) \(samples) (NaN) in '\(output.name)'; \(fate)", .clip)
    }
    for (name, samples) in command.observers.clippings {
      noteClipping(samples, "observer '\(name)'")
    }
    for (name, samples) in command.observers.notANumberSamples {
      note("\(samples) samples of observer '\(name)' are not numbers (NaN)", .clip)
    }
  }

  /// Notes an input's reading and its end.
  private func note(_ input: SessionInput, _ report: SessionReport) {
    input.readingNotes.forEach { note($0) }
    if report.outcome == .finished, let shortage = input.shortage { note(shortage, .short) }
    input.headerNotes.forEach { note($0) }
    if let remainder = input.remainderNote { note(remainder, .truncated) }
    if let truncation = input.truncation {
      let actual = truncation.actualSamplesPerChannel
      let length =
        truncation.statesLength
        ? "it holds \(actual) of the \(truncation.claimedSamplesPerChannel) samples per channel that"
          + " its header claims"
        : "it ends within its stream, after \(actual) samples per channel"
      note("'\(input.name)' is truncated: \(length)", .truncated)
    } else if let count = input.file?.soundFile.trailingBytes, count > 0 {
      note(
        "'\(input.name)' ends within a sample of its channels; the last"
          + " \(count == 1 ? "byte is" : "\(count) bytes are") left out")
    }
  }

  /// Notes resynchronisations. They correct the delay at once, which is audible.
  private func noteFollowing(_ report: SessionReport) {
    for following in report.followings where following.resynchronisations > 0 {
      let count = following.resynchronisations
      note(
        "\(following.place.description): latency behind '\(following.source)' set right"
          + " \(count == 1 ? "once" : "\(count) times"):"
          + " \(following.insertedSamplesPerChannel) samples per channel of silence put in,"
          + " \(following.droppedSamplesPerChannel) left out", .xrun)
    }
  }
}
