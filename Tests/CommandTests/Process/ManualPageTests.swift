// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// The man pages, rendered by mandoc.
@Suite struct ManualPageTests {
  private let pages = RawAudio.program.manualPages

  @Test func thereIsOneOfEverySubcommandAndTopic() throws {
    let run = try runCommand("--generate-manual")
    #expect(
      run.outputText.split(separator: "\n") == [
        "rawaudio.1", "rawaudio-capture.1", "rawaudio-play.1", "rawaudio-mix.1",
        "rawaudio-concat.1", "rawaudio-convert.1", "rawaudio-session.1", "rawaudio-measure.1",
        "rawaudio-plot.1", "rawaudio-devices.1", "rawaudio-info.1",
        "rawaudio-plugins.1", "rawaudio-check-config.1", "rawaudio-loudness.7",
        "rawaudio-video.7", "rawaudio-chapters.7", "rawaudio-effects.7", "rawaudio-lists.7",
        "rawaudio-formats.7", "rawaudio-encodings.7", "rawaudio-observers.7",
        "rawaudio-pieces.7", "rawaudio-times.7",
      ])
    #expect(run.ending == .exit(0))
    for page in pages {
      #expect(try runCommand("--generate-manual=\(page.fileName)").outputText == page.text())
    }
    try runCommand("--generate-manual=rawaudio-mix.7")
      .expectUsageError("There is no man page 'rawaudio-mix.7'", of: nil)
  }

  @Test func mandocFindsNothingWrong() throws {
    let directory = TemporaryDirectory()
    for page in pages { try directory.write(Array(page.text().utf8), page.fileName) }
    let run = try directory.pipeline("mandoc -T lint -W warning *")
    #expect(run.outputText + run.standardError == "")
    #expect(run.ending == .exit(0))
    // The lint finds a planted mistake.
    try directory.write(Array((pages[0].text() + ".SH\n.PP\n").utf8), "rawaudio.1")
    #expect(try directory.pipeline("mandoc -T lint -W warning *").ending != .exit(0))
  }

  /// Compares words: a man page breaks its lines elsewhere.
  @Test func everythingOnAHelpPageIsOnItsManPage() throws {
    let program = RawAudio.program
    for command in program.commands {
      let words = try rendered("rawaudio-\(command.name).1")
      #expect(words.contains(plain(command.abstract)))
      #expect(words.contains(plain(command.discussion)))
      for declaration in command.declarations {
        let label = declaration.listing.filter { $0 != "<" && $0 != ">" }
        let standard = declaration.defaultText.map { " (default: \($0))" } ?? ""
        #expect(words.contains(plain("\(label) \(declaration.help)\(standard)")))
      }
      for example in command.examples {
        #expect(words.contains(plain("\(example.purpose) \(example.commandLine)")))
      }
    }
    for topic in program.topics {
      let words = try rendered("rawaudio-\(topic.name).7")
      #expect(words.contains(plain(topic.discussion)))
      for section in topic.sections() {
        #expect(words.contains(plain("\(section.heading) \(section.text)")))
        for entry in section.entries {
          #expect(words.contains(plain("\(entry.term) \(entry.text)")))
        }
        for option in section.options { #expect(words.contains(plain(option.help))) }
      }
    }
    let words = try rendered("rawaudio.1")
    for command in program.commands {
      #expect(words.contains(plain("\(command.name) \(command.abstract)")))
    }
  }

  /// The index of the program's page has every option, with each of its subcommands.
  @Test func theIndexHasEveryOption() throws {
    let words = try rendered("rawaudio.1")
    for command in RawAudio.program.commands {
      for option in command.declarations where !option.isArgument {
        let owners = RawAudio.program.commands.filter { other in
          other.declarations.contains { !$0.isArgument && $0.name == option.name }
        }.map { $0.name }
        let told =
          owners.count == RawAudio.program.commands.count
          ? "every subcommand" : owners.joined(separator: ", ")
        let label = (option.short.map { "-\($0), " } ?? "") + "--\(option.name)"
        #expect(words.contains("\(label): \(told)"), "\(label): \(told)")
      }
    }
  }

  @Test func sectionsStandWhereUsersLookForThem() throws {
    for page in pages {
      let headings = page.text().split(separator: "\n").filter { $0.hasPrefix(".SH ") }
        .map { $0.dropFirst(5).dropLast() }
      #expect(
        headings.prefix(2) == (page.section == 1 ? ["NAME", "SYNOPSIS"] : ["NAME", "DESCRIPTION"]))
      #expect(headings.suffix(2) == ["EXAMPLES", "SEE ALSO"])
      guard page.section == 1 else { continue }
      #expect(headings.suffix(4).prefix(2) == ["EXIT STATUS", "ENVIRONMENT"])
      #expect(headings.contains("OPTIONS"))
    }
  }

  /// Every environment variable read in the sources is on the program's page.
  @Test func everyVariableThatIsReadIsTold() throws {
    let reading = try Regex(
      #"(?:getenv|environmentVariable)\(\s*"([A-Z_]+)""#, as: (Substring, Substring).self)
    var names: Set<String> = []
    let files = FileManager.default.enumerator(
      at: Package.folder.appending(path: "Sources"), includingPropertiesForKeys: nil)
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      for match in text.matches(of: reading) { names.insert(String(match.output.1)) }
    }
    #expect(names.isSuperset(of: ["COLUMNS", "NO_COLOR", "TMPDIR"]))
    let told = Set(
      EnvironmentVariable.all.flatMap { $0.name.components(separatedBy: ", ") })
    #expect(names.subtracting(told) == [])
  }

  private func rendered(_ name: String) throws -> String {
    let page = try #require(pages.first { $0.fileName == name })
    let run = try RunningProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", "mandoc -T utf8 -O width=80 | LC_ALL=C.UTF-8 col -b"],
      input: .bytes(Array(page.text().utf8))
    ).wait()
    return plain(run.outputText)
  }

  private func plain(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
