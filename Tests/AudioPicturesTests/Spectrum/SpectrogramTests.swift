// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioPictures

/// Spectrograms of signals whose spectrum is known by a formula.
@Suite struct SpectrogramTests {
  private static let rate = 16_000
  private static let size = 512

  /// Returns the frequency of a chirp from 500 Hz up by 1,500 Hz per second.
  private static func frequency(at time: Double) -> Double { 500 + 1_500 * time }

  private static func chirp(seconds: Double) -> [Float] {
    (0..<Int(seconds * Double(rate))).map { index in
      let time = Double(index) / Double(rate)
      return Float(0.5 * sin(2 * Double.pi * (500 * time + 750 * time * time)))
    }
  }

  /// - Parameter piece: the number of samples added at once.
  private func spectrogram(
    _ samples: [Float], channels: Int = 1, places: Int, rows: Int,
    _ scale: FrequencyScale = .linear,
    piece: Int = 1_000
  ) -> Spectrogram {
    var spectrogram = Spectrogram(
      channelCount: channels, sampleRate: Self.rate, places: places, rowCount: rows,
      size: Self.size, .hann, scale)
    for start in stride(from: 0, to: samples.count, by: piece * channels) {
      spectrogram.append(
        samples.span.extracting(start..<min(samples.count, start + piece * channels)))
    }
    spectrogram.finish()
    return spectrogram
  }

  @Test(arguments: [FrequencyScale.linear, .log, .mel], [(2.0, 100), (4.0, 37)])
  func theRidgeOfAChirpIsWhereTheFormulaSays(
    scale: FrequencyScale, shape: (seconds: Double, places: Int)
  ) throws {
    let samples = Self.chirp(seconds: shape.seconds)
    let spectrogram = spectrogram(samples, places: shape.places, rows: 200, scale)
    for place in 2..<shape.places - 2 {
      let levels = spectrogram.levels(0, at: place, of: shape.places)
      let highest = try #require(levels.max())
      let row = try #require(levels.firstIndex(of: highest))
      let range = spectrogram.division.samples(
        at: place, of: shape.places, total: Int64(samples.count))
      func bin(_ sample: Int64) -> Double {
        Self.frequency(at: Double(sample) / Double(Self.rate)) * Double(Self.size)
          / Double(Self.rate)
      }
      // A bin more on either side of the column's bins.
      let expected = bin(range.lowerBound) - 1...bin(range.upperBound) + 1
      let bins = spectrogram.rows.bins[row]
      #expect(
        expected.overlaps(Double(bins.lowerBound)...Double(bins.upperBound)),
        "\(place): \(bins), \(expected)")
      // A column that spans many bins is weaker in proportion.
      let passed = bin(range.upperBound) - bin(range.lowerBound)
      let weakest = -6.1 - 10 * log10(max(1, passed)) - 3
      #expect(highest < -6 && Double(highest) > weakest, "\(place): \(highest), \(weakest)")
    }
  }

  @Test func piecesAndOtherChannelsChangeNothing() {
    let samples = Self.chirp(seconds: 1)
    let alone = spectrogram(samples, places: 20, rows: 64)
    let inPieces = spectrogram(samples, places: 20, rows: 64, piece: 77)
    let beside = spectrogram(
      samples.flatMap { [-$0, 0.25] }, channels: 2, places: 20, rows: 64, piece: 333)
    for place in 0..<20 {
      let expected = alone.levels(0, at: place, of: 20)
      #expect(inPieces.levels(0, at: place, of: 20) == expected)
      let other = beside.levels(0, at: place, of: 20)
      for (one, two) in zip(expected, other) where one > -60 { #expect(abs(one - two) < 0.01) }
    }
  }

  @Test func longerSoundTakesNoMoreColumns() {
    let places = 4
    for length in [1, 100, 5_000, 300_000] {
      let samples = [Float](repeating: 0.5, count: length)
      let spectrogram = spectrogram(samples, places: places, rows: 8, piece: 4_096)
      #expect(
        spectrogram.division.column(of: Int64(length - 1)) < spectrogram.division.limit, "\(length)"
      )
      for place in 0..<places {
        #expect(spectrogram.levels(0, at: place, of: places)[0] > -60, "\(length), \(place)")
      }
    }
  }

  @Test func silenceAndWhatIsNotANumber() {
    var samples = [Float](repeating: 0, count: 8_000)
    samples[4_000] = .nan
    samples[5_000] = .infinity
    let spectrogram = spectrogram(samples, places: 10, rows: 8)
    for place in 0..<10 {
      #expect(spectrogram.levels(0, at: place, of: 10) == Array(repeating: -.infinity, count: 8))
    }
  }

  @Test(arguments: FrequencyScale.allCases)
  func everyBinIsInARow(scale: FrequencyScale) {
    for count in [1, 24, 200, 1_000] {
      let rows = SpectrumRows(count, on: scale, size: 2_048, sampleRate: 48_000)
      #expect(rows.bins.count == count)
      // From the lowest bin of the axis on, none is missing.
      for (one, two) in zip(rows.bins, rows.bins.dropFirst()) {
        #expect(two.lowerBound - one.upperBound <= 1, "\(count): \(one), \(two)")
        #expect(two.lowerBound >= one.lowerBound)
      }
      #expect(rows.bins.last?.upperBound == 1_024)
    }
    for frequency in [20.0, 440, 5_000, 24_000] {
      let place = scale.place(of: frequency, to: 24_000)
      #expect(abs(scale.frequency(at: place, to: 24_000) - frequency) < 1e-6 * frequency)
    }
  }
}
