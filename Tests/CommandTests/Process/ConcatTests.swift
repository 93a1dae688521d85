// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio concat` on files with a known result.
@Suite struct ConcatTests {
  private let directory = TemporaryDirectory()

  private func samples(_ line: String) throws -> [Int16] {
    let run = try directory.pipeline("rawaudio concat \(line) -t raw")
    #expect(run.standardError == "", "\(line)")
    #expect(run.ending == .exit(0), "\(line)")
    return WaveBytes.int16s(run.standardOutput)
  }

  @Test func joinsWithoutAGap() throws {
    var noise = Noise(1)
    let parts = [5_001, 1, 77_777].map { noise.samples(2 * $0, peak: 32_767) }
    for (index, part) in parts.enumerated() {
      try directory.write(WaveBytes.file(part, channelCount: 2), "\(index).wav")
    }
    let whole = parts.flatMap { $0 }
    #expect(try samples("0.wav 1.wav 2.wav") == whole)
    #expect(try samples("0.wav - 2.wav <1.wav") == whole)
    try directory.mustRun(
      "rawaudio convert 1.wav -o 1.flac && rawaudio concat 0.wav 1.flac 2.wav -o all.wav")
    #expect(try WaveBytes.samples(directory.bytes("all.wav")) == whole)
  }

  @Test func gapsCrossfadesAndParts() throws {
    try directory.write(WaveBytes.file(Array(repeating: 1_000, count: 6)), "a.wav")
    try directory.write(WaveBytes.file(Array(repeating: 2_000, count: 4)), "b.wav")
    #expect(
      try samples("a.wav b.wav --gap 2S --end 2S") == [1_000, 1_000, 0, 0, 2_000, 2_000])
    #expect(try samples("a.wav b.wav --start 5S --start -1S") == [1_000, 2_000])
    #expect(
      try samples("a.wav b.wav --crossfade 4S --fade-curve linear")
        == [1_000, 1_000, 1_000, 1_250, 1_500, 1_750])
    // √½ of both in the middle of an equal-power crossfade.
    #expect(try samples("a.wav b.wav --crossfade 2S")[5] == 2_121)
    #expect(
      try samples("a.wav b.wav --fade-in 2S --fade-out 2S")
        == [0, 500, 1_000, 1_000, 1_000, 1_000, 2_000, 2_000, 2_000, 1_000])
    #expect(try samples("a.wav silence: --start 4S --start 0 --end 6S --end 3S").count == 5)
  }

  @Test func sourcesOfDifferentFormats() throws {
    let make = """
      rawaudio convert tone:1000 -r 8000 -d 0.5 -f u8 -o a.wav
      rawaudio convert tone:1000 -r 44100 -c 2 -d 1.25 -f s24 -o b.flac
      """
    #expect(try directory.pipeline("set -e; \(make)").ending == .exit(0))
    #expect(try samples("a.wav b.flac -f s16").count == 2 * (22_050 + 55_125))
    #expect(try samples("a.wav b.flac -f s16 -r 16000 -c 1").count == 8_000 + 20_000)
  }

  @Test func mistakes() throws {
    try directory.write(WaveBytes.file([1, 2, 3]), "a.wav")
    for (options, message) in [
      (
        "a.wav a.wav --gap 1 --crossfade 1",
        "Sources either have a gap between them or lie over each other"
      ),
      ("tone:440 a.wav", "Source 1 never ends; say where with '--end'"),
      ("- -", "Standard input can be read by one source only"),
    ] {
      let run = try directory.pipeline("rawaudio concat \(options) -o b.wav")
      #expect(run.ending == .exit(64), "\(options)")
      #expect(run.standardError.hasPrefix("Error: \(message)\n"), "\(run.standardError)")
    }
    let short = try directory.pipeline("rawaudio concat a.wav a.wav --crossfade 1 -o b.wav")
    short.expectExit(
      1,
      "cannot crossfade source '1': it is shorter than the crossfades with its neighbours; "
        + "make the crossfade shorter")
    #expect(!FileManager.default.fileExists(atPath: directory.url.appending(path: "b.wav").path))
  }
}
