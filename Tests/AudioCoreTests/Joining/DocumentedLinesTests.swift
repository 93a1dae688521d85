// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioCore

/// Every line of docs/joining.md is understood, or refused, as the document says.
@Suite struct DocumentedLinesTests {
  private static let document: String = {
    let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../../docs/joining.md").standardizedFileURL
    return (try? String(contentsOf: path, encoding: .utf8)) ?? ""
  }()

  /// What the client writes and what it reads next, in order.
  private static let lines = document.split(separator: "\n").compactMap {
    line -> (Character, String)? in
    guard line.hasPrefix("> ") || line.hasPrefix("< ") else { return nil }
    return (line.first ?? " ", String(line.dropFirst(2)))
  }

  /// What the command grants.
  private static let allowance = SampleAllowance(
    most: SessionListener.Options().samplesPerSecond,
    advice: "ask for less, or raise the limit of the session with '--client-limit <count>'")

  @Test func whatClientsWrite() throws {
    #expect(Self.lines.count > 15)
    for (place, (mark, line)) in Self.lines.enumerated() where mark == ">" {
      let reply = try #require(
        Self.lines.indices.contains(place + 1) ? Self.lines[place + 1].1 : nil)
      var refusal: AudioError?
      do {
        if case .join(let request) = try FirstLine(line.utf8) {
          _ = try Self.allowance.share(request.format, to: "join", request.key.description)
        }
      } catch {
        refusal = error
        // No first line, but a command.
        if (try? ControlCommand(line.utf8)) != nil { continue }
      }
      if let refusal {
        #expect(reply + "\n" == String(decoding: ReplyLine.refused(refusal), as: UTF8.self))
      } else {
        #expect(reply.hasPrefix(#"{"schema":1,"ok":true"#), "\(line)")
      }
    }
  }

  @Test func whatClientsRead() throws {
    for (mark, line) in Self.lines where mark == "<" {
      // As it is written again: no space, nothing twice.
      #expect(try JSONValue(reading: line.utf8).compact == line)
      #expect(line.hasPrefix(#"{"schema":1,"#))
    }
  }

  /// The tables name every key, and no other.
  @Test func keys() {
    let tables = Self.document.split(separator: "\n").filter { $0.hasPrefix("| `") }
    let named = Set(
      tables.flatMap { line in
        line.split(separator: "|", omittingEmptySubsequences: true)[0]
          .split(separator: "`").filter { $0.allSatisfy(\.isLetter) }.map(String.init)
      })
    #expect(named.isSuperset(of: JoinRequest.keys + ObserveRequest.keys))
  }
}
