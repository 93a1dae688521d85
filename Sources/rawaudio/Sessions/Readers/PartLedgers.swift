// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc
internal import Synchronization

/// The parts that the command of `--on-part` has to run for, in its queue and in ledgers beside the parts, from which the
/// next run goes on. Any thread.
final class PartLedgers: PartWork {
  private struct Content {
    /// By the pattern of the names.
    var ledgers: [String: FileLedger] = [:]
    /// The ledgers of open parts, by path.
    var owners: [String: FileLedger] = [:]
    var entry: CommandQueue.Entry?
    /// The parts of earlier runs.
    var resumed: [String] = []
  }

  private let content = Mutex(Content())

  /// Hands all parts to this queue. Call it before the first part.
  func hand(to entry: CommandQueue.Entry) { content.withLock { $0.entry = entry } }

  func expect(_ names: PartNames, synchronizing isSynchronizing: Bool) {
    let ledger = names.ledger(synchronizing: isSynchronizing)
    let parts = ledger.earlier.filter { names.match($0.path) }
    let entry = content.withLock { content in
      content.ledgers[names.pattern] = ledger
      for part in parts { content.owners[part.path] = ledger }
      content.resumed += parts.map(\.path)
      return content.entry
    }
    for earlier in parts {
      entry?.add(
        job(earlier.path, earlier.partDetails, since: Pathname(earlier.path).lastWrite),
        tries: earlier.state == .failed ? 1 : 0)
    }
  }

  func begin(_ part: RunEvent.Part, of names: PartNames) {
    let (ledger, entry) = content.withLock { content in
      let ledger = content.ledgers[names.pattern]
      content.owners[part.path] = ledger
      return (ledger, content.entry)
    }
    // With --force it may replace a part that waits.
    entry?.forget(part.path)
    ledger?.put(part.path, .begun, part.line)
  }

  func needs(_ path: String) -> Bool {
    content.withLock { $0.entry }?.needs(path) ?? false
  }

  func complete(_ part: RunEvent.Part) {
    let (ledger, entry) = content.withLock { ($0.owners[part.path], $0.entry) }
    ledger?.put(part.path, .complete, part.line)
    entry?.add(job(part.path, part.line, since: .now))
  }

  /// Notes the end of a run of the command.
  func note(_ outcome: CommandQueue.Outcome) {
    let path = outcome.subject
    if case .failed(_, isTriedAgain: true) = outcome.result {
      content.withLock { $0.owners[path] }?.put(path, .failed)
    } else {
      content.withLock { $0.owners.removeValue(forKey: path) }?.remove(path)
    }
  }

  /// Those of these parts that the next run hands on.
  func listed(_ paths: [String]) -> [String] {
    content.withLock { content in paths.filter { content.owners[$0] != nil } }
  }

  /// The parts of earlier runs that were handed on since the last call.
  func takeResumed() -> [String] { content.withLock { $0.resumed.takeAll() } }

  func takeFailure() -> AudioError? {
    content.withLock { Array($0.ledgers.values) }.compactMap { $0.takeFailure() }.first
  }

  func end() { content.withLock { Array($0.ledgers.values) }.forEach { $0.end() } }

  private func job(
    _ path: String, _ details: JSONValue, since: MonotonicTime
  ) -> CommandQueue.Job {
    CommandQueue.Job(
      for: path, environment: ["RAWAUDIO_PART": path, "RAWAUDIO_PART_JSON": details.compact],
      since: since)
  }
}

extension FileLedger.Entry {
  /// The line of docs/events.md, with the present path. A part that was cut has no known length.
  fileprivate var partDetails: JSONValue {
    guard case .object(let members)? = details else { return .object([("path", .path(path))]) }
    let isCut = state == .begun
    let changed = members.map { name, value -> (name: String, value: JSONValue) in
      switch name {
      case "path": (name, .path(path))
      case "samplesPerChannel" where isCut: (name, .null)
      case "bytes" where isCut: (name, Pathname(path).fileSize.map { .integer($0) }.orNull)
      default: (name, value)
      }
    }
    return .object(changed + (isCut ? [("cut", .boolean(true))] : []))
  }
}

extension Pathname {
  /// The time of the last write by the monotonic clock. The present one if that is unknown.
  fileprivate var lastWrite: MonotonicTime {
    var status = stat()
    let now = MonotonicTime.now
    guard unsafe stat(cString, &status) == 0 else { return now }
    let age = max(0, WallTime.now - WallTime.nanoseconds(status.st_mtim))
    return MonotonicTime(nanoseconds: now.nanoseconds - Int(age))
  }
}
