// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

@Suite struct InvocationTests {
  private func parse(_ words: [String]) throws -> Invocation {
    try RawAudio.program.parse(words, in: .pipe, pageWidth: 80)
  }

  private func text(_ words: [String]) throws -> String? {
    guard case .show(let text) = try parse(words) else { return nil }
    return text
  }

  @Test(arguments: [
    ["help"], ["--help"], ["-h", "--help"], ["help", "help"], ["--help", "--version"],
  ])
  func rootPage(_ words: [String]) throws {
    #expect(try text(words) == RawAudio.program.page(width: 80))
  }

  @Test(arguments: [[], ["-h"]])
  func rootScreen(_ words: [String]) throws {
    #expect(try text(words) == RawAudio.program.screen(width: 80))
  }

  @Test(arguments: [
    ["mix", "-h"], ["mix", "--bogus", "-h"], ["mix", "-qh"], ["mix", "a.wav", "-h"],
  ])
  func screenOfACommand(_ words: [String]) throws {
    let topics = RawAudio.program.topics.map(\.name)
    #expect(
      try text(words) == HelpPage(of: MixCommand.self).screen(of: "mix", topics: topics, width: 80))
  }

  @Test(arguments: [
    ["help", "mix"], ["mix", "--help"], ["mix", "--bogus", "--help"], ["mix", "-h", "--help"],
  ])
  func pageOfACommand(_ words: [String]) throws {
    #expect(try text(words) == HelpPage(of: MixCommand.self).text(width: 80))
  }

  @Test func aFileCanBeNamedLikeAnOption() throws {
    #expect(try text(["mix", "--", "-h"]) == nil)
  }

  @Test func verbosity() throws {
    for (words, expected) in [
      (["devices"], Verbosity.normal), (["devices", "-q"], .quiet), (["devices", "-v"], .verbose),
      (["devices", "-qv"], .verbose), (["devices", "-v", "--quiet"], .quiet),
    ] {
      guard case .run(_, let verbosity) = try parse(words)
      else {
        Issue.record("\(words) runs nothing")
        continue
      }
      #expect(verbosity == expected)
    }
  }

  @Test func commandsAreFoundByName() throws {
    guard case .run(let command, _) = try parse(["info", "a.wav"]) else {
      Issue.record("info runs nothing")
      return
    }
    #expect((command as? InfoCommand)?.list.origin == .arguments(["a.wav"]))
  }
}
