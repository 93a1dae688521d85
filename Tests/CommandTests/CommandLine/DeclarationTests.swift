// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// The rules for the declarations of every command.
@Suite struct DeclarationTests {
  @Test func namesAreUnique() {
    for command in RawAudio.program.commands {
      let names = command.declarations.map(\.name)
      #expect(Set(names).count == names.count, "\(command.name)")
      let letters = command.declarations.compactMap(\.short)
      #expect(Set(letters).count == letters.count, "\(command.name)")
    }
  }

  @Test func everythingIsExplained() {
    for command in RawAudio.program.commands {
      for declaration in command.declarations {
        #expect(declaration.help.hasSuffix("."), "\(command.name) \(declaration.name)")
      }
    }
  }

  @Test(arguments: [40, 80, 120])
  func pagesFitTheWidth(_ width: Int) {
    for command in RawAudio.program.commands {
      let page = HelpPage(of: command).text(width: width)
      // Examples are printed unchanged, and words are never broken.
      let lines = page.split(separator: "\n").prefix { $0 != "EXAMPLES:" }
      for line in lines where line.split(separator: " ").count > 1 {
        #expect(line.count <= max(width, 52), "\(command.name): \(line)")
      }
      #expect(!page.contains("\n\n\n"))
    }
  }

  @Test func examplesFitATerminalAndParse() throws {
    let pages = RawAudio.program.commands.map { $0.examples }
    for example in pages.joined() {
      let lines = example.commandLine.split(separator: "\n")
      #expect(lines.allSatisfy { $0.count <= 77 }, "\(example.commandLine)")
      var found = false
      for part in example.commandLine.split(separator: "|") {
        let words = part.split(whereSeparator: { " \\\n".contains($0) }).map(String.init)
        guard words.first == "rawaudio" else { continue }
        found = true
        _ = try RawAudio.program.parse(
          Array(words.dropFirst()), in: .pipe,
          pageWidth: 80)
      }
      #expect(found, "\(example.commandLine)")
    }
    #expect(pages.allSatisfy { (2...3).contains($0.count) })
  }
}
