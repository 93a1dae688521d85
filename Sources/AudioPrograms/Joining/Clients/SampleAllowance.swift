// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The samples a second that a listener's clients may ask for, each and all together. Any thread.
///
/// A source counts with its rate × channels, an observer with that of each stream's frames.
final class SampleAllowance: Sendable {
  /// The most that one client may ask for, in samples a second.
  let most: Int
  private let advice: String
  private let granted = Atomic(0)

  /// The number of clients that may ask for the most.
  static let clientsWithMost = 8

  /// - Parameters:
  ///   - most: for one client, at least 1.
  ///   - advice: for a client that asks for too much.
  init(most: Int, advice: String) {
    self.most = most
    self.advice = advice
  }

  /// The most that all clients together may ask for, in samples a second.
  var mostTogether: Int { most * Self.clientsWithMost }

  /// Granted to all clients now, in samples a second.
  var inUse: Int { granted.load(ordering: .relaxed) }

  /// Grants a client the samples of its first line.
  ///
  /// - Parameters:
  ///   - action: the refused action in an error.
  ///   - subject: the object of that action.
  /// - Throws: `unavailable`, with the limit, if that is too much.
  func share(
    _ format: StreamFormat, to action: String, _ subject: String
  ) throws(AudioError) -> SampleShare {
    try check(format, to: action, subject)
    guard take(format.samplesPerSecond) else {
      throw tooMuchTogether(format.samplesPerSecond, action, subject)
    }
    return SampleShare(format.samplesPerSecond, of: self)
  }

  /// - Throws: `unavailable` if `format` exceeds the limit of one client.
  fileprivate func check(
    _ format: StreamFormat, to action: String, _ subject: String
  ) throws(AudioError) {
    guard format.samplesPerSecond > most else { return }
    throw AudioError(
      .unavailable, cannot: action, subject,
      because: "\(format) are \(format.samplesPerSecond) samples a second, and \(most) is the most "
        + "for a client", advice: advice)
  }

  fileprivate func tooMuchTogether(
    _ count: Int, _ action: String, _ subject: String
  ) -> AudioError {
    AudioError(
      .unavailable, cannot: action, subject,
      because: "all clients together may ask for \(mostTogether) samples a second, and \(count) "
        + "more are too many", advice: advice)
  }

  fileprivate func take(_ count: Int) -> Bool {
    let before = granted.add(count, ordering: .relaxed).oldValue
    if before <= mostTogether - count { return true }
    giveBack(count)
    return false
  }

  fileprivate func giveBack(_ count: Int) { granted.subtract(count, ordering: .relaxed) }
}

/// The samples a second that a client was granted. They are given back with the last reference. Any thread.
final class SampleShare: Sendable {
  private struct State {
    /// Granted so far, in samples a second.
    var granted: Int
    /// Samples a second of the streams that it observes now.
    var used = 0
  }

  private let allowance: SampleAllowance
  private let asked: Int
  private let state: Mutex<State>

  fileprivate init(_ asked: Int, of allowance: SampleAllowance) {
    self.allowance = allowance
    self.asked = asked
    state = Mutex(State(granted: asked))
  }

  deinit { allowance.giveBack(state.withLock { $0.granted }) }

  /// Grants the client one more stream; streams beyond the first line need more samples.
  ///
  /// - Parameter format: of the stream's frames.
  /// - Throws: `unavailable` if that is too much.
  func begin(_ format: StreamFormat, _ subject: String) throws(AudioError) {
    try allowance.check(format, to: "observe", subject)
    let count = format.samplesPerSecond
    let isGranted = state.withLock { state in
      let more = max(0, state.used + count - state.granted)
      guard more == 0 || allowance.take(more) else { return false }
      state.granted += more
      state.used += count
      return true
    }
    if !isGranted { throw allowance.tooMuchTogether(count, "observe", subject) }
  }

  /// Takes back the samples of a stream that has ended.
  func end(_ format: StreamFormat) {
    state.withLock { state in
      state.used -= format.samplesPerSecond
      let rest = max(asked, state.used)
      allowance.giveBack(state.granted - rest)
      state.granted = rest
    }
  }
}
