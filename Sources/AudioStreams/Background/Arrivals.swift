// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// When what waits for a writer thread was handed to it.
final class Arrivals: Sendable {
  /// What is handed over within so short a time counts as one piece, which came when its last samples did.
  private static let longestPiece: Duration = .milliseconds(100)

  private struct Piece {
    /// Where it ends, in units from the beginning.
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

  /// So many units are handed over next. Session thread, before they are.
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

  /// Takes the next units that came together. Writer thread.
  ///
  /// - Parameter limit: how many are there, at least 1.
  /// - Returns: how many they are, and when the last of them came.
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
