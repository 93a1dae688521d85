// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The files of a command, one after another: its arguments, the entries of a list, or the pieces of a table.
///
/// Main thread only.
final class WorkList {
  typealias Item = ListItem

  private enum Origin {
    case arguments([String])
    case folders(FolderSources)
    case list(ListReader)
    case pieces(PieceList)
  }

  private var origin: Origin
  private var walk: FolderWalk?
  private let shard: Shard?
  /// The number of items read, including those of other shards.
  private var place = 0
  /// Whether ``next()`` has returned all items: known of arguments with the last one, of a list at its end.
  private(set) var isOver = false

  init(_ request: WorkListRequest) throws(AudioError) {
    shard = request.shard
    switch request.origin {
    case .arguments(let paths):
      origin = .arguments(paths)
    case .folders(let sources):
      origin = .folders(sources)
      walk = FolderWalk(sources)
    case .list(let path, let isNull):
      origin = .list(try ListReader(path: path, endsWithNull: isNull))
    case .pieces(let pieces): origin = .pieces(pieces)
    }
    try requireUnprinted()
  }

  /// - Throws: if standard output or standard error goes into one of the files, before anything is printed. A list or a
  ///   folder is not read for it: its files are refused when they are opened.
  private func requireUnprinted() throws(AudioError) {
    if case .list = origin { return }
    guard walk == nil, !StandardStream.claims.isEmpty else { return }
    var (last, failure): (String?, AudioError?) = (nil, nil)
    try forEachFile { file in
      guard file.source != last else { return true }
      last = file.source
      do throws(AudioError) {
        _ = try FileClaim(.read, file.source, file: FileIdentity(ofFileAt: file.source))
      } catch {
        failure = error
      }
      return failure == nil
    }
    if let failure { throw failure }
  }

  /// Whether a file may be an output of this run that was found in a folder.
  var findsOutputs: Bool { walk != nil }

  /// Returns the number of items. Nil if unknown. It reads all of a list in a file. Call it before ``next()``.
  func countItems() -> Int? {
    let total: Int? =
      switch origin {
      case .arguments(let paths): paths.count
      case .folders(let sources): FolderWalk(sources).reduce(0) { count, _ in count + 1 }
      case .list(let reader): reader.countEntries()
      case .pieces(let pieces): pieces.count
      }
    return total.map { shard?.size(of: $0) ?? $0 }
  }

  /// Whether ``next()`` returns at once.
  func isReady() throws(AudioError) -> Bool {
    switch origin {
    case .arguments, .folders, .pieces: true
    case .list(let reader): try reader.hasEntry()
    }
  }

  /// Returns the next item of this shard. Nil at the end.
  func next() throws(AudioError) -> Item? {
    let item = try nextOfShard()
    if item == nil || isLastArgument { isOver = true }
    return item
  }

  /// Makes a list from a pipe readable by ``forEachFile(_:)``, by reading it to its end. Call it before ``next()``.
  ///
  /// - Parameter control: any request stops it early.
  func makeRepeatable(until control: SessionControl) throws(AudioError) {
    if case .list(let reader) = origin {
      origin = .list(try reader.repeatable(until: control))
    }
  }

  /// Visits the files of all shards, independently of ``next()``, and skips malformed entries.
  ///
  /// - Parameter body: returns whether to continue.
  func forEachFile(_ body: (ListedFile) -> Bool) throws(AudioError) {
    switch origin {
    case .arguments(let paths):
      for (index, path) in paths.enumerated() {
        guard body(ListedFile(path, number: index + 1)) else { return }
      }
    case .folders(let sources):
      for (index, path) in FolderWalk(sources).enumerated() {
        guard case .success(let path) = path else { continue }
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
    case .pieces(let pieces):
      for place in 0..<pieces.count {
        guard case .file(let file) = pieces[place] else { continue }
        guard body(file) else { return }
      }
    }
  }

  private var isLastArgument: Bool {
    switch origin {
    case .arguments(let paths): place >= paths.count
    case .folders: walk?.upcoming == nil
    case .list: false
    case .pieces(let pieces): place >= pieces.count
    }
  }

  private func nextOfShard() throws(AudioError) -> Item? {
    while true {
      let number = place + 1
      let item: () -> Item
      switch origin {
      case .arguments(let paths):
        guard place < paths.count else { return nil }
        item = { .file(ListedFile(paths[number - 1], number: number)) }
      case .folders:
        guard let found = walk?.next() else { return nil }
        item = {
          switch found {
          case .success(let path): .file(ListedFile(path, number: number))
          case .failure(let error): .malformed(error, source: error.subject)
          }
        }
      case .list(let reader):
        guard let entry = try reader.nextEntry() else { return nil }
        item = { reader.item(of: entry, number: number) }
      case .pieces(let pieces):
        guard place < pieces.count else { return nil }
        item = { pieces[number - 1] }
      }
      place = number
      if shard?.holds(number - 1) ?? true { return item() }
    }
  }
}
