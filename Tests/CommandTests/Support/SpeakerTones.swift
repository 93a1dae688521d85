// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One tone a loudspeaker: who is heard where, found by frequency.
enum SpeakerTones {
  /// WAV's loudspeakers, in the order of the bits of its mask.
  static let names = ["FL", "FR", "FC", "LFE", "BL", "BR", "FLC", "FRC", "BC", "SL", "SR"]
  /// In hertz, multiples of 20; low frequencies in what codecs keep of them.
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

  /// 16-bit samples that have the tone of one loudspeaker in each channel.
  static func samples(_ speakers: [String]) -> [UInt8] {
    let steps = speakers.map { name in
      2 * Double.pi * frequencies[names.firstIndex(of: name) ?? 0] / Double(sampleRate)
    }
    var bytes: [UInt8] = []
    for index in 0..<length {
      for step in steps {
        let value = Int16((sin(step * Double(index)) * 9_000).rounded())
        bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
      }
    }
    return bytes
  }

  /// A WAVE_FORMAT_EXTENSIBLE file of them.
  ///
  /// - Parameter mask: what it says; nil = its loudspeakers.
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

  /// Which loudspeaker's tone is in each channel of interleaved samples; `-` for none.
  static func heard(_ samples: [Double], channelCount: Int) -> [String] {
    // Ten cycles of 100 Hz from the middle: every tone has a whole number of them.
    let window = sampleRate / 10
    let start = samples.count / channelCount / 2
    guard start + window <= samples.count / channelCount else { return [] }
    let levels = (0..<channelCount).map { channel in
      frequencies.map { frequency in
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<window {
          let angle = 2 * Double.pi * frequency * Double(index) / Double(sampleRate)
          let sample = samples[(start + index) * channelCount + channel]
          real += sample * cos(angle)
          imaginary += sample * sin(angle)
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

  /// Who is heard from which loudspeaker of a WAV stream in 32-bit floating point; a pair at the sides stands for one at
  /// the back where there is none.
  static func places(inWave bytes: [UInt8]) -> [String: String] {
    guard let format = WaveFile.chunk("fmt ", of: bytes), format.count >= 24 else { return [:] }
    let places = speakers(littleEndian(format, at: 20, 4))
    let heard = heard(floats(of: bytes), channelCount: littleEndian(format, at: 2, 2))
    return Dictionary(
      zip(withOnePairAtTheBack(places), withOnePairAtTheBack(heard)),
      uniquingKeysWith: { first, _ in first })
  }

  /// Each loudspeaker with its own tone.
  static func atHome(_ speakers: [String]) -> [String: String] {
    let speakers = withOnePairAtTheBack(speakers)
    return Dictionary(zip(speakers, speakers), uniquingKeysWith: { first, _ in first })
  }

  private static func withOnePairAtTheBack(_ names: [String]) -> [String] {
    if names.contains("BL") { return names }
    return names.map { $0 == "SL" ? "BL" : $0 == "SR" ? "BR" : $0 }
  }

  /// What is heard in each channel of a WAV stream in 32-bit floating point.
  static func heard(inWave bytes: [UInt8]) -> [String] {
    guard let format = WaveFile.chunk("fmt ", of: bytes) else { return [] }
    return heard(floats(of: bytes), channelCount: littleEndian(format, at: 2, 2))
  }

  /// The mask that a WAV stream states; nil where it states none.
  static func mask(inWave bytes: [UInt8]) -> Int? {
    guard let format = WaveFile.chunk("fmt ", of: bytes), format.count >= 24 else { return nil }
    return littleEndian(format, at: 20, 4)
  }

  private static func floats(of bytes: [UInt8]) -> [Double] {
    let marker = Array("data".utf8)
    let place = bytes.indices.dropLast(7).first { bytes[$0..<$0 + 4].elementsEqual(marker) } ?? 0
    let data = Array(bytes[(place + 8)...])
    return stride(from: 0, to: data.count / 4 * 4, by: 4).map {
      Double(Float(bitPattern: UInt32(littleEndian(data, at: $0, 4))))
    }
  }
}
