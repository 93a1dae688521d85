internal import Synchronization

/// Marks on their way into a file, which another thread may be writing. Any thread.
final class PendingMarks: Sendable {
  struct Mark: Sendable {
    /// In samples per channel at `sampleRate`, from the start of the stream.
    var position: Int64
    var sampleRate: Int
    var label: String
  }

  private let marks = Mutex<[Mark]>([])

  func append(_ mark: Mark) { marks.withLock { $0.append(mark) } }

  /// Takes those before `end`, which is in samples per channel at `sampleRate`, in order; nil = all.
  func take(before end: Int64?, at sampleRate: Int) -> [Mark] {
    marks.withLock { marks in
      let count = marks.partition { mark in
        guard let end else { return false }
        return AudioTime.nearest(mark.position, from: mark.sampleRate, to: sampleRate) >= end
      }
      let taken = marks[..<count].sorted { $0.position < $1.position }
      marks.removeFirst(count)
      return taken
    }
  }
}
