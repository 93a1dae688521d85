// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestProcess
import Testing

@testable import rawaudio

/// The help topic and the document made from the declarations of observer kinds.
@Suite struct ObserverKindTests {
  @Test func wordsAreUnique() {
    let words = ObserverKinds.all.map { $0.form.word }
    #expect(Set(words).count == words.count)
    let common = Set(ObserverRequest.keys.map(\.form.name))
    for kind in ObserverKinds.all {
      #expect(common.isDisjoint(with: kind.keyForms.map(\.name)))
    }
  }

  /// The table of docs/observers.md lists every kind with its words.
  @Test func theDocumentListsEveryKind() throws {
    let rows = try Package.text("docs/observers.md").split(separator: "\n")
      .drop { $0 != "| kind | does | default mode |" }.dropFirst(2).prefix { $0.hasPrefix("|") }
    let kinds = ObserverKinds.all.map { $0.form }
    let expected = (kinds.filter { $0.mode == .readWrite } + kinds.filter { $0.mode != .readWrite })
      .map { "| `\($0.usage)` | \($0.help) | `\($0.mode.rawValue)` |" }
    #expect(rows.map(String.init) == expected, "its rows are:\n\(expected.joined(separator: "\n"))")
  }

  @Test func theTopicListsEveryKindAndKey() throws {
    let entries = HelpTopic.observers.sections().flatMap(\.entries)
    for kind in ObserverKinds.all.map({ $0 }) {
      #expect(entries.contains { $0.term == kind.form.usage && $0.text == kind.form.help })
      for key in kind.keyForms {
        let entry = try #require(entries.first { $0.term == key.name })
        #expect(entry.text.hasSuffix(key.help) && entry.text.contains(kind.form.word))
      }
    }
    for key in ObserverRequest.keys.map(\.form) {
      #expect(entries.contains { $0.term == key.name && $0.text == key.help })
    }
  }
}
