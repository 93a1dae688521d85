// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// The names that match a pattern.
@Suite struct PartMatchingTests {
  let scratch = ScratchDirectory()

  private func number(in name: String, of pattern: String) throws -> Int? {
    let matching = PartMatching(try PartNames(pattern))
    return matching.number(in: Array(name.utf8), of: matching.components[0], isFile: true)
  }

  @Test(arguments: [
    ("take-%04d.wav", "take-0012.wav", 12), ("take-%04d.wav", "take-12345.wav", 12_345),
    ("take-%04d.wav", "take-012.wav", nil), ("take-%04d.wav", "take-00012.wav", nil),
    ("take-%04d.wav", "take-0012.wav~", nil), ("take-%04d.wav", "xtake-0012.wav", nil),
    // Names with numbers never get a suffix.
    ("take-%04d.wav", "take-0012-1.wav", nil), ("take-%04d.wav", "take-0012_x2.wav", nil),
    ("take-%04d.wav", ".take-0012.wav", nil),
    ("%01d%01d", "77", 7), ("%F_%03d", "2026-03-29_007", 7), ("%F_%03d", "2026-13-29_007", nil),
    ("%H%M%S.flac", "235960.flac", 0), ("%H%M%S.flac", "240000.flac", nil),
    ("%H%M%S.flac", "000000_x12.flac", 0), ("%H%M%S.flac", "000000_x02.flac", nil),
    ("%H%M%S.flac", "000000_x.flac", nil), ("%H%M%S.flac", "000000x2.flac", nil),
    // Of earlier versions.
    ("%H%M%S.flac", "000000-12.flac", 0), ("%H%M%S.flac", "000000-01.flac", nil),
    ("%H%M%S.flac", "000000-.flac", nil), ("%H%M%S.flac", "00000.flac", nil),
    ("100%%-%H.wav", "100%-07.wav", 0), ("%-d.%B.%Y", "1.January.2026", 0),
    ("%-d.%B.%Y", "31.Maybe.2026", nil),
    ("%-d%-H", "111", 0), ("%A", "Monday", 0), ("%A", "monday", nil), ("%^A", "MONDAY", 0),
    ("%s", "1774746000", 0), ("%Z%z", "CEST+0200", 0), ("%Z%z", "CEST0200", nil), ("%j", "366", 0),
    ("%j", "367", nil), ("%I%p", "12AM", 0), ("%I%p", "13AM", nil), ("%T", "23:59:59", 0),
  ])
  func names(pattern: String, name: String, expected: Int?) throws {
    #expect(try number(in: name, of: pattern) == expected)
  }

  /// Every generated name matches its pattern, at random times.
  @Test(
    arguments: Array("aAbBCdeFgGhHIjklmMpPrRsSTuUVwWXyYzZ").map { "x%\($0)-y" } + [
      "%c", "%-H%_d", "%5Y", "%^B", "%#p%Od",
    ])
  func whatIsMadeIsFound(pattern: String) throws {
    let names = try PartNames("%01d \(pattern)", in: .berlin)
    var state: UInt64 = 11
    for number in 0..<200 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let name = names.path(number: number, time: Int(state >> 33))
      #expect(try self.number(in: name, of: names.pattern) == number, "\(name)")
    }
  }

  @Test func filesInFolders() throws {
    let names = try PartNames(scratch.file("%Y/raw/%m-%d/take %03d.wav"))
    let manager = FileManager.default
    func put(_ name: String) throws {
      let path = scratch.file(name)
      try manager.createDirectory(
        atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try Data([1, 2]).write(to: URL(fileURLWithPath: path))
    }
    for name in [
      "2025/raw/12-31/take 007.wav", "2026/raw/01-01/take 1009.wav",
      // None of these matches.
      "2026/raw/01-01/take 2.wav", "2026/raw/take 900.wav", "2026/01-01/take 900.wav",
      "2026/raw/13-01/take 900.wav", "2026x/raw/01-01/take 900.wav", "elsewhere/take 900.wav",
    ] { try put(name) }
    try manager.createDirectory(
      atPath: scratch.file("2026/raw/01-01/take 950.wav"), withIntermediateDirectories: true)
    // Folders and files behind links never match.
    try put("other/12-30/take 960.wav")
    try manager.createSymbolicLink(
      atPath: scratch.file("2025/raw/12-30"), withDestinationPath: scratch.file("other/12-30"))
    try manager.createSymbolicLink(
      atPath: scratch.file("2025/raw/12-31/take 970.wav"),
      withDestinationPath: scratch.file("other/12-30/take 960.wav"))
    let found = PartMatching(names).files().sorted { $0.number < $1.number }
    #expect(
      found.map(\.path) == [
        scratch.file("2025/raw/12-31/take 007.wav"), scratch.file("2026/raw/01-01/take 1009.wav"),
      ])
    #expect(found.map(\.number) == [7, 1_009])
    #expect(found.map(\.size) == [2, 2])
  }
}
