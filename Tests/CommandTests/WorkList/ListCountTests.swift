// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import rawaudio

/// The number of items in a list, known before they are read.
@Suite struct ListCountTests {
  private let directory = TemporaryDirectory()

  private func list(
    _ bytes: [UInt8], endsWithNull: Bool = false, shard: Shard? = nil
  ) throws -> WorkList {
    try directory.write(bytes, "list")
    return try WorkList(
      WorkListRequest(
        origin: .list(directory.file("list").path, endsWithNull: endsWithNull), shard: shard,
        jobs: 1))
  }

  private func read(_ list: WorkList) throws -> Int {
    var count = 0
    while try list.next() != nil { count += 1 }
    return count
  }

  /// The count equals the number of items read later.
  @Test(arguments: [
    ("", 0), ("\n", 0), ("\n\n\n", 0), ("a", 1), ("a\n", 1), ("\na", 1), ("a\n\nb", 2),
    ("\n\na\n\n\nb\n\n", 2), (" \n\t\n", 2), ("{\n}\n", 2), ("a\0b\n", 1),
  ])
  func isWhatIsRead(text: String, expected: Int) throws {
    let list = try list(Array(text.utf8))
    #expect(list.countItems() == expected)
    #expect(try read(list) == expected)
    let other = text.map { $0 == "\n" ? "\0" : $0 == "\0" ? "\n" : $0 }
    let null = try self.list(Array(String(other).utf8), endsWithNull: true)
    #expect(null.countItems() == expected)
    #expect(try read(null) == expected)
  }

  /// Entries that begin and end anywhere in the read blocks.
  @Test func aLongList() throws {
    var noise = Noise(11)
    var (bytes, expected): ([UInt8], Int) = ([], 0)
    while bytes.count < 400_000 {
      let length = Int(noise.next() % 200)
      bytes += [UInt8](repeating: UInt8(ascii: "x"), count: length) + [UInt8(ascii: "\n")]
      if length > 0 { expected += 1 }
    }
    for count in 1...4 {
      let sizes = try (1...count).map { index in
        let list = try list(bytes, shard: Shard(index: index, count: count))
        let size = list.countItems()
        #expect(try read(list) == size)
        return try #require(size)
      }
      #expect(sizes.reduce(0, +) == expected)
    }
  }

  @Test func arguments() throws {
    let sizes = try (1...4).map { index in
      try WorkList(
        WorkListRequest(
          origin: .arguments(["a", "b", "c"]), shard: Shard(index: index, count: 4), jobs: 1)
      ).countItems()
    }
    #expect(sizes == [1, 1, 1, 0])
  }

  /// A signal behind the last argument has to find nothing left to do.
  @Test func argumentsEndWithTheLast() throws {
    let list = try WorkList(WorkListRequest(origin: .arguments(["a", "b"]), jobs: 1))
    #expect(try list.next() != nil)
    #expect(!list.isOver)
    #expect(try list.next() != nil)
    #expect(list.isOver)
    #expect(try list.next() == nil)
  }

  /// The count of a pipe is unknown.
  @Test func aPipe() throws {
    let path = directory.file("pipe").path
    #expect(unsafe mkfifo(path, 0o600) == 0)
    let writer = unsafe open(path, O_RDWR | O_CLOEXEC)
    defer { close(writer) }
    let list = try WorkList(
      WorkListRequest(origin: .list(path, endsWithNull: false), jobs: 1))
    #expect(list.countItems() == nil)
  }
}
