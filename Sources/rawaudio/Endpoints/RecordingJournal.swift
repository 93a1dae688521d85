// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// A part of a recording, or the only file, that is complete.
struct FinishedPart: Sendable {
  var path: String
  /// Whether it is the only file.
  var isWhole = false
  /// How many parts came before it.
  var index: Int
  /// Where it begins, in samples per channel of the stream.
  var position: Int64
  var samplesPerChannel: Int64
}

/// What a recording reports while it is written, on its way from the writer's thread to the user.
///
/// Memory is bounded: a recording that goes on for years has more parts than anybody wants listed.
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
    var news: [String] = []
    var taker: (@Sendable (FinishedPart) -> Void)?
  }

  private let entries = Mutex(Entries())
  private let civilTime: CivilTime

  /// - Parameter civilTime: how the time of day is told.
  init(in civilTime: CivilTime = .local) { self.civilTime = civilTime }

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

  /// From now on `take` is given every part that is complete, on the writer's thread.
  func follow(_ take: @escaping @Sendable (FinishedPart) -> Void) {
    entries.withLock { $0.taker = take }
  }

  func record(_ part: SplittingSink.Part) {
    let (taker, index) = entries.withLock { entries in
      if entries.parts.count < Self.longestList { entries.parts.append(part) }
      entries.partCount += 1
      entries.lastPart = part
      let end = part.position + part.samplesPerChannel
      let time = part.time.map { ", from \(civilTime.description(of: $0))" } ?? ""
      entries.news.append("part '\(part.path)': samples \(part.position) to \(end)\(time)")
      return (entries.taker, entries.partCount - 1)
    }
    taker?(
      FinishedPart(
        path: part.path, index: index, position: part.position,
        samplesPerChannel: part.samplesPerChannel))
  }

  /// The only file is complete.
  func record(wholeOf path: String, samplesPerChannel: Int64) {
    let taker = entries.withLock { $0.taker }
    taker?(
      FinishedPart(
        path: path, isWhole: true, index: 0, position: 0, samplesPerChannel: samplesPerChannel))
  }

  func record(_ event: TriggeredSink.Event) {
    entries.withLock { entries in
      if entries.events.count < Self.longestList { entries.events.append(event) }
      entries.eventCount += 1
      entries.eventLength += Int64(event.samples.count)
      let (first, end) = (event.samples.lowerBound, event.samples.upperBound)
      let rate = Double(event.sampleRate)
      func seconds(_ position: Int64) -> Double {
        (Double(position) / rate * 1_000).rounded() / 1_000
      }
      entries.news.append(
        "event \(entries.eventCount): samples \(first) to \(end),"
          + " \(seconds(first)) to \(seconds(end)) s")
    }
  }

  /// The lines since the last call, in order.
  func takeNews() -> [String] {
    entries.withLock { entries in
      defer { entries.news = [] }
      return entries.news
    }
  }
}
