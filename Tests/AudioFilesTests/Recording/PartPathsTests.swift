// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// Free names, and their folders.
@Suite struct PartPathsTests {
  let scratch = ScratchDirectory()

  private func paths(_ pattern: String, goesOn: Bool = true) throws -> PartPaths {
    PartPaths(try PartNames(scratch.file(pattern), in: .utc), goesOn: goesOn)
  }

  private func names(_ paths: inout PartPaths, at times: [Int]) throws -> [String] {
    try times.map { time in
      let path = try paths.next(at: time)
      paths.take(path)
      _ = try scratch.write([], String(path.dropFirst(scratch.path.count + 1)))
      return String(path.dropFirst(scratch.path.count + 1))
    }
  }

  @Test func numbersGoOnAfterTheHighest() throws {
    for name in ["a-003.wav", "a-0007.wav", "a-012.wav", "b-900.wav"] {
      _ = try scratch.write([], name)
    }
    var paths = try paths("a-%03d.wav")
    #expect(try names(&paths, at: [0, 0]) == ["a-013.wav", "a-014.wav"])
    // Another program created that file meanwhile.
    _ = try scratch.write([], "a-015.wav")
    #expect(try names(&paths, at: [0]) == ["a-016.wav"])
    var again = try self.paths("a-%03d.wav", goesOn: false)
    #expect(try again.next(at: 0) == scratch.file("a-000.wav"))
  }

  @Test func aNameThatExistsGetsTheNextSecond() throws {
    _ = try scratch.write([], "000010.wav")
    var paths = try paths("%H%M%S.wav")
    #expect(try names(&paths, at: [10, 11, 11]) == ["000011.wav", "000012.wav", "000011_x2.wav"])
    // Half a second each: names are off by at most a second.
    #expect(
      try names(&paths, at: [20, 20, 21, 21, 22]) == [
        "000020.wav", "000021.wav", "000022.wav", "000021_x2.wav", "000023.wav",
      ])
  }

  @Test func whatDoesNotVaryBySecondsGetsANumber() throws {
    for name in ["07.wav", "07_x2.wav", "07_x4.wav"] { _ = try scratch.write([], name) }
    var paths = try paths("%H.wav")
    #expect(
      try names(&paths, at: [7 * 3_600, 7 * 3_600, 8 * 3_600]) == [
        "07_x3.wav", "07_x5.wav", "08.wav",
      ])
  }

  @Test func aLinkToNothingIsInTheWay() throws {
    try FileManager.default.createSymbolicLink(
      atPath: scratch.file("07.wav"), withDestinationPath: "/nowhere")
    var paths = try paths("%H.wav")
    #expect(try names(&paths, at: [7 * 3_600]) == ["07_x2.wav"])
  }

  /// By bytes, and by letters and digits alone, as many locales sort.
  @Test(arguments: ["wav", "flac", "aiff", "ogg", "mp3", "w64", "rf64"])
  func aSecondNameStandsBehindTheFirst(ending: String) {
    let first = "2026-07-01_020000.\(ending)"
    let second = first.repeated(2)
    let next = "2026-07-01_020001.\(ending)"
    func letters(_ name: String) -> String { name.filter { $0.isLetter || $0.isNumber } }
    #expect(Array(first.utf8).lexicographicallyPrecedes(second.utf8))
    #expect(Array(second.utf8).lexicographicallyPrecedes(next.utf8))
    #expect(letters(first) < letters(second) && letters(second) < letters(next))
  }

  @Test func foldersAreMade() throws {
    let names = try NamePattern(scratch.file("%Y/x/%m.wav"))
    let folders = PartFolders(names, synchronizing: true)
    let path = scratch.file("2026/x/07.wav")
    #expect(try !folders.check(for: path))
    let made = try folders.make(for: path)
    #expect(made.map(\.text) == [scratch.file("2026"), scratch.file("2026/x")])
    #expect(try folders.check(for: path))
    #expect(try folders.make(for: path) == [])
    let mask = umask(0)
    umask(mask)
    var status = stat()
    #expect(unsafe stat(scratch.file("2026"), &status) == 0)
    #expect(status.st_mode & 0o777 == 0o777 & ~mask)
    PartFolders.remove(made)
    #expect(scratch.names == [])
  }

  /// A folder before the first conversion may be an unmounted disk.
  @Test func theFixedFolderIsNotMade() throws {
    let pattern = scratch.file("disk/%Y/%m.wav")
    let folders = PartFolders(try NamePattern(pattern), synchronizing: false)
    let path = scratch.file("disk/2026/07.wav")
    for attempt in [{ _ = try folders.check(for: path) }, { _ = try folders.make(for: path) }] {
      do {
        try attempt()
        Issue.record("it was made")
      } catch let error as AudioError {
        #expect(
          error.description == "cannot write to '\(path)': its directory does not exist")
      }
    }
    #expect(scratch.names == [])
  }

  @Test func aFileWhereAFolderIsToBe() throws {
    _ = try scratch.write([1], "2026")
    let folders = PartFolders(
      try NamePattern(scratch.file("%Y/%m/%d.wav")), synchronizing: false)
    do throws(AudioError) {
      _ = try folders.make(for: scratch.file("2026/07/01.wav"))
      Issue.record("it was made")
    } catch {
      #expect(
        error.description
          == "cannot make the folder '\(scratch.file("2026/07"))': a part of the path is not a directory"
      )
    }
  }
}
