// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The arrival times of units that wait for a writer thread.
final class Arrivals: Sendable {
  /// Units handed over within this time count as one piece, whose arrival time is that of its last units.
  private static let longestPiece: Duration = .milliseconds(100)

  private struct Piece {
    /// The end of the piece, in units from the beginning.
    var end: Int64
    var first: MonotonicTime
    var last: MonotonicTime
  }

  private struct State {
    /// Oldest first.
    var pieces: [Piece] = []
    var given: Int64 = 0
    var taken: Int64 = 0
  }

  private let state = Mutex(State())

  /// Records the arrival of `count` units. Session thread, before they are handed over.
  func add(_ count: Int, at time: MonotonicTime) {
    guard count > 0 else { return }
    state.withLock { state in
      state.given += Int64(count)
      if let last = state.pieces.indices.last,
        time.elapsed(since: state.pieces[last].first) < Self.longestPiece
      {
        state.pieces[last].end = state.given
        state.pieces[last].last = time
      } else {
        state.pieces.append(Piece(end: state.given, first: time, last: time))
      }
    }
  }

  /// Takes the next units that arrived together. Writer thread.
  ///
  /// - Parameter limit: the number of available units, at least 1.
  /// - Returns: how many it took, and the arrival time of the last one of the piece.
  func take(atMost limit: Int) -> (count: Int, time: MonotonicTime) {
    state.withLock { state in
      guard let piece = state.pieces.first else { preconditionFailure("all was added before") }
      let count = min(Int64(limit), piece.end - state.taken)
      state.taken += count
      if state.taken == piece.end { state.pieces.removeFirst() }
      return (Int(count), piece.last)
    }
  }
}
