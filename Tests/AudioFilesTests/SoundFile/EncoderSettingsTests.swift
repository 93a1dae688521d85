// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles

/// Codec settings have their documented effect, and a setting that a codec lacks is reported.
@Suite struct EncoderSettingsTests {
  /// Returns the bit rate of ten seconds of a loud stereo sound in a file, in kbit/s.
  private func bitRate(
    _ container: Container, _ encoding: SampleEncoding, _ settings: EncoderSettings,
    rate: Int = 48_000
  ) throws -> Double {
    let directory = FileManager.default.temporaryDirectory.appending(
      path: "rawaudio-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let path = directory.appending(path: "a").path
    let noise = Noise.integers(2 * 10 * rate, seed: 1).map { 0.4 * $0 }
    let session = try Session(local: GivenSource(noise, rate: rate, channels: 2, encoding: .s16))
    let format = try FileFormat(container, encoding).encoded(with: settings)
    try session.setSink(SoundFileSink(path: path, format: format), at: .publish)
    _ = try session.run()
    let size = try Data(contentsOf: URL(fileURLWithPath: path)).count
    return Double(size) * 8 / 10_000
  }

  @Test(arguments: [32, 128, 192, 320])
  func mp3HasAConstantBitRate(_ bitRate: Int) throws {
    let found = try self.bitRate(.mp3, .mpegLayer3, EncoderSettings(bitRate: bitRate))
    #expect(abs(found - Double(bitRate)) < 0.02 * Double(bitRate) + 1)
  }

  @Test(arguments: [(24_000, 8), (24_000, 160), (11_025, 64)])
  func lowRatesHaveOthers(_ rate: Int, _ bitRate: Int) throws {
    let found = try self.bitRate(
      .mp3, .mpegLayer3, EncoderSettings(bitRate: bitRate), rate: rate)
    #expect(abs(found - Double(bitRate)) < 0.02 * Double(bitRate) + 1)
  }

  @Test(arguments: [64, 128, 256])
  func opusKeepsToItsBitRate(_ bitRate: Int) throws {
    let found = try self.bitRate(.opus, .opus, EncoderSettings(bitRate: bitRate))
    #expect(abs(found - Double(bitRate)) < 0.15 * Double(bitRate))
  }

  @Test func moreQualityIsMore() throws {
    for (container, encoding) in [
      (Container.ogg, SampleEncoding.vorbis), (.mp3, .mpegLayer3),
    ] {
      let sizes = try [0, 5, 10].map {
        try bitRate(container, encoding, EncoderSettings(quality: $0))
      }
      #expect(sizes[0] < 0.8 * sizes[1] && sizes[1] < 0.8 * sizes[2], "\(container): \(sizes)")
    }
  }

  @Test func flacCompresses() throws {
    let sizes = try [0, 8].map {
      try bitRate(.flac, .s16, EncoderSettings(compression: $0))
    }
    #expect(sizes[1] <= sizes[0])
  }

  private static let refusals:
    [(Container, SampleEncoding, EncoderSettings, AudioError.Kind, String)] = [
      (
        .wav, .s16, EncoderSettings(quality: 5), .unsupported, "s16 there has no settings"
      ),
      (
        .ogg, .vorbis, EncoderSettings(bitRate: 128), .unsupported,
        "vorbis takes a quality from 0 to 10"
      ),
      (
        .opus, .opus, EncoderSettings(quality: 5), .unsupported,
        "opus takes a bit rate, from 6 to 256 kbit/s for each channel"
      ),
      (
        .flac, .s16, EncoderSettings(bitRate: 128), .unsupported,
        "flac takes a compression from 0 to 8"
      ),
      (
        .mp3, .mpegLayer3, EncoderSettings(compression: 2), .unsupported,
        "mp3 takes a bit rate or a quality from 0 to 10"
      ),
      (.flac, .s16, EncoderSettings(compression: 9), .invalidParameter, "it must be 0 to 8"),
      (.mp3, .mpegLayer3, EncoderSettings(quality: 11), .invalidParameter, "it must be 0 to 10"),
      (
        .mp3, .mpegLayer3, EncoderSettings(quality: 5, bitRate: 128), .invalidParameter,
        "a quality has a variable bit rate"
      ),
      (
        .opus, .opus, EncoderSettings(bitRate: 600), .invalidParameter,
        "it must be 12 to 512 kbit/s for 48000 Hz, 2 channels"
      ),
      (
        .mp3, .mpegLayer3, EncoderSettings(bitRate: 100), .invalidParameter,
        "it must be one of 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320 kbit/s at 48000 Hz"
      ),
    ]

  @Test(arguments: refusals.indices)
  func whatACodecLacksIsTold(_ index: Int) throws {
    let (container, encoding, settings, kind, reason) = Self.refusals[index]
    let error = #expect(throws: AudioError.self) { try bitRate(container, encoding, settings) }
    #expect(error?.kind == kind)
    #expect(error?.reason == reason)
  }
}
