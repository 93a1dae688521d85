// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One tone per loudspeaker; its frequency shows the channel that plays it.
enum SpeakerTones {
  /// WAV's loudspeakers, in the order of the bits of its mask.
  static let names = ["FL", "FR", "FC", "LFE", "BL", "BR", "FLC", "FRC", "BC", "SL", "SR"]
  /// In hertz, multiples of 20; the LFE tone lies in the band that codecs keep.
  private static let frequencies = [
    400.0, 600, 800, 60, 1_000, 1_200, 2_000, 2_200, 1_800, 1_400, 1_600,
  ]
  static let sampleRate = 48_000
  private static let length = 24_000

  /// The usual masks of 3 to 8 channels.
  static let usual: [Int: Int] = [3: 0x7, 4: 0x33, 5: 0x37, 6: 0x3F, 7: 0x70F, 8: 0x63F]

  static func speakers(_ mask: Int) -> [String] {
    names.enumerated().filter { mask & 1 << $0.offset != 0 }.map(\.element)
  }

  /// The 16-bit samples of each tone, as bytes.
  private static let tones: [[UInt8]] = frequencies.map { frequency in
    let step = 2 * Double.pi * frequency / Double(sampleRate)
    return (0..<length).flatMap { index in
      let value = Int16((sin(step * Double(index)) * 9_000).rounded())
      return [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
    }
  }

  /// Returns 16-bit samples with the tone of one loudspeaker in each channel.
  static func samples(_ speakers: [String]) -> [UInt8] {
    let channels = speakers.map { tones[names.firstIndex(of: $0) ?? 0] }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * length * channels.count)
    for place in stride(from: 0, to: 2 * length, by: 2) {
      for tone in channels {
        bytes.append(tone[place])
        bytes.append(tone[place + 1])
      }
    }
    return bytes
  }

  /// Returns a WAVE_FORMAT_EXTENSIBLE file of these tones.
  ///
  /// - Parameter mask: the stated mask; nil = the mask of `speakers`.
  static func wave(_ speakers: [String], mask: Int? = nil) -> [UInt8] {
    let stated = mask ?? speakers.reduce(0) { $0 | 1 << (names.firstIndex(of: $1) ?? 0) }
    let data = samples(speakers)
    let width = 2 * speakers.count
    var format = littleEndian(0xFFFE, 2) + littleEndian(speakers.count, 2)
    format += littleEndian(sampleRate, 4) + littleEndian(sampleRate * width, 4)
    format += littleEndian(width, 2) + littleEndian(16, 2) + littleEndian(22, 2)
    format += littleEndian(16, 2) + littleEndian(stated, 4) + [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0]
    format += [0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let body =
      Array("WAVEfmt ".utf8) + littleEndian(format.count, 4) + format + Array("data".utf8)
      + littleEndian(data.count, 4) + data
    return Array("RIFF".utf8) + littleEndian(body.count, 4) + body
  }

  /// The number of examined samples and their distance: each tone has a whole number of cycles in them, and is below
  /// half of their rate.
  private static let (window, step) = (600, 4)
  /// The cosine and sine of each tone at these samples.
  private static let waves = frequencies.map { frequency in
    (0..<window).map { index in
      let angle = 2 * Double.pi * frequency * Double(index * step) / Double(sampleRate)
      return (cosine: cos(angle), sine: sin(angle))
    }
  }

  /// Returns the loudspeaker whose tone is in each channel; `-` for none.
  ///
  /// - Parameter channels: ``window`` samples of each channel, ``step`` apart.
  private static func heard(_ channels: [[Double]]) -> [String] {
    let levels = channels.map { samples in
      waves.map { wave in
        var (real, imaginary) = (0.0, 0.0)
        for (sample, wave) in zip(samples, wave) {
          real += sample * wave.cosine
          imaginary += sample * wave.sine
        }
        return (real * real + imaginary * imaginary).squareRoot()
      }
    }
    let loudest = levels.joined().max() ?? 0
    return levels.map { levels in
      let present = levels.indices.filter { levels[$0] > loudest / 10 }
      return present.isEmpty ? "-" : present.map { names[$0] }.joined(separator: "+")
    }
  }

  /// Returns the tone heard from each loudspeaker of a 32-bit float WAV stream; a pair at the sides replaces a missing
  /// pair at the back.
  static func places(inWave bytes: [UInt8]) -> [String: String] {
    guard let format = WaveFile.chunk("fmt ", of: bytes), format.count >= 24 else { return [:] }
    let places = speakers(littleEndian(format, at: 20, 4))
    let heard = heard(inWave: bytes)
    return Dictionary(
      zip(withOnePairAtTheBack(places), withOnePairAtTheBack(heard)),
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns each loudspeaker with its own tone.
  static func atHome(_ speakers: [String]) -> [String: String] {
    let speakers = withOnePairAtTheBack(speakers)
    return Dictionary(zip(speakers, speakers), uniquingKeysWith: { first, _ in first })
  }

  private static func withOnePairAtTheBack(_ names: [String]) -> [String] {
    if names.contains("BL") { return names }
    return names.map { $0 == "SL" ? "BL" : $0 == "SR" ? "BR" : $0 }
  }

  /// Returns the loudspeaker heard in each channel of a 32-bit float WAV stream.
  static func heard(inWave bytes: [UInt8]) -> [String] {
    guard let format = WaveFile.chunk("fmt ", of: bytes) else { return [] }
    return heard(middle(of: bytes, channelCount: littleEndian(format, at: 2, 2)))
  }

  /// Returns the mask of a WAV stream; nil if it has none.
  static func mask(inWave bytes: [UInt8]) -> Int? {
    guard let format = WaveFile.chunk("fmt ", of: bytes), format.count >= 24 else { return nil }
    return littleEndian(format, at: 20, 4)
  }

  /// Returns the examined samples of each channel, from the middle of the stream; empty if it is too short.
  private static func middle(of bytes: [UInt8], channelCount: Int) -> [[Double]] {
    let marker = Array("data".utf8)
    let place = bytes.indices.dropLast(7).first { bytes[$0..<$0 + 4].elementsEqual(marker) } ?? 0
    let length = (bytes.count - place - 8) / (4 * channelCount)
    let start = length / 2
    guard start + window * step <= length else { return [] }
    return (0..<channelCount).map { channel in
      (0..<window).map { index in
        let sample = (start + index * step) * channelCount + channel
        return Double(
          Float(bitPattern: UInt32(littleEndian(bytes, at: place + 8 + 4 * sample, 4))))
      }
    }
  }
}
