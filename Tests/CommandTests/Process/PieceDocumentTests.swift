// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Every line of `docs/pieces.md` works as printed.
@Suite struct PieceDocumentTests {
  private let directory = TemporaryDirectory()

  @Test func everyLine() throws {
    try makeMaterial()
    let text = try String(
      contentsOf: Package.folder.appending(path: "docs/pieces.md"), encoding: .utf8)
    let lines = text.split(separator: "\n").filter { $0.hasPrefix("    rawaudio ") }
    #expect(lines.count >= 11)
    for line in lines {
      // Some lines write one table.
      let run = try directory.pipeline(
        String(line.dropFirst(4)) + " --force")
      #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
    }
    for name in ["cut/001-dog.wav", "out/u1.flac", "book/01-long.wav", "second.wav", "dawn.wav"] {
      #expect(FileManager.default.fileExists(atPath: directory.file(name).path), "\(name)")
    }
  }

  private func makeMaterial() throws {
    var noise = Noise(31)
    for name in ["long.wav", "day1.wav", "day2.wav", "show.wav", "wav/a.wav"] {
      var samples: [Int16] = []
      for _ in 0..<6 {
        samples += noise.samples(80_000, peak: 9_000) + [Int16](repeating: 0, count: 20_000)
      }
      try FileManager.default.createDirectory(
        at: directory.file("wav"), withIntermediateDirectories: true)
      try directory.write(WaveBytes.file(samples, sampleRate: 8_000), name)
    }
    try directory.write(Array("1.5\t3.25\tdog\n".utf8), "labels.txt")
    try directory.write(Array("u1 a 0.5 2.5\n".utf8), "segments")
    try directory.write(Array("0:00 Intro\n0:20 News\n".utf8), "description.txt")
    let disc = "FILE disc.flac WAVE\nTRACK 01 AUDIO\n TITLE One\n INDEX 01 00:00:00\n"
    try directory.write(Array(disc.utf8), "disc.cue")
    for line in [
      "rawaudio convert long.wav -o disc.flac", "mkdir cut out book",
      "rawaudio concat long.wav day1.wav --marks -q -o book.m4b",
      "rawaudio convert silence: -d 1:00:00 -r 1000 -f u8 -o site_20260502_040000.wav",
      "rawaudio convert silence: -d 1:30:00 -r 1000 -f u8 -o site_20260502_050000.wav",
    ] {
      #expect(try directory.pipeline(line).ending == .exit(0), "\(line)")
    }
  }
}
