// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AudioStreams

@Suite struct LogFileTests {
  private let directory = ScratchDirectory()
  private let kind = LogKind(head: Array("a,b\n".utf8), beginning: Array("a,b\n".utf8))

  private func append(_ lines: String, to name: String = "log") throws {
    try LogFile(path: directory.file(name), kind).append(Array(lines.utf8))
  }

  private func text(_ name: String = "log") throws -> String {
    String(decoding: try contents(directory.file(name)), as: UTF8.self)
  }

  private func put(_ text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: directory.file("log")))
  }

  @Test func runsExtendItBelowOneHead() throws {
    try append("1,2\n")
    try append("3,4\n5,6\n")
    #expect(try text() == "a,b\n1,2\n3,4\n5,6\n")
  }

  @Test func nothingIsMadeBeforeTheFirstLine() throws {
    _ = try LogFile(path: directory.file("log"), kind)
    #expect(!FileManager.default.fileExists(atPath: directory.file("log")))
    #expect(throws: AudioError.self) { try LogFile(path: directory.file("none/log"), kind) }
  }

  @Test func aCutLineIsEndedFirst() throws {
    try put("a,b\n1,")
    try append("3,4\n")
    #expect(try text() == "a,b\n1,\n3,4\n")
  }

  @Test(arguments: ["", "a,b\n", "a"])
  func anEmptyOrBegunFileIsALog(_ old: String) throws {
    try put(old)
    try append("1,2\n")
    #expect(try text() == (old == "a" ? "a\n1,2\n" : "a,b\n1,2\n"))
  }

  @Test(arguments: ["RIFF\u{10}\0\0\0WAVE", "a;b\n1;2\n", "\n"])
  func aFileOfAnotherKindIsRefused(_ old: String) throws {
    try put(old)
    let error = #expect(throws: AudioError.self) { try append("1,2\n") }
    #expect(error?.kind == .alreadyExists)
    #expect(try text() == old)
  }

  /// Each has the file open by itself, as two programs have.
  @Test func linesOfSeveralWritersNeverMix() throws {
    let path = directory.file("log")
    let line = String(repeating: "x", count: 700)
    let threads = (0..<4).map { writer in
      OtherThread.run { [kind] in
        guard let log = try? LogFile(path: path, kind) else { return }
        for number in 0..<500 { try? log.append(Array("\(writer),\(number) \(line)\n".utf8)) }
      }
    }
    threads.forEach { $0.wait() }
    let lines = try text().split(separator: "\n")
    #expect(lines.count == 2_001)
    #expect(lines.first == "a,b")
    for writer in 0..<4 {
      let own = lines.filter { $0.hasPrefix("\(writer),") }
      #expect(own == (0..<500).map { Substring("\(writer),\($0) \(line)") })
    }
  }

  @Test func itsNameMayChange() throws {
    let name = Name()
    let paths = ["one": directory.file("one"), "two": directory.file("two")]
    let log = try LogSeries(kind, isNameGenerated: true) { () throws(AudioError) in
      paths[name.text.withLock { $0 }] ?? ""
    }
    try log.append(Array("1,2\n".utf8))
    name.text.withLock { $0 = "two" }
    try log.append(Array("3,4\n".utf8))
    name.text.withLock { $0 = "one" }
    try log.append(Array("5,6\n".utf8))
    #expect(try text("one") == "a,b\n1,2\n5,6\n")
    #expect(try text("two") == "a,b\n3,4\n")
  }

  private final class Name: Sendable {
    let text = Mutex("one")
  }
}
