// SPDX-License-Identifier: Apache-2.0
import Testing

/// `convert --reverse`: every sample frame, in the other order.
@Suite struct ReverseTests {
  private let directory = TemporaryDirectory()

  private func write(_ width: Int, _ frames: Int) throws -> [Int16] {
    var noise = Noise(UInt64(width))
    let samples = noise.samples(width * frames, peak: 30_000)
    try directory.write(WaveBytes.file(samples, channelCount: width), "a.wav")
    return samples
  }

  private func reversed(_ samples: [Int16], _ width: Int) -> [Int16] {
    stride(from: samples.count - width, through: 0, by: -width).flatMap { samples[$0..<$0 + width] }
  }

  @Test(arguments: [(1, 1), (1, 4_097), (2, 50_001), (5, 7_919)])
  func everySampleFrame(_ width: Int, _ frames: Int) throws {
    let samples = try write(width, frames)
    for line in ["rawaudio convert a.wav", "cat a.wav | rawaudio convert -"] {
      let run = try directory.pipeline("\(line) --reverse -t raw -o -")
      #expect(run.standardError == "")
      #expect(WaveBytes.int16s(run.standardOutput) == reversed(samples, width))
    }
  }

  @Test func asSoxDoes() throws {
    _ = try write(2, 20_011)
    _ = try directory.pipeline("rawaudio convert a.wav --reverse -f s24 -t raw -o b.raw")
    _ = try directory.pipeline("sox a.wav -b 24 -t raw c.raw reverse")
    #expect(try directory.bytes("b.raw") == directory.bytes("c.raw"))
  }

  /// The sound is found in the source, not in what becomes of it.
  @Test(arguments: [("--reverse", [3_000, 2_000, 1_000]), ("--shift -1S", [2_000, 3_000])])
  func withoutSilence(_ options: String, _ expected: [Int16]) throws {
    try directory.write(WaveBytes.file([0, 0, 0, 1_000, 2_000, 3_000, 0]), "a.wav")
    let run = try directory.pipeline(
      "rawaudio convert a.wav --trim-silence -40 \(options) -t raw -o -")
    #expect(WaveBytes.int16s(run.standardOutput) == expected)
  }

  /// The part is cut first; fades follow.
  @Test func aPartOfIt() throws {
    let samples = try write(1, 10_000)
    let run = try directory.pipeline(
      "rawaudio convert a.wav --start 1000S --end 3000S --reverse --invert -t raw -o -")
    #expect(
      WaveBytes.int16s(run.standardOutput)
        == reversed(Array(samples[1_000..<3_000]), 1).map { -$0 })
    let twice = try directory.pipeline(
      "rawaudio convert a.wav --reverse -o - | rawaudio convert - --reverse -t raw -o -")
    #expect(WaveBytes.int16s(twice.standardOutput) == samples)
  }

  @Test func filesOfAList() throws {
    let samples = try write(2, 1_000)
    try directory.write(try directory.bytes("a.wav"), "b.wav")
    try directory.mustRun("rawaudio convert a.wav b.wav --reverse -o '{stem}-r.wav'")
    #expect(try WaveBytes.samples(directory.bytes("b-r.wav")) == reversed(samples, 2))
  }
}
