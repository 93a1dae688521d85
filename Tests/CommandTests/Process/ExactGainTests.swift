// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The command's gains on every 16-bit sample, compared with integer arithmetic: the factor is m · 2^e, so the exact
/// product is an integer times 2^e.
@Suite struct ExactGainTests {
  private static let all = (-32_768...32_767).map { Int16($0) }

  /// Returns the integer nearest to the sum of `terms`, each a sample and a gain in decibels; ties to even.
  private func rounded(_ terms: [(sample: Int16, decibels: Double)]) -> Int16 {
    let bits = 80
    let sum: Int128 = terms.reduce(0) { sum, term in
      let factor = pow(10, term.decibels / 20)
      let significand = Int128(factor.significandBitPattern | 1 << 52)
      return sum + Int128(term.sample) * significand << Int128(bits - 52 + Int(factor.exponent))
    }
    let half = Int128(1) << Int128(bits - 1)
    let floor = (sum + half) >> Int128(bits)
    let isTie = sum + half == floor << Int128(bits)
    return Int16(clamping: isTie && floor & 1 == 1 ? floor - 1 : floor)
  }

  @Test(arguments: [-90, -6.0206, -6, -0.1, 3, 6.0206])
  func convert(_ decibels: Double) throws {
    let run = try runCommand(
      "convert", "-", "--gain", "\(decibels)", "-t", "raw", "-o", "-", "-q",
      input: .bytes(WaveBytes.file(Self.all)))
    #expect(run.standardError == "")
    #expect(
      WaveBytes.int16s(run.standardOutput) == Self.all.map { rounded([($0, decibels)]) })
  }

  @Test func mix() throws {
    let directory = TemporaryDirectory()
    var noise = Noise(4)
    let inputs = [Self.all, Self.all.reversed(), noise.samples(65_536, peak: 32_767)]
    for (index, input) in inputs.enumerated() {
      try directory.write(WaveBytes.file(input), "\(index).wav")
    }
    let gains = [-6, -6.0206, -20.1]
    let run = try directory.pipeline(
      "rawaudio mix 0.wav 1.wav 2.wav --gain -6 --gain -6.0206 --gain -20.1 -t raw -q")
    #expect(run.standardError == "")
    let expected = Self.all.indices.map { index in
      rounded(zip(inputs, gains).map { (sample: $0[index], decibels: $1) })
    }
    #expect(WaveBytes.int16s(run.standardOutput) == expected)
  }
}
