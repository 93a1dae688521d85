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

/// Marks at samples of a WAVE file, kept until the file is complete.
///
/// They become a `cue ` chunk and a `LIST` of type `adtl` with the labels, behind the samples: they are not
/// known earlier. Source: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0".
struct WaveCues {
  /// How many are kept; a file that is marked more often has only the first ones.
  static let limit = 65_536

  private var cues: [(position: UInt32, label: String)] = []

  var isEmpty: Bool { cues.isEmpty }

  /// Adds a mark at a sample of the file.
  ///
  /// - Returns: false where there are too many already, or the position is beyond the chunk's 32 bits.
  mutating func append(position: Int64, label: String) -> Bool {
    guard cues.count < Self.limit, let position = UInt32(exactly: position) else { return false }
    cues.append((position, label))
    return true
  }

  /// Both chunks, of an even number of bytes.
  ///
  /// - Parameter length: samples per channel of the file; a mark at its end or behind it is put on the last.
  func chunks(_ order: ByteOrder, length: Int64) -> [UInt8] {
    let last = UInt32(clamping: max(length - 1, 0))
    var bytes = Array("cue ".utf8)
    bytes.append(4 + 24 * cues.count, 4, order)
    bytes.append(cues.count, 4, order)
    var labels = Array("adtl".utf8)
    for (index, cue) in cues.enumerated() {
      let position = min(cue.position, last)
      bytes.append(index + 1, 4, order)
      bytes.append(position, 4, order)
      bytes += "data".utf8
      // Chunk and block start: 0 where there is one data chunk of PCM samples.
      bytes.append(0, 4, order)
      bytes.append(0, 4, order)
      bytes.append(position, 4, order)
      let text = Array(cue.label.utf8) + [0]
      labels += "labl".utf8
      labels.append(4 + text.count, 4, order)
      labels.append(index + 1, 4, order)
      labels += text
      if text.count & 1 == 1 { labels.append(0) }
    }
    bytes += "LIST".utf8
    bytes.append(labels.count, 4, order)
    return bytes + labels
  }
}
