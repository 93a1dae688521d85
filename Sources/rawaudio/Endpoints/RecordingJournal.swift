// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// Keeps the parts and the events of a recording, and tells its session of them while they are written.
///
/// Memory is bounded: a recording of years has more parts than a list is good for.
final class RecordingJournal: Sendable {
  /// How many parts, and how many events, are kept one by one.
  static let longestList = 10_000

  private struct Entries {
    var parts: [SplittingSink.Part] = []
    var partCount = 0
    var lastPart: SplittingSink.Part?
    var events: [TriggeredSink.Event] = []
    var eventCount = 0
    /// Samples per channel.
    var eventLength: Int64 = 0
    /// The output as its session knows it, and where its events go.
    var listener: (sink: SessionSummary.Sink, inbox: RunInbox)?
    /// Events from before there was a listener.
    var untold: [RunEvent] = []
  }

  private let entries = Mutex(Entries())
  private let name: String
  private let civilTime: CivilTime

  /// - Parameters:
  ///   - name: of the output.
  ///   - civilTime: how the time of day is told.
  init(of name: String, in civilTime: CivilTime) {
    self.name = name
    self.civilTime = civilTime
  }

  /// The first parts that are complete. Any thread.
  var parts: [SplittingSink.Part] { entries.withLock { $0.parts } }

  /// How many parts are complete. Any thread.
  var partCount: Int { entries.withLock { $0.partCount } }

  /// The part that was completed last. Any thread.
  var lastPart: SplittingSink.Part? { entries.withLock { $0.lastPart } }

  /// The first events that are over. Any thread.
  var events: [TriggeredSink.Event] { entries.withLock { $0.events } }

  /// How many events are over, and their samples per channel. Any thread.
  var eventTotals: (count: Int, samplesPerChannel: Int64) {
    entries.withLock { ($0.eventCount, $0.eventLength) }
  }

  /// From now on everything is told to `inbox`, on the writer's thread.
  func follow(as sink: SessionSummary.Sink, telling inbox: RunInbox) {
    entries.withLock { entries in
      entries.untold.forEach(inbox.put)
      (entries.untold, entries.listener) = ([], (sink, inbox))
    }
  }

  func record(_ part: SplittingSink.Part) {
    let index = entries.withLock { entries in
      if entries.parts.count < Self.longestList { entries.parts.append(part) }
      entries.partCount += 1
      entries.lastPart = part
      return entries.partCount - 1
    }
    tell { sink in
      RunEvent.Part(
        path: part.path, index: index, position: part.position,
        samplesPerChannel: part.samplesPerChannel, time: part.time, civilTime: civilTime,
        sink: sink, bytes: Pathname(part.path).fileSize)
    }
  }

  /// The only file is complete.
  func record(wholeOf path: String, samplesPerChannel: Int64) {
    tell { sink in
      RunEvent.Part(
        path: path, index: nil, samplesPerChannel: samplesPerChannel, civilTime: civilTime,
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

  func record(_ step: ClockStep) {
    tell(.clockStep(RunEvent.ClockChange(output: name, step: step, civilTime: civilTime)))
  }

  func record(_ removal: PartRemoval) {
    tell(.partRemoved(RunEvent.Removal(output: name, removal: removal)))
  }

  private func tell(_ event: RunEvent) {
    let inbox = entries.withLock { entries in
      if entries.listener == nil { entries.untold.append(event) }
      return entries.listener?.inbox
    }
    inbox?.put(event)
  }
}
