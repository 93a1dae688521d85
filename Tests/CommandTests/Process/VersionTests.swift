// SPDX-License-Identifier: Apache-2.0
import TestProcess
import Testing

@testable import rawaudio

/// The version and its day stand in `RawAudio.program`, from which the packages take them.
@Suite struct VersionTests {
  private let program = RawAudio.program

  /// The heading has the day from the release on.
  @Test func theChangelogTellsOfIt() throws {
    let heading = try #require(
      Package.text("CHANGELOG.md").split(separator: "\n").first { $0.hasPrefix("## ") })
    #expect(
      ["Unreleased", program.date].map { "## [\(program.version)] - \($0)" }.contains(
        String(heading)))
  }

  /// As Scripts/package finds them.
  @Test func thePackagesFindThem() throws {
    let lines = try Package.text("Sources/rawaudio/RawAudio.swift").split(separator: "\n")
    #expect(
      lines.filter { $0.contains(#/^ *version: /#) } == ["    version: \"\(program.version)\","])
    #expect(lines.filter { $0.contains(#/^ *date: /#) } == ["    date: \"\(program.date)\","])
  }
}
