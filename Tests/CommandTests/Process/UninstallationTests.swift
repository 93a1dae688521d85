// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// `make uninstall` uses its own list of names, in any folder, and runs no program.
@Suite struct UninstallationTests {
  private let directory = TemporaryDirectory()

  private func make(_ words: String, variables: [String: String]) throws -> ProcessRun {
    try runPipeline(
      "umask 022; unset MAKEFLAGS MAKELEVEL PREFIX prefix; make -s -C '\(Package.folder.path)' \(words)",
      environment: variables)
  }

  private var files: [String] {
    get throws {
      try directory.pipeline("find . -type f -printf '%P\\n' | sort")
        .outputText.split(separator: "\n").map(String.init)
    }
  }

  /// Otherwise root would remove every name that the installed program prints.
  @Test func theInstalledProgramIsNotAsked() throws {
    let others = [
      "etc/victim.1", "usr/share/man/man1/other.1", "usr/share/man/man1/rawaudio-other.1",
      "usr/share/man/man7/other.7",
    ]
    for name in others + ["usr/bin/rawaudio", "usr/share/man/man1/rawaudio.1"] {
      let file = directory.file(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try directory.write(
        Array("#!/bin/sh\ntouch '\(directory.file("run").path)'\n".utf8)
          + Array("echo '../../../../etc/victim.1' '*.1' '*.7' rawaudio.1\n".utf8), name)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
    }
    let run = try make(
      "uninstall prefix=/usr DESTDIR=\"$TREE\"", variables: ["TREE": directory.url.path])
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(try files == others)
  }

  /// The names in Scripts/make/install.mk equal those of the pages.
  @Test(arguments: ["/usr", "/opt/my apps", "/opt/it is a $HOME; & more, too"])
  func foldersMayHaveSpaces(_ prefix: String) throws {
    let tree = directory.file("a b")
    let share = directory.url.path + "/share"
    let shared = try runPipeline(
      "'\(Package.folder.path)/Scripts/share.sh' '\(BuiltProducts.rawaudio.path)' \"$SHARE\"",
      environment: ["SHARE": share])
    #expect(shared.ending == .exit(0), "\(shared.standardError)")
    // make needs a doubled dollar; the installed program must be one that strip accepts.
    let words = "DESTDIR=\"$TREE\" prefix=\"$WANTED\" program=/bin/true shared=\"$SHARE\""
    let variables = [
      "TREE": tree.path, "SHARE": share,
      "WANTED": prefix.replacingOccurrences(of: "$", with: "$$"),
    ]
    let installed = try make("install \(words)", variables: variables)
    #expect(installed.ending == .exit(0), "\(installed.standardError)")
    let root = tree.appendingPathComponent(prefix)
    let pages = try runPipeline(
      "find . -type f -printf '%f\\n'", in: root.appending(path: "share/man"))
    #expect(
      Set(pages.outputText.split(separator: "\n").map(String.init))
        == Set(RawAudio.program.manualPages.map(\.fileName)))
    let unit = try String(
      contentsOf: root.appending(path: "lib/systemd/system/rawaudio-record.service"),
      encoding: .utf8)
    let program = prefix.contains(" ") ? "\"\(prefix)/bin/rawaudio\"" : "\(prefix)/bin/rawaudio"
    #expect(unit.contains("\nExecStart=\(program) capture "))
    let removed = try make("uninstall \(words)", variables: variables)
    #expect(removed.ending == .exit(0), "\(removed.standardError)")
    let left = try runPipeline("find . -type f", in: tree)
    #expect(left.outputText == "")
  }
}
