// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Marks to be added to a file, which another thread may be writing. Any thread.
final class PendingMarks: Sendable {
  struct Mark: Sendable {
    /// In samples per channel at `sampleRate`, from the start of the stream.
    var position: Int64
    var sampleRate: Int
    var label: String
  }

  private let marks = Mutex<[Mark]>([])

  func append(_ mark: Mark) { marks.withLock { $0.append(mark) } }

  /// Removes and returns the marks before `end`, in order. `end` is in samples per channel at `sampleRate`; nil = all.
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
/// They become a `cue ` chunk and a `LIST` of type `adtl` with the labels. Both follow the samples, because marks are
/// not known earlier. Source: Microsoft/IBM "Multimedia Programming Interface and Data Specifications 1.0".
struct WaveCues {
  /// The most marks of a file. Later ones are dropped.
  static let limit = 65_536

  private var cues: [(position: UInt32, label: String)] = []
  /// Marks from the sound's own metadata.
  private let carried: [Metadata.Marker]

  init(_ carried: [Metadata.Marker] = []) { self.carried = carried }

  /// Adds a mark at a sample of the file.
  ///
  /// - Returns: false if there are too many marks, or the position exceeds the chunk's 32 bits.
  mutating func append(position: Int64, label: String) -> Bool {
    guard cues.count < Self.limit, let position = UInt32(exactly: position) else { return false }
    cues.append((position, label))
    return true
  }

  /// Both chunks, an even number of bytes; empty without marks.
  ///
  /// - Parameter length: the file's length in samples per channel. Moves marks from its end or behind it to the last
  ///   sample. Drops those of the sound's own metadata there, because they belong to another part.
  func chunks(_ order: ByteOrder, length: Int64) -> [UInt8] {
    let last = max(length - 1, 0)
    var markers = carried.filter { $0.position < length }
    for index in markers.indices {
      markers[index].length = min(markers[index].length, length - markers[index].position)
    }
    var identifier = markers.map(\.identifier).max() ?? 0
    for cue in cues {
      identifier &+= 1
      markers.append(
        .init(identifier: identifier, position: min(Int64(cue.position), last), label: cue.label))
    }
    guard !markers.isEmpty else { return [] }
    let family: Metadata.Family = order == .big ? .rifx : .riff
    let (points, labels) = CueList.chunks(markers, order, namesAll: !cues.isEmpty)
    var chunks = [Metadata.Chunk(family, "cue ", points)]
    if let labels { chunks.append(.init(family, "LIST", labels)) }
    return chunks.bytes(order)
  }
}
