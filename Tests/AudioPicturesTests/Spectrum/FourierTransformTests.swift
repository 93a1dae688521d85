// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioStreams
@testable import AudioPictures

/// The transform equals its defining sum.
@Suite struct FourierTransformTests {
  @Test(arguments: [2, 16, 64, 512])
  func isTheSumThatDefinesIt(size: Int) {
    var random = SeededRandom(seed: UInt64(size))
    let transform = FourierTransform<Complex>(size: size)
    let input = (0..<size).map { _ in
      SIMD2(
        Double.random(in: -1...1, using: &random), Double.random(in: -1...1, using: &random))
    }
    var values = [Complex](repeating: Complex(), count: size)
    for (index, value) in input.enumerated() { values[transform.places[index]].parts = value }
    transform.apply(to: &values)
    var largest = 0.0
    for bin in 0..<size {
      var sum = SIMD2<Double>()
      for (index, value) in input.enumerated() {
        let angle = -2 * Double.pi * Double(bin * index % size) / Double(size)
        sum.x += value.x * cos(angle) - value.y * sin(angle)
        sum.y += value.x * sin(angle) + value.y * cos(angle)
      }
      largest = max(largest, abs(sum.x - values[bin].parts.x), abs(sum.y - values[bin].parts.y))
    }
    #expect(largest < 1e-14 * Double(size), "\(largest)")
  }

  @Test(arguments: [16, 64, 512])
  func isItInEveryLane(size: Int) {
    var random = SeededRandom(seed: UInt64(size))
    let transform = FourierTransform<ComplexLanes>(size: size)
    let input = (0..<size).map { _ in
      ComplexLanes.Lanes((0..<8).map { _ in Float.random(in: -1...1, using: &random) })
    }
    var values = [ComplexLanes](repeating: ComplexLanes(), count: size)
    for (index, value) in input.enumerated() {
      values[transform.places[index]].real = value
      values[transform.places[(index * 5) % size]].imaginary = value * -2
    }
    transform.apply(to: &values)
    var largest = 0.0
    for lane in [0, 3, 7] {
      for bin in stride(from: 0, to: size, by: max(1, size / 64)) {
        var (re, im) = (0.0, 0.0)
        for index in 0..<size {
          let angle = -2 * Double.pi * Double(bin * index % size) / Double(size)
          let turned = -2 * Double.pi * Double(bin * (index * 5 % size) % size) / Double(size)
          let value = Double(input[index][lane])
          re += value * cos(angle) + 2 * value * sin(turned)
          im += value * sin(angle) - 2 * value * cos(turned)
        }
        largest = max(largest, abs(re - Double(values[bin].real[lane])))
        largest = max(largest, abs(im - Double(values[bin].imaginary[lane])))
      }
    }
    #expect(largest < 1e-5 * Double(size), "\(largest)")
  }

  @Test(arguments: SpectrumWindow.allCases)
  func aSineHasItsAmplitude(window: SpectrumWindow) throws {
    // A quarter of the rate lies on a bin for every window; the last bins are empty.
    let samples = (0..<4_096).map { Float(0.5 * sin(Double.pi / 2 * Double($0) + 0.3)) }
    let levels = try spectrum(samples, window)
    let found = try #require(levels.max())
    #expect(abs(found + 6.0206) < 0.01, "\(found)")
    #expect(levels.firstIndex(of: found) == 64)
    #expect(levels[120] < -80)
  }

  @Test func constantsAndHalfTheRateHaveTheirs() throws {
    #expect(abs(try spectrum(Array(repeating: 0.5, count: 4_096), .hann)[0] + 6.0206) < 0.01)
    let fastest = (0..<4_096).map { Float($0 % 2 == 0 ? 0.5 : -0.5) }
    #expect(abs(try spectrum(fastest, .hann)[127] + 6.0206) < 0.01)
  }

  /// Returns rows of a bin each, in the middle of the sound; the last row has two.
  private func spectrum(_ samples: [Float], _ window: SpectrumWindow) throws -> [Float] {
    var spectrogram = Spectrogram(
      channelCount: 1, sampleRate: 8_000, places: 5, rowCount: 128, size: 256, window, .linear)
    spectrogram.append(samples.span)
    spectrogram.finish()
    return spectrogram.levels(0, at: 2, of: 5)
  }
}
