// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Noises differ within a run and between channels unless their seeds are equal; a repeated command gives equal noise.
@Suite struct GeneratedNoiseTests {
  /// Returns the correlation of the two channels of 16-bit samples.
  private func correlation(_ bytes: [UInt8]) -> Double {
    var (products, left, right) = (0.0, 0.0, 0.0)
    for index in stride(from: 0, to: bytes.count / 4 * 4, by: 4) {
      let first = Double(Int16(truncatingIfNeeded: littleEndian(bytes, at: index, 2)))
      let second = Double(Int16(truncatingIfNeeded: littleEndian(bytes, at: index + 2, 2)))
      (products, left, right) = (
        products + first * second, left + first * first, right + second * second
      )
    }
    return products / (left * right).squareRoot()
  }

  private func samples(_ line: String) throws -> [UInt8] {
    let run = try runPipeline("rawaudio \(line) -r 48000 -f s16 -t raw -o -")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    return run.standardOutput
  }

  /// The correlation of 48,000 samples of independent white noises has a standard deviation of 0.0046. Pink noises have
  /// a larger one, because of their power at low frequencies.
  @Test(arguments: [
    ("convert noise:white -c 2 -d 1", 0.0), ("convert noise:pink -c 2 -d 1", 0),
    ("mix noise:white noise:white --pan -1 --pan 1 -c 2 -d 1", 0),
    ("mix noise:white,seed=3 noise:white,seed=3 --pan -1 --pan 1 -c 2 -d 1", 0),
    ("convert noise:white -d 1 --channel-map 1,1", 1),
    ("mix noise:white,seed=3 noise:white,seed=4 --pan -1 --pan 1 -c 2 -d 1", 0),
  ])
  func channelsAreIndependent(_ line: String, _ expected: Double) throws {
    let found = correlation(try samples(line))
    #expect(abs(found - expected) < 0.2, "\(line): \(found)")
  }

  @Test func aSeedIsOneNoise() throws {
    let one = try samples("convert noise:white,seed=7 -d 0.2")
    #expect(try samples("convert noise:white,seed=7 -d 0.2") == one)
    #expect(try samples("convert noise:white,seed=8 -d 0.2") != one)
    #expect(try samples("convert noise:white -d 0.2") != one)
    // Two equal noises add up to twice the amplitude.
    let twice = try samples("mix noise:white,seed=7 noise:white,seed=7 --gain -6.0206 -d 0.2")
    let pairs = zip(
      stride(from: 0, to: one.count, by: 2).map {
        Int(Int16(truncatingIfNeeded: littleEndian(one, at: $0, 2)))
      },
      stride(from: 0, to: twice.count, by: 2).map {
        Int(Int16(truncatingIfNeeded: littleEndian(twice, at: $0, 2)))
      })
    #expect(pairs.allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test func aRunTypedAgainGivesTheSame() throws {
    let line = "mix noise:white noise:pink --gain -12 -d 0.2"
    #expect(try samples(line) == samples(line))
  }

  /// The levels that help pages state: spread evenly up to -3 dBFS, 4.8 dB above its RMS; pink by its RMS.
  @Test(
    arguments: [
      ("noise:white,seed=3", -3.0, -3 - 10 * log10(3.0)), ("noise:pink,seed=3", nil, -17),
      ("noise:pink,seed=3,gain=-20", nil, -37), ("tone:1000", -3, -3 - 10 * log10(2.0)),
      ("tone:1000,gain=-20", -23, -23 - 10 * log10(2.0)),
      ("sweep:20-20000", -3, -3 - 10 * log10(2.0)),
    ] as [(String, Double?, Double)])
  func levels(_ source: String, _ peak: Double?, _ rms: Double) throws {
    let run = try runPipeline(
      "rawaudio convert \(source) -d 20 -c 1 -f f32 | rawaudio measure --json -")
    let object = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let found = try #require((object as? [[String: Any]])?.first)
    if let peak { #expect(abs(try #require(found["samplePeak"] as? Double) - peak) < 0.01) }
    #expect(abs(try #require(found["rms"] as? Double) - rms) < 0.1)
  }

  @Test(arguments: ["noise:white,seed=0", "noise:white,seed=x", "noise:white,", "noise:pink,3"])
  func whatIsNoSeedIsRefused(_ word: String) throws {
    let run = try runPipeline("rawaudio convert \(word) -d 1 -o /dev/null")
    #expect(run.ending == .exit(64))
    #expect(run.standardError.contains("a noise is chosen by a whole number above 0"))
  }
}
