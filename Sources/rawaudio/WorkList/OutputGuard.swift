// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc
internal import SwiftOverlayShims
internal import Synchronization

/// Decides about existing outputs, of an earlier run or of this one.
///
/// Complete outputs of this run are recognised by their time, so that no state per item is kept. The time is taken from
/// the first outputs, because a file server's clock may differ from this machine's. Any thread.
final class OutputGuard: Sendable {
  enum Decision {
    case write(replacing: Bool)
    case skip
  }

  private struct State {
    /// The completion time of this run's earliest output, in nanoseconds of the file system's clock.
    var earliest = Int64.max
    /// The outputs that are being written, one for each worker at most. A file is there before its time is noted.
    var claimed: Set<String> = []

    func wrote(_ output: String, changedAt time: Int64?) -> Bool {
      claimed.contains(output) || time.map { $0 >= earliest } ?? false
    }
  }

  private let policy: ExistingOutput
  private let state = Mutex(State())

  init(_ policy: ExistingOutput) { self.policy = policy }

  var replaces: Bool { policy == .replace }

  /// - Throws: `alreadyExists` if the policy forbids existing outputs, or if this one was written since this run began:
  ///   by another of its items, or by a concurrent run, such as one on a machine that was only out of reach.
  func decide(on output: String) throws(AudioError) -> Decision {
    try decide(on: output, claims: false)
  }

  /// Decides, and claims an output that is to be written: other items do not get it until `release(_:)`.
  ///
  /// - Throws: as `decide(on:)`.
  func claim(_ output: String) throws(AudioError) -> Decision {
    try decide(on: output, claims: true)
  }

  /// Ends a claim, after `note(_:)` if the output is complete.
  func release(_ output: String) { _ = state.withLock { $0.claimed.remove(output) } }

  private func decide(on output: String, claims: Bool) throws(AudioError) -> Decision {
    let time = Self.changeTime(of: output)
    let isOfThisRun = state.withLock { state in
      if state.wrote(output, changedAt: time) { return true }
      if claims, time == nil || policy == .replace { state.claimed.insert(output) }
      return false
    }
    if isOfThisRun {
      throw AudioError(
        .alreadyExists, cannot: "write to", output,
        because: "it is the output of another source of this list, too, or of another run",
        advice: "tell them apart with {path}, {id} or {n}")
    }
    if time == nil { return .write(replacing: false) }
    switch policy {
    case .skip: return .skip
    case .replace: return .write(replacing: true)
    case .fail:
      throw AudioError(
        .alreadyExists, cannot: "write to", output, because: "it already exists",
        advice: "use --existing skip or --existing replace")
    }
  }

  /// Whether this run, or a concurrent one, has written the file.
  func wrote(_ path: String) -> Bool {
    let time = Self.changeTime(of: path)
    return state.withLock { $0.wrote(path, changedAt: time) }
  }

  /// Call it when an output is complete.
  func note(_ output: String) {
    guard let time = Self.changeTime(of: output) else { return }
    state.withLock { $0.earliest = min($0.earliest, time) }
  }

  /// The time of the last change of the file at `path`. Nil if there is no regular file.
  private static func changeTime(of path: String) -> Int64? {
    var status = stat()
    guard unsafe stat(Pathname(path).cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
  }
}
