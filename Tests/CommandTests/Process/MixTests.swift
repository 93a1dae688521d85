// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio mix` on files with a known sum.
@Suite struct MixTests {
  @Test func theSumIsExactAndSaturates() throws {
    let directory = TemporaryDirectory()
    var noise = Noise(1)
    let long = noise.samples(8_000, peak: 32_767)
    let short = noise.samples(5_000, peak: 32_767)
    try directory.write(WaveBytes.file(long, channelCount: 2), "a.wav")
    try directory.write(WaveBytes.file(short, channelCount: 2), "b.wav")
    let sums = long.indices.map { Int(long[$0]) + ($0 < short.count ? Int(short[$0]) : 0) }
    let clipped = sums.count { Int16(exactly: $0) == nil }
    #expect(clipped > 500)

    let run = try directory.run("mix", "a.wav", "b.wav")
    #expect(WaveBytes.samples(run.standardOutput) == sums.map { Int16(clamping: $0) })
    run.expectExit(0, "\(clipped) samples clipped in 'standard output'; lower the gain")

    let strict = try directory.run(
      "mix", "a.wav", "b.wav", "-q", "--fail-on", "clip", "-o", "c.wav")
    strict.expectExit(2, "\(clipped) samples clipped in 'c.wav'; lower the gain")
    #expect(try WaveBytes.samples(directory.bytes("c.wav")) == sums.map { Int16(clamping: $0) })
  }

  @Test func twentyInputsOfDifferentLengths() throws {
    let directory = TemporaryDirectory()
    var noise = Noise(2)
    let inputs = (0..<20).map { noise.samples(500 + 173 * $0, peak: 1_600) }
    for (index, input) in inputs.enumerated() {
      try directory.write(WaveBytes.file(input), "\(index).wav")
    }
    let names = inputs.indices.map { "\($0).wav" }.joined(separator: " ")
    let run = try directory.pipeline("rawaudio mix \(names)")
    let sum = inputs[19].indices.map { at in
      Int16(inputs.reduce(0) { $0 + (at < $1.count ? Int($1[at]) : 0) })
    }
    #expect(WaveBytes.samples(run.standardOutput) == sum)
    #expect(run.standardError == "")
  }

  /// A shorter tone of another rate, encoding and channel count must not change the level of the other inputs.
  @Test func differentInputsInOneMix() throws {
    let directory = TemporaryDirectory()
    var noise = Noise(3)
    let base = noise.samples(2 * 24_000, peak: 8_000)
    try directory.write(
      WaveBytes.file(base, channelCount: 2, sampleRate: 48_000), "base.wav")
    let make = """
      rawaudio convert tone:1000 -r 8000 -d 0.125 --gain -20 -f u8 -o u8.wav
      rawaudio convert tone:1000 -r 44100 -c 2 -d 0.25 --gain -20 -f s24 -o s24.flac
      rawaudio convert tone:1000 -r 32000 -d 0.0625 --gain -20 -f f32 -o f32.aiff
      rawaudio mix base.wav u8.wav s24.flac f32.aiff -f s16 -t raw -o -
      """
    let run = try directory.pipeline("set -e; \(make)")
    #expect(run.standardError == "")
    let sum = WaveBytes.int16s(run.standardOutput)
    #expect(sum.count == base.count)
    // 20 ms after the longest tone the filters have decayed, and only the base is left.
    let alone = 2 * (12_000 + 960)
    #expect(sum.dropFirst(alone) == base.dropFirst(alone))
    // A generated tone has −3 dB; with 8 bits its eighths of a period are 0, 6 and 9 steps of 1/128.
    let eightBits: Double = (9 + 12 * 0.5.squareRoot()) / 256
    let expected: Double = eightBits + 2 * pow(10, -23.0 / 20)
    let from = 480
    let to = 2_400
    for channel in 0..<2 {
      let tones = (from..<to).map { index in
        Double(Int(sum[2 * index + channel]) - Int(base[2 * index + channel]))
      }
      // The amplitude by projection on whole periods.
      var amplitude = 0.0
      for (index, value) in tones.enumerated() {
        amplitude += value * sin(2 * .pi * Double(from + index) / 48)
      }
      amplitude *= 2 / Double(tones.count) / 32_768
      #expect(abs(amplitude - expected) < 0.0001)
    }
  }

  @Test func gainPanAndOffset() throws {
    let directory = TemporaryDirectory()
    try directory.write(WaveBytes.file([1_000, -2_000, 4_000]), "a.wav")
    try directory.write(WaveBytes.file([100, 200]), "b.wav")
    func mix(_ options: String) throws -> [Int16] {
      let run = try directory.pipeline("rawaudio mix \(options) -t raw")
      #expect(run.standardError == "")
      return WaveBytes.int16s(run.standardOutput)
    }
    #expect(try mix("a.wav b.wav --offset 0 --offset 2S") == [1_000, -2_000, 4_100, 200])
    #expect(try mix("a.wav b.wav --offset 1S") == [0, 1_100, -1_800, 4_000])
    #expect(
      try mix("a.wav b.wav --offset 0 --offset 5S") == [1_000, -2_000, 4_000, 0, 0, 100, 200])
    // Full scale on both sides at the centre, none on the far side at the edge.
    #expect(try mix("a.wav -c 2") == [1_000, 1_000, -2_000, -2_000, 4_000, 4_000])
    #expect(try mix("a.wav -c 2 --pan -1") == [1_000, 0, -2_000, 0, 4_000, 0])
    #expect(try mix("a.wav -c 2 --pan 0.5") == [500, 1_000, -1_000, -2_000, 2_000, 4_000])
    #expect(try mix("a.wav b.wav -c 2 --pan -1 --pan 1") == [1_000, 100, -2_000, 200, 4_000, 0])
    // 10^(−6/20) = 0.501187…, 10^(20/20) = 10
    #expect(try mix("a.wav --gain -6") == [501, -1_002, 2_005])
    #expect(try mix("a.wav b.wav --gain 0 --gain 20") == [2_000, 0, 4_000])
    #expect(try mix("a.wav -d 2S") == [1_000, -2_000])
    #expect(try mix("a.wav b.wav --offset 0 --offset 2S -d 3S") == [1_000, -2_000, 4_100])
  }
}
