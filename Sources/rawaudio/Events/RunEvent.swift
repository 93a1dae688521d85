// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// An event of a run.
///
/// A new event is a case with its sentences. An event for programs also has a type with its members and sentences, a
/// place in ``described``, and a section in `docs/events.md`.
enum RunEvent: Sendable {
  /// The setup is complete, and samples come next.
  case started(SessionSummary)
  /// Samples moved.
  case progress(SessionProgress)
  /// A device lost samples.
  case gap(Gap)
  /// A device was lost, is awaited, or is back.
  case absence(Absence)
  /// News of a device that are no loss.
  case notice(LiveNotice, device: String)
  /// An alarm began or ended.
  case alarm(AlarmChange)
  /// An echo canceller has converged, or has ended.
  case echo(EchoChange)
  /// A part of a recording, or the only file, is complete.
  case part(Part)
  /// A trigger passed an event. Numbers begin at 1.
  case passage(TriggeredSink.Event, number: Int)
  /// The wall clock was set.
  case clockStep(ClockChange)
  /// A recording pauses, or goes on.
  case pause(Pause)
  /// An old part was removed, or its removal failed.
  case partRemoved(Removal)
  /// A recording in parts waits for room on its disk.
  case diskFull(output: String, AudioError)
  /// Samples of a recording are not written, because the disk was full.
  case outputGap(OutputGap)
  /// A source joined, left, or was muted.
  case participation(SessionEvent)
  /// The files of a recording state less of their origin than was asked for.
  case originFailed(AudioError)
  /// The command of `--on-part` failed or is slow.
  case partCommand(PartCommandEvent)
  /// The command of `--on-part` has ended for a part.
  case partHandled(PartHandling)
  /// The command of `--on-alarm` failed.
  case alarmCommand(subject: String, reason: String)
  /// SIGUSR1 reached a run that begins no parts. The reason is nil if nothing is recorded.
  case splitRefused(reason: String?)
  /// The session has ended. Observers and the commands of `--on-part` may still be busy.
  case sessionEnded
  /// The whole run has ended. `signal` is the first signal received.
  case runEnded(SessionReport, signal: Int32?)
  /// The run failed and has ended.
  case runFailed(AudioError)

  /// The event for programs. Nil for other events.
  var described: (any DescribedEvent)? {
    switch self {
    case .gap(let event): event
    case .alarm(let event): event
    case .echo(let event): event
    // The summary reports the only file.
    case .part(let event): event.index == nil ? nil : event
    case .clockStep(let event): event
    case .pause(let event): event
    case .partRemoved(let event): event
    case .outputGap(let event): event
    case .partHandled(let event): event
    case .started, .progress, .absence, .notice, .passage, .diskFull, .participation, .originFailed,
      .partCommand, .alarmCommand, .splitRefused, .sessionEnded, .runEnded, .runFailed:
      nil
    }
  }

  /// The sentences for people. May be empty.
  var sentences: [Sentence] {
    switch self {
    case .absence(let event): event.sentences
    case .notice(let notice, let device): [notice.sentence(about: device)]
    case .passage(let event, let number): event.sentences(number)
    case .participation(let event): event.sentences
    case .originFailed(let error):
      [.note("\(error); the files state the other fields, and the recording goes on")]
    case .partCommand(let event): event.sentences
    case .splitRefused(let reason):
      [.note("SIGUSR1 begins no new file: \(reason ?? "nothing is recorded")")]
    case .diskFull(let output, let error):
      [.note("'\(output)': \(error); waiting for room")]
    case .alarmCommand(let subject, let reason):
      [.note("--on-alarm for \(subject): \(reason)")]
    case .gap, .alarm, .echo, .part, .clockStep, .pause, .partRemoved, .outputGap, .partHandled:
      described?.sentences ?? []
    case .started, .progress, .sessionEnded, .runEnded, .runFailed: []
    }
  }
}

extension RunEvent {
  /// The types of all events that programs get during a run.
  static var described: [any DescribedEvent.Type] {
    [
      Gap.self, Part.self, AlarmChange.self, EchoChange.self, ClockChange.self, Pause.self,
      Removal.self,
      OutputGap.self, PartHandling.self,
    ]
  }
}

extension LiveNotice {
  fileprivate func sentence(about device: String) -> Sentence {
    let text = "device '\(device)' \(text)"
    return isDetail ? .detail(text) : .note(text)
  }
}

extension SessionEvent {
  fileprivate var sentences: [Sentence] {
    switch self {
    case .joined(let source): return [.detail("\(source.key): joined, \(source.format)")]
    case .left(let source, let reason):
      let missing = source.missingSamplesPerChannel
      let gaps = missing == 0 ? "" : ", silence stood in for \(missing)"
      let length = "left after \(source.samplesPerChannel) samples per channel\(gaps)"
      return [.detail("\(source.key): \(length)")]
        + (reason.map { [.note("\(source.key): \($0)")] } ?? [])
    case .muted(let source):
      return [.detail("\(source.key): muted\(source.isMutedEverywhere ? " everywhere" : "")")]
    case .unmuted(let source): return [.detail("\(source.key): unmuted")]
    case .gap, .speech: return []
    }
  }
}

extension TriggeredSink.Event {
  fileprivate func sentences(_ number: Int) -> [Sentence] {
    let (first, end) = (samples.lowerBound, samples.upperBound)
    func seconds(_ position: Int64) -> Double {
      (Double(position) / Double(sampleRate)).roundedToThousandths
    }
    return [
      .detail("event \(number): samples \(first) to \(end), \(seconds(first)) to \(seconds(end)) s")
    ]
  }
}
