// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// Something that happens in a run.
///
/// A new event is a case with its sentences; one that programs are told has a type that holds its members and its
/// sentences, a place in ``described``, and a section in `docs/events.md`.
enum RunEvent: Sendable {
  /// Everything is settled, and samples come next.
  case started(SessionSummary)
  /// Samples moved.
  case progress(SessionProgress)
  /// A device lost samples.
  case gap(Gap)
  /// A device went, is waited for, or is back.
  case absence(Absence)
  /// Something is not as it should be, or is again.
  case alarm(AlarmChange)
  /// A part of a recording, or the only file, is complete.
  case part(Part)
  /// A trigger has let something through; the first has the number 1.
  case passage(TriggeredSink.Event, number: Int)
  /// The clock of the day was set.
  case clockStep(ClockChange)
  /// An old part was removed, or could not be.
  case partRemoved(Removal)
  /// A source joined, left, or was muted.
  case attendance(SessionEvent)
  /// The command of `--on-part` failed, or takes long.
  case partCommand(PartCommandEvent)
  /// SIGUSR1 came to a run that begins no parts; the reason is nil if nothing is recorded.
  case splitRefused(reason: String?)
  /// The session has ended; observers and the commands of `--on-part` may still be busy.
  case sessionEnded
  /// Everything has ended; the signal is the first that came.
  case runEnded(SessionReport, signal: Int32?)
  /// The run failed, and everything has ended.
  case runFailed(AudioError)

  /// The event for programs; nil if they are not told.
  var described: (any DescribedEvent)? {
    switch self {
    case .gap(let event): event
    case .alarm(let event): event
    // The summary tells of the only file.
    case .part(let event): event.index == nil ? nil : event
    case .clockStep(let event): event
    case .partRemoved(let event): event
    default: nil
    }
  }

  /// The event for people; empty if they are not told.
  var sentences: [Sentence] {
    switch self {
    case .absence(let event): event.sentences
    case .passage(let event, let number): event.sentences(number)
    case .attendance(let event): event.sentences
    case .partCommand(let event): event.sentences
    case .splitRefused(let reason):
      [.note("SIGUSR1 begins no new file: \(reason ?? "nothing is recorded")")]
    default: described?.sentences ?? []
    }
  }
}

extension RunEvent {
  /// The types of all events that programs are told while a run goes on.
  static var described: [any DescribedEvent.Type] {
    [Gap.self, Part.self, AlarmChange.self, ClockChange.self, Removal.self]
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
    case .muted(let source): return [.detail("\(source.key): muted")]
    case .unmuted(let source): return [.detail("\(source.key): unmuted")]
    case .gap: return []
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
