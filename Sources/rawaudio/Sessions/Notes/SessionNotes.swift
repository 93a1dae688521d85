// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// Notes on what the user should know about a run that is over.
struct SessionNotes {
  private let command: CommandSession
  private let console: Console

  init(of command: CommandSession) {
    self.command = command
    console = command.console
  }

  /// Notes everything about the run that the user should know.
  ///
  /// - Returns: what `--fail-on` may make a failure.
  func tell(_ report: SessionReport) -> Set<FailureCondition> {
    let conditions = noteFaults(report).union(noteFollowing(report))
    if conditions.isEmpty { noteEmptiness(report) }
    noteRates(report)
    return conditions.union(noteLostMetadata()).union(noteLoudness())
  }

  /// Notes a loudness that was not reached.
  private func noteLoudness() -> Set<FailureCondition> {
    var conditions: Set<FailureCondition> = []
    for output in command.orderedOutputs {
      guard let levelling = output.levelling else { continue }
      levelling.notes(of: command.inputs.first?.name ?? output.name).forEach(console.note)
      if levelling.shortfall > 0 { conditions.insert(.loudness) }
    }
    return conditions
  }

  /// Notes what sources carry beside their samples and outputs do not.
  private func noteLostMetadata() -> Set<FailureCondition> {
    var conditions: Set<FailureCondition> = []
    for output in command.orderedOutputs where !output.metadataOmissions.isEmpty {
      conditions.insert(.metadata)
      console.note("'\(output.name)' does not carry \(Self.list(output.metadataOmissions))")
    }
    return conditions
  }

  /// The names, with each reason once behind those that it is the reason of.
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

  /// Notes a result that is empty, for example because `--start` is after the end of the source.
  private func noteEmptiness(_ report: SessionReport) {
    guard report.outcome == .finished else { return }
    for sink in report.sinks where sink.samplesPerChannel == 0 {
      guard let output = command.outputs[sink.place], output.device == nil else { continue }
      console.note("'\(output.name)' holds no sample: there was nothing to take from the input")
    }
  }

  /// Notes a header that cannot state the exact rate.
  private func noteRates(_ report: SessionReport) {
    for sink in report.sinks {
      guard let output = command.outputs[sink.place], let file = output.soundFileFormat else {
        continue
      }
      let stated = file.statedSampleRate(of: sink.format)
      guard stated != sink.format.sampleRate else { continue }
      console.note(
        "'\(output.name)' holds \(sink.format.sampleRate) Hz; its header can only say \(stated) Hz")
    }
  }

  /// Notes what went wrong at the ends of the session and in its observers.
  private func noteFaults(_ report: SessionReport) -> Set<FailureCondition> {
    var conditions = DeviceNotes(of: command).noteTroubles()
    func noteClipping(_ count: Int, _ output: String) {
      conditions.insert(.clip)
      console.note(
        "\(count) \(count == 1 ? "sample" : "samples") clipped in \(output); lower the gain")
    }
    func noteNotNumbers(_ count: Int, _ output: String, areKept: Bool) {
      conditions.insert(.clip)
      let samples = count == 1 ? "sample is not a number" : "samples are not numbers"
      let fate = areKept ? count == 1 ? "it is kept" : "they are kept" : "silence stands there"
      console.note("\(count) \(samples) (NaN) in \(output); \(fate)")
    }
    for output in command.orderedOutputs {
      if output.clippedSamples > 0 { noteClipping(output.clippedSamples, "'\(output.name)'") }
      if output.notANumberSamples > 0 {
        noteNotNumbers(
          output.notANumberSamples, "'\(output.name)'", areKept: output.keepsNotANumber)
      }
    }
    for clipping in command.observers.clippings {
      noteClipping(clipping.samples, "observer '\(clipping.name)'")
    }
    for (name, samples) in command.observers.notNumbers {
      conditions.insert(.clip)
      console.note("\(samples) samples of observer '\(name)' are not numbers (NaN)")
    }
    for input in command.inputs + command.observers.inputs {
      input.readingNotes.forEach(console.note)
      if report.outcome == .finished, let shortage = input.shortage {
        conditions.insert(.short)
        console.note(shortage)
      }
      HeaderNotes(of: input).notes.forEach(console.note)
      if input.samplesBehind > 0 { conditions.insert(.truncated) }
      guard let truncation = input.truncation else {
        noteTrailingBytes(of: input)
        continue
      }
      conditions.insert(.truncated)
      let actual = truncation.actualSamplesPerChannel
      console.note(
        truncation.statesLength
          ? "'\(input.name)' is truncated: it holds \(actual) of the"
            + " \(truncation.claimedSamplesPerChannel) samples per channel that its header claims"
          : "'\(input.name)' is truncated: it ends within its stream, after \(actual) samples per"
            + " channel")
    }
    command.orderedOutputs.compactMap(\.silenceNote).forEach(console.note)
    command.observers.notes.forEach(console.note)
    return conditions
  }

  private func noteTrailingBytes(of input: SessionInput) {
    let count = input.trailingBytes
    guard count > 0 else { return }
    console.note(
      "'\(input.name)' ends within a sample of its channels; the last"
        + " \(count == 1 ? "byte is" : "\(count) bytes are") left out")
  }

  /// Notes resynchronisations, where the delay was corrected at once, which is audible.
  private func noteFollowing(_ report: SessionReport) -> Set<FailureCondition> {
    var conditions: Set<FailureCondition> = []
    for following in report.followings where following.resynchronisations > 0 {
      let times =
        following.resynchronisations == 1 ? "once" : "\(following.resynchronisations) times"
      conditions.insert(.xrun)
      console.note(
        "\(following.place.rawValue): latency behind '\(following.source)' set right \(times):"
          + " \(following.insertedSamples) samples per channel of silence put in,"
          + " \(following.droppedSamples) left out")
    }
    return conditions
  }
}
