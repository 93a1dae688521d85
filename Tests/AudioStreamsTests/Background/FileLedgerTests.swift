// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioStreams

/// The list of files that still need work.
struct FileLedgerTests {
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "ledger-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    func touch(_ names: String...) throws {
      for name in names { try Data().write(to: url.appending(path: name)) }
    }

    func ledger(_ pattern: String = "%d") -> FileLedger {
      FileLedger(
        in: Pathname(url.path + "/"), namesFolder: true, for: pattern, synchronizing: true)
    }

    var ledgers: [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? [])
        .filter { $0.hasPrefix(".") }.sorted()
    }

    func text(_ ledger: FileLedger) -> [String] {
      ledger.earlier.map { "\($0.path.dropFirst(url.path.count + 1)) \($0.state)" }
    }
  }

  @Test func theNextRunGoesOn() throws {
    let folder = try Folder()
    try folder.touch("a", "b", "c", "d")
    do {
      let ledger = folder.ledger()
      #expect(folder.text(ledger) == [])
      for name in ["a", "b", "c", "never", "d"] { ledger.put(folder.path(name), .begun) }
      ledger.put(folder.path("a"), .complete, .object([("x", .integer(1))]))
      ledger.put(folder.path("b"), .complete)
      ledger.put(folder.path("b"), .failed)
      ledger.remove(folder.path("c"))
      // Another pattern has a ledger of its own.
      #expect(folder.text(folder.ledger("%F")) == [])
      #expect(folder.ledgers.count == 1)
    }
    let next = folder.ledger()
    #expect(folder.text(next) == ["a complete", "b failed", "d begun"])
    #expect(next.earlier.first?.details?["x"]?.int == 1)
    for name in ["a", "b", "d"] { next.remove(folder.path(name)) }
    next.end()
    #expect(folder.ledgers == [])
    #expect(next.takeFailure() == nil)
  }

  /// At whichever byte a kill cut the file, no file is lost whose line is whole.
  @Test func aCutFileIsReadToItsLastWholeLine() throws {
    let folder = try Folder()
    try folder.touch("a", "b")
    let ledger = folder.ledger()
    ledger.put(folder.path("a"), .begun)
    ledger.put(folder.path("a"), .complete)
    ledger.put(folder.path("b"), .begun)
    let file = try #require(folder.ledgers.first)
    let bytes = try Data(contentsOf: folder.url.appending(path: file))
    #expect(bytes.count { $0 == 10 } == 3)
    ledger.remove(folder.path("a"))
    ledger.remove(folder.path("b"))
    ledger.end()
    for count in 0...bytes.count {
      try bytes.prefix(count).write(to: folder.url.appending(path: file))
      // A line that only lacks its end counts as well.
      let isWhole = count == bytes.count || bytes[count] == 10
      let lines = bytes.prefix(count).count { $0 == 10 } + (isWhole ? 1 : 0)
      let expected: [String] =
        switch lines {
        case 0: []
        case 1: ["a begun"]
        case 2: ["a complete"]
        default: ["a complete", "b begun"]
        }
      let next = folder.ledger()
      #expect(folder.text(next) == expected, "after \(count) bytes")
      // The next line is one of its own.
      next.put(folder.path("b"), .failed)
      next.end()
      let after = folder.ledger()
      #expect(folder.text(after) == expected.filter { !$0.hasPrefix("b") } + ["b failed"])
      after.remove(folder.path("a"))
      after.remove(folder.path("b"))
      after.end()
    }
  }

  /// Runs at once do not share; the next one takes over from all that have ended.
  @Test func runsAtOnce() throws {
    let folder = try Folder()
    try folder.touch("a", "b", "c")
    let first = folder.ledger()
    first.put(folder.path("a"), .begun)
    let second = folder.ledger()
    #expect(folder.text(second) == [])
    second.put(folder.path("b"), .begun)
    let third = folder.ledger()
    third.put(folder.path("c"), .begun)
    #expect(folder.ledgers.count == 3)
    third.end()
    first.end()
    let next = folder.ledger()
    #expect(folder.text(next) == ["a begun", "c begun"])
    #expect(folder.ledgers.count == 2)
    second.end()
    next.end()
    let last = folder.ledger()
    #expect(folder.text(last).sorted() == ["a begun", "b begun", "c begun"])
    #expect(folder.ledgers.count == 1)
  }

  /// A file that a program writes, and so has locked, is not taken from it.
  @Test func aFileThatIsWrittenIsLeft() throws {
    let folder = try Folder()
    try folder.touch("a", "b")
    do {
      let ledger = folder.ledger()
      ledger.put(folder.path("a"), .complete)
      ledger.put(folder.path("b"), .complete)
    }
    let file = unsafe open(folder.path("a"), O_RDONLY)
    defer { close(file) }
    #expect(flock(file, LOCK_EX) == 0)
    #expect(folder.text(folder.ledger()) == ["b complete"])
  }

  /// A year of parts leaves a small file.
  @Test func itDoesNotGrow() throws {
    let folder = try Folder()
    try folder.touch("left")
    let ledger = folder.ledger()
    ledger.put(folder.path("left"), .begun)
    for number in 0..<10_000 {
      ledger.put(folder.path("\(number)"), .complete)
      ledger.remove(folder.path("\(number)"))
    }
    let file = try #require(folder.ledgers.first)
    #expect(try Data(contentsOf: folder.url.appending(path: file)).count <= 1 << 17)
    ledger.end()
    #expect(folder.text(folder.ledger()) == ["left begun"])
  }

  @Test func aFolderThatCannotBeWrittenIsTold() throws {
    let ledger = FileLedger(
      in: Pathname("/nonexistent/"), namesFolder: true, for: "%d", synchronizing: false)
    ledger.put("/nonexistent/a", .begun)
    #expect(ledger.takeFailure()?.kind == .notFound)
    #expect(ledger.takeFailure() == nil)
  }
}
