// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@Suite struct BackgroundLinesTests {
  @Test func everyLineReachesTheFileInOrder() throws {
    let directory = ScratchDirectory()
    let path = directory.file("lines")
    let lines = try BackgroundLines(path: path, on: try BackgroundWriter(), overflow: .wait)
    // More than the ring holds: 40,000 lines of at least 14 bytes.
    let expected = (0..<40_000).map { "line number \($0)" }
    for line in expected { #expect(try lines.write(line: line) == .accepted) }
    try lines.close(.finished)
    try lines.close(.finished)
    #expect(try contents(path) == Array((expected.joined(separator: "\n") + "\n").utf8))
    #expect(throws: AudioError.self) { try lines.write(line: "late") }
  }

  @Test func dropsWholeLinesWhereNobodyReads() throws {
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    let lines = try BackgroundLines(
      descriptor: ends[1], name: "pipe", on: try BackgroundWriter(), overflow: .drop)
    let text = String(repeating: "x", count: 1_000)
    for number in 0..<1_000 { _ = try lines.write(line: "\(number) \(text)") }
    // A pipe holds 64 KiB and the ring 256 KiB.
    #expect(lines.droppedLines > 500)
    let received = Received()
    let reader = OtherThread.run { [end = ends[0]] in received.readAll(end) }
    try lines.close(.finished)
    close(ends[1])
    reader.wait()
    close(ends[0])
    let read = String(decoding: received.bytes, as: UTF8.self).split(separator: "\n")
    let numbers = read.compactMap { $0.hasSuffix(" " + text) ? Int($0.dropLast(1_001)) : nil }
    #expect(numbers.count == read.count)
    #expect(numbers == numbers.sorted())
    #expect(numbers.count + lines.droppedLines == 1_000)
  }

  @Test func aFullDiskIsTold() throws {
    let lines = try BackgroundLines(
      path: "/dev/full", on: try BackgroundWriter(), overflow: .wait)
    _ = try? lines.write(line: "anything")
    let error = #expect(throws: AudioError.self) { try lines.close(.finished) }
    #expect(error?.kind == .inputOutput)
    #expect(error?.subject == "/dev/full")
  }

  private final class Received: @unchecked Sendable {
    var bytes: [UInt8] = []

    func readAll(_ end: Int32) {
      var block = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = unsafe read(end, &block, block.count)
        if count <= 0 { return }
        bytes += block[..<count]
      }
    }
  }
}
