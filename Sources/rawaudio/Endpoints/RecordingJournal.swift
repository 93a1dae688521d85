internal import AudioCore
internal import Synchronization

/// What a recording reports while it is written, on its way from the writer's thread to the user.
final class RecordingJournal: Sendable {
  private struct Entries {
    var parts: [SplittingSink.Part] = []
    var events: [TriggeredSink.Event] = []
    var news: [String] = []
  }

  private let entries = Mutex(Entries())

  /// The parts that are complete. Any thread.
  var parts: [SplittingSink.Part] { entries.withLock { $0.parts } }

  /// The events that are over. Any thread.
  var events: [TriggeredSink.Event] { entries.withLock { $0.events } }

  func record(_ part: SplittingSink.Part) {
    entries.withLock { entries in
      entries.parts.append(part)
      let end = part.position + part.samplesPerChannel
      entries.news.append("part '\(part.path)': samples \(part.position) to \(end)")
    }
  }

  func record(_ event: TriggeredSink.Event) {
    entries.withLock { entries in
      entries.events.append(event)
      let (first, end) = (event.samples.lowerBound, event.samples.upperBound)
      let rate = Double(event.sampleRate)
      func seconds(_ position: Int64) -> Double {
        (Double(position) / rate * 1_000).rounded() / 1_000
      }
      entries.news.append(
        "event \(entries.events.count): samples \(first) to \(end),"
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
