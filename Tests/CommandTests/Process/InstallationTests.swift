// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// The files that `make install` installs and `make uninstall` removes.
@Suite(.needsReleaseBuild) struct InstallationTests {
  private static let pages = [
    "man1/rawaudio-capture.1", "man1/rawaudio-check-config.1", "man1/rawaudio-concat.1",
    "man1/rawaudio-convert.1",
    "man1/rawaudio-devices.1", "man1/rawaudio-info.1", "man1/rawaudio-measure.1",
    "man1/rawaudio-mix.1", "man1/rawaudio-play.1", "man1/rawaudio-plot.1",
    "man1/rawaudio-plugins.1",
    "man1/rawaudio-session.1", "man1/rawaudio.1", "man7/rawaudio-chapters.7",
    "man7/rawaudio-effects.7", "man7/rawaudio-encodings.7", "man7/rawaudio-formats.7",
    "man7/rawaudio-lists.7", "man7/rawaudio-loudness.7", "man7/rawaudio-observers.7",
    "man7/rawaudio-pieces.7", "man7/rawaudio-times.7", "man7/rawaudio-video.7",
  ]

  @Test func everyFileIsWhereDebianLooks() throws {
    let directory = TemporaryDirectory()
    try make("install prefix=/usr", into: directory)
    let expected =
      [
        "usr/bin/rawaudio 755",
        "usr/share/bash-completion/completions/rawaudio 644",
        "usr/share/doc/rawaudio/copyright 644",
        "usr/share/fish/vendor_completions.d/rawaudio.fish 644",
        "usr/share/zsh/vendor-completions/_rawaudio 644",
      ] + Self.pages.map { "usr/share/man/\($0) 644" }
      + (try names(in: "Examples")).map { name in
        name.hasSuffix(".service")
          ? "usr/lib/systemd/system/\(name) 644" : "usr/share/doc/rawaudio/examples/\(name) 644"
      }
      + (try names(in: "docs")).filter { !$0.hasPrefix("architecture") }
      .map { "usr/share/doc/rawaudio/\($0) 644" }
      + (try names(in: ".build/voice")).map { "usr/share/rawaudio/\($0) 644" }
    #expect(try files(of: directory) == expected.sorted())
    #expect(try directory.pipeline("find . -type d ! -perm 755").outputText == "")
    // The program runs without its symbols and is smaller.
    let program = directory.file("usr/bin/rawaudio")
    #expect(
      try runPipeline("'\(program.path)' --version").outputText == "\(RawAudio.program.version)\n")
    let symbols = try runPipeline("nm '\(program.path)' 2>&1 || true").outputText
    #expect(symbols.contains("no symbols"))
    let copyright = try directory.bytes("usr/share/doc/rawaudio/copyright")
    #expect(copyright == Array(try Data(contentsOf: Package.folder.appending(path: "LICENSE"))))
    for page in RawAudio.program.manualPages {
      let bytes = try directory.bytes("usr/share/man/man\(page.section)/\(page.fileName)")
      #expect(bytes == Array(page.text().utf8), "\(page.name)")
    }
  }

  /// The files named in help exist, and links between documents lead to installed files.
  @Test func documentsAreWhereHelpSays() throws {
    let directory = TemporaryDirectory()
    try make("install prefix=/usr", into: directory)
    #expect(SessionCommand.discussion.contains("/usr/share/doc/rawaudio/joining.md"))
    let documents = directory.file("usr/share/doc/rawaudio")
    let links = try runPipeline(
      "grep -ohE '\\]\\([^)]*\\)' *.md | sed -E 's/^..//; s/[)#].*//' | grep -vE '^$|^https?:' | sort -u",
      in: documents
    ).outputText.split(separator: "\n")
    #expect(links.contains("joining.md") && links.contains("examples"))
    for link in links {
      #expect(
        FileManager.default.fileExists(
          atPath: (link.hasPrefix("/") ? directory.url : documents).appending(path: "\(link)").path),
        "\(link)")
    }
  }

  /// The services are installed but not enabled, and run the installed program.
  @Test(arguments: [("/usr", "usr/lib"), ("/usr/local", "usr/local/lib")])
  func servicesAreThereAndNotEnabled(prefix: String, folder: String) throws {
    let directory = TemporaryDirectory()
    try make("install prefix=\(prefix)", into: directory)
    for name in ["rawaudio-record.service", "rawaudio-record@.service"] {
      let unit = String(
        decoding: try directory.bytes("\(folder)/systemd/system/\(name)"), as: UTF8.self)
      let original = try String(
        contentsOf: Package.folder.appending(path: "Examples/\(name)"), encoding: .utf8)
      func settings(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
      }
      #expect(unit.contains("\nExecStart=\(prefix)/bin/rawaudio capture "))
      #expect(unit.contains("\(prefix)/share/doc/rawaudio/unattended.md explains"))
      #expect(!unit.contains("sudo cp"))
      #expect(
        settings(unit)
          == settings(original).map {
            $0.replacingOccurrences(of: "/usr/local/bin/", with: "\(prefix)/bin/")
          })
    }
    #expect(try directory.pipeline("find . -type l").outputText == "")
  }

  /// As systemd reads them where they are installed.
  @Test func systemdFindsNoFaultInTheServices() throws {
    let directory = TemporaryDirectory()
    try make("install prefix=/usr", into: directory)
    let run = try directory.pipeline(
      """
      cd usr/lib/systemd/system && sed -i "s|=/usr/bin|=$OLDPWD/usr/bin|" rawaudio-record*.service &&
      cp rawaudio-record@.service rawaudio-record@Mic.service &&
      systemd-analyze verify --man=no ./rawaudio-record.service ./rawaudio-record@Mic.service
      """)
    #expect(run.ending == .exit(0))
    #expect(run.standardError == "")
  }

  /// One search for a string in a string links the whole engine: over 1 MB.
  @Test func swiftsRegularExpressionsAreNotLinked() throws {
    let symbols = try runPipeline(
      "nm .build/release/rawaudio | grep -c ' [tT] .*12_RegexParser' || true", in: Package.folder)
    #expect(symbols.outputText == "0\n")
  }

  /// One use of a task links both, and libdispatch inspects the machine at every start of the program.
  @Test func neitherTasksNorDispatchAreLinked() throws {
    let symbols = try runPipeline(
      "nm .build/release/rawaudio | grep -cE ' [tT] (_?dispatch_|libdispatch_|swift_task_)' || true",
      in: Package.folder)
    #expect(symbols.outputText == "0\n")
  }

  @Test func uninstallTakesAwayJustThat() throws {
    let directory = TemporaryDirectory()
    try make("install prefix=/usr", into: directory)
    for name in ["usr/share/man/man1/rawaudio-other.1", "usr/share/doc/rawaudio/notes"] {
      try directory.write([], name)
    }
    try make("uninstall prefix=/usr", into: directory)
    #expect(
      try files(of: directory) == [
        "usr/share/doc/rawaudio/notes 644", "usr/share/man/man1/rawaudio-other.1 644",
      ])
    // Nothing to remove is no error.
    try make("uninstall prefix=/usr", into: directory)
  }

  @Test(arguments: [
    ("", "usr/local/bin", "usr/local/share/man", "usr/local/share/zsh/site-functions"),
    ("PREFIX=/opt/a", "opt/a/bin", "opt/a/share/man", "opt/a/share/zsh/vendor-completions"),
    (
      "prefix=/opt/a exec_prefix=/opt/b datarootdir=/opt/c", "opt/b/bin", "opt/c/man",
      "opt/c/zsh/vendor-completions"
    ),
    ("bindir=/b mandir=/m", "b", "m", "usr/local/share/zsh/site-functions"),
  ])
  func foldersAreNamedAsByGNU(
    _ variables: String, _ programs: String, _ pages: String, _ zsh: String
  ) throws {
    let directory = TemporaryDirectory()
    try make("install \(variables)", into: directory)
    let files = try files(of: directory)
    #expect(files.contains("\(programs)/rawaudio 755"))
    #expect(files.contains("\(pages)/man7/rawaudio-times.7 644"))
    #expect(files.contains("\(zsh)/_rawaudio 644"))
    try make("uninstall \(variables)", into: directory)
    #expect(try self.files(of: directory) == [])
  }

  // MARK: -

  private func make(_ words: String, into directory: TemporaryDirectory) throws {
    let run = try runPipeline(
      "umask 022; unset MAKEFLAGS MAKELEVEL PREFIX prefix;"
        + " make -s -C '\(Package.folder.path)' \(words) DESTDIR='\(directory.url.path)'")
    #expect(run.ending == .exit(0), "\(run.standardError)")
  }

  /// Returns the files, each with its mode.
  private func files(of directory: TemporaryDirectory) throws -> [String] {
    try directory.pipeline("find . -type f -printf '%P %m\\n'")
      .outputText.split(separator: "\n").map(String.init).sorted()
  }

  /// Returns the names of the files below a folder, which may be missing.
  private func names(in folder: String) throws -> [String] {
    try runPipeline(
      "cd '\(folder)' 2>/dev/null || exit 0; find . -name __pycache__ -prune -o -type f -printf '%P\\n'",
      in: Package.folder
    )
    .outputText.split(separator: "\n").map(String.init)
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests if 'make' did not build the installed files.
  static var needsReleaseBuild: Self {
    .enabled(
      if: [".build/release/rawaudio", ".build/share"].allSatisfy {
        FileManager.default.fileExists(atPath: Package.folder.appending(path: $0).path)
      }, "there is no release build; run 'make'")
  }
}
