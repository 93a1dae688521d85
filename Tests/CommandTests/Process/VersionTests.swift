// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// The version and its day are in several files.
@Suite struct VersionTests {
  private let version = RawAudio.program.version
  private let day = RawAudio.program.date

  @Test func thePackageHasTheProgramsVersion() throws {
    let lines = try Package.text("Scripts/package/changelog").split(separator: "\n")
    let first = try #require(lines.first)
    #expect(first.hasPrefix("rawaudio (\(version)-0upstream1) "))
    let signature = try #require(lines.first { $0.hasPrefix(" -- ") })
    let time = DateFormatter()
    time.locale = Locale(identifier: "en_US_POSIX")
    time.timeZone = TimeZone(identifier: "UTC")
    time.dateFormat = "yyyy-MM-dd"
    let date = try #require(time.date(from: day))
    time.dateFormat = "EEE, dd MMM yyyy"
    #expect(signature.contains("  \(time.string(from: date)) "))
  }

  @Test func thePythonPackageHasIt() throws {
    let text = try Package.text("Python/src/rawaudio/_version.py")
    #expect(text.hasSuffix("\n__version__ = \"\(version)\"\n"))
  }

  @Test func theChangelogTellsOfIt() throws {
    let headings = try Package.text("CHANGELOG.md").split(separator: "\n")
      .filter { $0.hasPrefix("## ") }
    #expect(headings.first { $0 != "## [Unreleased]" } == "## [\(version)] - \(day)")
  }
}
