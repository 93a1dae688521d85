// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Every line of `docs/channels.md` works as printed.
@Suite struct ChannelDocumentTests {
  private let directory = TemporaryDirectory()

  private func data(_ name: String) throws -> [UInt8] {
    try directory.pipeline("rawaudio convert \(name) -t raw -f s16 -o -").standardOutput
  }

  @Test func everyLine() throws {
    var noise = Noise(41)
    try directory.write(
      WaveBytes.file(noise.samples(2_000, peak: 9_000).map { $0 & ~1 }, channelCount: 2),
      "stereo.wav")
    let text = try String(
      contentsOf: Package.folder.appending(path: "docs/channels.md"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("    rawaudio ") }
    #expect(lines.count == 5)
    for line in lines {
      let run = try directory.pipeline(String(line.dropFirst(4)))
      #expect(run.ending == .exit(0) && run.standardError == "", "\(line): \(run.standardError)")
    }
    // There and back.
    #expect(try data("left-right.wav") == data("stereo.wav"))
    #expect(try data("poly.wav") == data("stereo.wav"))
  }
}
