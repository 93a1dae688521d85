// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// Keeps the parts and the events of a recording, and reports them to its session as they are written.
///
/// Memory is bounded, because a recording of years has too many parts for a list.
final class RecordingJournal: Sendable {
  /// The largest number of listed parts, and of listed events.
  static let longestList = 10_000

  private struct Entries {
    var parts: [SplittingSink.Part] = []
    var partCount = 0
    var lastPart: SplittingSink.Part?
    var events: [TriggeredSink.Event] = []
    var eventCount = 0
    /// Samples per channel.
    var eventLength: Int64 = 0
    var pauses: [ScheduledSink.Change] = []
    var pauseCount = 0
    /// The summary of the output, and the inbox for its events.
    var listener: (sink: SessionSummary.Sink, inbox: CrossThreadEvents)?
    /// Events before the first listener.
    var untold: [RunEvent] = []
  }

  private let entries = Mutex(Entries())
  private let name: String
  private let civilTime: CivilTime

  /// - Parameters:
  ///   - name: the name of the output.
  ///   - civilTime: the time zone of printed times.
  init(of name: String, in civilTime: CivilTime) {
    self.name = name
    self.civilTime = civilTime
  }

  /// The first complete parts. Any thread.
  var parts: [SplittingSink.Part] { entries.withLock { $0.parts } }

  /// The number of complete parts. Any thread.
  var partCount: Int { entries.withLock { $0.partCount } }

  /// The last complete part. Any thread.
  var lastPart: SplittingSink.Part? { entries.withLock { $0.lastPart } }

  /// The first finished events. Any thread.
  var events: [TriggeredSink.Event] { entries.withLock { $0.events } }

  /// The first finished pauses, and the number of all. Any thread.
  var pauses: (list: [ScheduledSink.Change], count: Int) {
    entries.withLock { ($0.pauses, $0.pauseCount) }
  }

  /// The number of finished events, and their samples per channel. Any thread.
  var eventTotals: (count: Int, samplesPerChannel: Int64) {
    entries.withLock { ($0.eventCount, $0.eventLength) }
  }

  /// Reports to `inbox` from now on, on the writer's thread.
  func follow(as sink: SessionSummary.Sink, telling inbox: CrossThreadEvents) {
    entries.withLock { entries in
      entries.untold.forEach(inbox.put)
      entries.untold = []
      entries.listener = (sink, inbox)
    }
  }

  func record(_ part: SplittingSink.Part) {
    let index = entries.withLock { entries in
      if entries.parts.count < Self.longestList { entries.parts.append(part) }
      entries.partCount += 1
      entries.lastPart = part
      return entries.partCount - 1
    }
    tell { event(part, index, $0) }
  }

  /// The part that begins, as an event. Nil before the session has started.
  func describe(_ part: SplittingSink.Part) -> RunEvent.Part? {
    let (listener, count) = entries.withLock { ($0.listener, $0.partCount) }
    return listener.map { event(part, count, $0.sink) }
  }

  private func event(
    _ part: SplittingSink.Part, _ index: Int, _ sink: SessionSummary.Sink
  ) -> RunEvent.Part {
    RunEvent.Part(
      path: part.path, index: index, position: part.position,
      samplesPerChannel: part.samplesPerChannel, time: part.time, civilTime: civilTime,
      sink: sink, bytes: Pathname(part.path).fileSize)
  }

  /// Records that the only file is complete.
  ///
  /// - Parameter time: of its first sample, in nanoseconds since 1970. Nil if unknown.
  func record(wholeOf path: String, samplesPerChannel: Int64, at time: Int64?) {
    tell { sink in
      RunEvent.Part(
        path: path, index: nil, samplesPerChannel: samplesPerChannel, time: time,
        civilTime: civilTime,
        sink: sink, bytes: Pathname(path).fileSize)
    }
  }

  private func tell(_ part: (SessionSummary.Sink) -> RunEvent.Part) {
    guard let (sink, inbox) = entries.withLock({ $0.listener }) else { return }
    inbox.put(.part(part(sink)))
  }

  func record(_ event: TriggeredSink.Event) {
    let number = entries.withLock { entries in
      if entries.events.count < Self.longestList { entries.events.append(event) }
      entries.eventCount += 1
      entries.eventLength += Int64(event.samples.count)
      return entries.eventCount
    }
    tell(.passage(event, number: number))
  }

  func record(_ change: ScheduledSink.Change) {
    if case .resumed = change.kind {
      entries.withLock { entries in
        if entries.pauses.count < Self.longestList { entries.pauses.append(change) }
        entries.pauseCount += 1
      }
    }
    tell(.pause(RunEvent.Pause(output: name, change: change, civilTime: civilTime)))
  }

  func record(_ step: ClockStep) {
    tell(.clockStep(RunEvent.ClockChange(output: name, step: step, civilTime: civilTime)))
  }

  func record(_ removal: PartRemoval) {
    tell(.partRemoved(RunEvent.Removal(output: name, removal: removal)))
  }

  func record(_ disk: FullDisk) {
    switch disk {
    case .began(let error): tell(.diskFull(output: name, error))
    case .ended(let samples, let sampleRate, let time):
      tell(
        .outputGap(
          RunEvent.OutputGap(
            output: name, samples: samples, sampleRate: sampleRate, time: time,
            civilTime: civilTime)))
    }
  }

  /// Records why the files state less of their origin than was asked for.
  func record(_ failure: AudioError) { tell(.originFailed(failure)) }

  private func tell(_ event: RunEvent) {
    let inbox = entries.withLock { entries in
      if entries.listener == nil { entries.untold.append(event) }
      return entries.listener?.inbox
    }
    inbox?.put(event)
  }
}

/// The work on the parts of a recording beside it. Any thread.
protocol PartWork: Sendable {
  /// Tells that parts of these names come, and hands on those of earlier runs.
  ///
  /// - Parameter isSynchronizing: whether parts are forced onto the disk.
  func expect(_ names: PartNames, synchronizing isSynchronizing: Bool)
  /// Tells that a part begins. It is handed on by the next run if it is never complete.
  func begin(_ part: RunEvent.Part, of names: PartNames)
  /// Whether a part is still needed.
  func needs(_ path: String) -> Bool
}
