// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite struct CodecChatterTests {
  @Test func aDamagedFileIsReadWithoutTheCodecsOwnWords() throws {
    let directory = TemporaryDirectory()
    let made = try directory.run("convert", "tone:440", "-d", "2", "-r", "44100", "-o", "whole.mp3")
    #expect(made.standardError == "")
    var bytes = try directory.bytes("whole.mp3")
    bytes.replaceSubrange(2_000..<2_300, with: (0..<300).map { UInt8(truncatingIfNeeded: $0 * 37) })
    try directory.write(Array(bytes.prefix(5_000)), "damaged.mp3")
    let run = try directory.run("convert", "damaged.mp3", "-o", "out.wav")
    let lines = run.standardError.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("rawaudio: 'damaged.mp3' is truncated: it holds ") })
    #expect(lines.allSatisfy { $0.hasPrefix("rawaudio: ") })
    #expect(run.ending == .exit(0))
  }
}
