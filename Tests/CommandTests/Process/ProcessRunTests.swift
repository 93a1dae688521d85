// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// The test helpers that run processes.
@Suite struct ProcessRunTests {
  @Test func bothPipesAreDrainedWhileInputIsFed() throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let run = try runPipeline(
      "tee >(head -c 300000 /dev/zero | tr '\\0' x >&2)", input: .bytes(bytes))
    #expect(run.standardOutput == bytes)
    #expect(run.standardError == String(repeating: "x", count: 300_000))
  }

  @Test func endings() throws {
    #expect(try runPipeline("exit 7").ending == .exit(7))
    #expect(try runPipeline("kill -TERM $$").ending == .signal(SIGTERM))
    #expect(try runPipeline("false | true").ending == .exit(1))
  }

  @Test func directoriesFilesAndSignals() throws {
    let directory = TemporaryDirectory()
    try Data("text".utf8).write(to: directory.file("a.txt"))
    let run = try directory.pipeline("pwd; cat", input: .file(directory.file("a.txt")))
    #expect(run.outputText == directory.url.path + "\ntext")
    let waiting = try RunningProcess(URL(fileURLWithPath: "/bin/sleep"), ["1000"])
    waiting.send(signal: SIGINT)
    #expect(waiting.wait().ending == .signal(SIGINT))
  }
}
