// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The files that a command works on, one after another: its arguments, or what a list names.
///
/// Main thread only.
final class WorkList {
  /// One item of it.
  enum Item: Sendable {
    case file(ListedFile)
    /// An entry that cannot be understood.
    ///
    /// - Parameter id: as the entry has it; nil if that cannot be read either.
    case malformed(AudioError, id: String?)
  }

  private enum Origin {
    case arguments([String])
    case list(ListReader)
  }

  private var origin: Origin
  private let shard: Shard?
  /// How many items were passed, those of other shards included.
  private var place = 0
  /// Whether ``next()`` has come to the end.
  private(set) var isOver = false

  init(_ request: WorkListRequest) throws(AudioError) {
    shard = request.shard
    switch request.origin {
    case .arguments(let paths):
      origin = .arguments(paths)
    case .list(let path, let isNull):
      origin = .list(try ListReader(path: path, endsWithNull: isNull))
    }
  }

  /// How many items it has; nil where nobody knows. Reads all of a list that is a file; to be called before
  /// ``next()``.
  func countItems() -> Int? {
    let total: Int? =
      switch origin {
      case .arguments(let paths): paths.count
      case .list(let reader): reader.countEntries()
      }
    return total.map { shard?.size(of: $0) ?? $0 }
  }

  /// Whether ``next()`` answers at once.
  func isReady() throws(AudioError) -> Bool {
    switch origin {
    case .arguments: true
    case .list(let reader): try reader.hasEntry()
    }
  }

  /// Whether it is known that nothing more comes.
  var isAtEnd: Bool {
    if case .arguments(let paths) = origin { place >= paths.count } else { false }
  }

  /// The next item of this shard; nil at the end.
  func next() throws(AudioError) -> Item? {
    let item = try nextOfShard()
    if item == nil { isOver = true }
    return item
  }

  /// Lets ``forEachFile(_:)`` go through a list that comes through a pipe, which is read to its end now. Before
  /// ``next()``.
  ///
  /// - Parameter isInterrupted: whether to give up.
  func makeRepeatable(until isInterrupted: () -> Bool) throws(AudioError) {
    if case .list(let reader) = origin {
      origin = .list(try reader.repeatable(until: isInterrupted))
    }
  }

  /// Goes through the files of all shards, however far ``next()`` is; entries that cannot be understood are left out.
  ///
  /// - Parameter body: returns whether to go on.
  func forEachFile(_ body: (ListedFile) -> Bool) throws(AudioError) {
    switch origin {
    case .arguments(let paths):
      for (index, path) in paths.enumerated() {
        guard body(ListedFile(path, number: index + 1)) else { return }
      }
    case .list(let reader):
      let reader = try reader.reread()
      var number = 0
      while let entry = try reader.nextEntry() {
        number += 1
        guard let file = try? reader.file(of: entry, number: number) else { continue }
        guard body(file) else { return }
      }
    }
  }

  private func nextOfShard() throws(AudioError) -> Item? {
    switch origin {
    case .arguments(let paths):
      while place < paths.count {
        place += 1
        if shard?.holds(place - 1) ?? true {
          return .file(ListedFile(paths[place - 1], number: place))
        }
      }
      return nil
    case .list(let reader):
      while let entry = try reader.nextEntry() {
        place += 1
        guard shard?.holds(place - 1) ?? true else { continue }
        do throws(AudioError) {
          return .file(try reader.file(of: entry, number: place))
        } catch {
          return .malformed(
            AudioError(
              .malformed, cannot: "read", reader.name, because: "item \(place): \(error.reason)",
              advice: "a path that begins with a brace is written with ./ in front"),
            id: ListedFile.id(ofLine: entry))
        }
      }
      return nil
    }
  }
}
