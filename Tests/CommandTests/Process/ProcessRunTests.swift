// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// The test helpers that run processes.
@Suite struct ProcessRunTests {
  @Test func bothPipesAreDrainedWhileInputIsFed() throws {
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    let run = try runPipeline(
      "head -c 300000 /dev/zero | tr '\\0' x >&2 & cat; wait", input: .bytes(bytes))
    // If they differed, Swift Testing would look for the shortest edit between them, for hours.
    let isWhole = run.standardOutput == bytes
    #expect(isWhole)
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

  /// The tests themselves may ignore signals, as in the background of a script or under nohup.
  @Test func noSignalIsIgnoredOrBlockedAtTheStart() throws {
    signal(SIGUSR2, SIG_IGN)
    defer { signal(SIGUSR2, SIG_DFL) }
    let run = try RunningProcess(
      URL(fileURLWithPath: "/bin/grep"), ["-E", "^Sig(Blk|Ign)", "/proc/self/status"]
    ).wait()
    let masks = run.outputText.split(separator: "\n").map { UInt64($0.dropFirst(8), radix: 16) }
    // posix_spawn(3) of glibc ignores its own signals, 32 and 33.
    #expect(masks.map { $0.map { $0 & ~(3 << 31) } } == [0, 0])
  }
}
