// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import AudioPrograms

/// Every line of docs/joining.md and docs/coming-from-sdks.md is accepted or refused as the document states.
@Suite struct DocumentedLinesTests {
  private static func document(_ name: String) -> String {
    (try? Package.text("docs/\(name).md")) ?? ""
  }

  /// Returns the lines that the client writes and reads, in order.
  private static func lines(of document: String) -> [(Character, String)] {
    document.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("> ") || line.hasPrefix("< ") else { return nil }
      return (line.first ?? " ", String(line.dropFirst(2)))
    }
  }

  /// Returns the lines in tables.
  private static func tableLines(of document: String) -> [String] {
    document.split(separator: "\n").filter { $0.hasPrefix("|") }.flatMap { row in
      row.split(separator: "`").filter { $0.hasPrefix("{") }.map(String.init)
    }
  }

  /// The command's limits.
  private static let allowance = SampleAllowance(
    most: SessionListener.Options().samplesPerSecond,
    advice: "ask for less, or raise the limit of the session with '--client-limit <count>'")

  @Test(arguments: [("joining", 15), ("coming-from-sdks", 3)])
  func whatClientsWrite(_ name: String, _ least: Int) throws {
    let lines = Self.lines(of: Self.document(name))
    #expect(lines.count > least)
    for (place, (mark, line)) in lines.enumerated() where mark == ">" {
      let reply = try #require(lines.indices.contains(place + 1) ? lines[place + 1].1 : nil)
      var refusal: AudioError?
      do {
        if case .join(let request) = try FirstLine(line.utf8) {
          _ = try Self.allowance.share(request.format, to: "join", request.key.description)
        }
      } catch {
        refusal = error
        // A command instead of a first line.
        if (try? ControlCommand(line.utf8)) != nil { continue }
      }
      if let refusal {
        #expect(reply + "\n" == String(decoding: ReplyLine.refused(refusal), as: UTF8.self))
      } else {
        #expect(reply.hasPrefix(#"{"schema":1,"ok":true"#), "\(line)")
      }
    }
  }

  /// Each line in a table is a first line of a client or a command.
  @Test(arguments: [("joining", 5), ("coming-from-sdks", 10)])
  func whatTablesSay(_ name: String, _ least: Int) {
    let lines = Self.tableLines(of: Self.document(name))
    #expect(lines.count > least)
    for line in lines {
      let isUnderstood =
        (try? FirstLine(line.utf8)) != nil || (try? ControlCommand(line.utf8)) != nil
      #expect(isUnderstood, "\(line)")
    }
  }

  @Test(arguments: ["joining", "coming-from-sdks"]) func whatClientsRead(_ name: String) throws {
    for (mark, line) in Self.lines(of: Self.document(name)) where mark == "<" {
      // The compact form: no spaces, no duplicates.
      #expect(try JSONValue(reading: line.utf8).compact == line)
      #expect(line.hasPrefix(#"{"schema":1,"#))
    }
  }

  @Test func keys() {
    let tables = Self.document("joining").split(separator: "\n").filter { $0.hasPrefix("| `") }
    let named = Set(
      tables.flatMap { line in
        line.split(separator: "|", omittingEmptySubsequences: true)[0]
          .split(separator: "`").filter { $0.allSatisfy(\.isLetter) }.map(String.init)
      })
    #expect(named.isSuperset(of: JoinRequest.keys + ObserveRequest.keys))
  }
}
