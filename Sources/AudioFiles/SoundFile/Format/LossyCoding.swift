// SPDX-License-Identifier: Apache-2.0
/// A lossy codec and the bit rate of a source, which a new file of the same codec keeps.
package struct LossyCoding: Sendable, Hashable {
  package enum Mode: Sendable, Hashable {
    /// All frames have the bit rate.
    case constant
    /// The bit rate is the mean.
    case average
    /// The bit rate follows from a quality from 0 to 10, as in ``EncoderSettings/quality``.
    case variable(quality: Double)
  }

  /// Those whose encoders take a bit rate, by ffmpeg's names.
  static let codecs: Set = ["aac", "ac3", "eac3", "mp3", "opus", "vorbis", "wmav2"]

  /// ffmpeg's name of the codec: `mp3`, `aac`, `vorbis`, …
  package let codec: String
  /// In bits per second of all channels.
  package let bitRate: Int
  let mode: Mode
  let channelCount: Int

  init(_ codec: String, _ bitRate: Int, _ mode: Mode = .average, channelCount: Int) {
    self.codec = codec
    self.bitRate = bitRate
    self.mode = mode
    self.channelCount = channelCount
  }

  /// ``bitRate`` in kbit/s, rounded.
  package var kilobits: Int { Self.kilobits(bitRate) }

  package static func kilobits(_ bitRate: Int) -> Int { (bitRate + 500) / 1_000 }

  /// The rate that a file of several sources keeps: the highest of those that have the codec. Nil without such a source,
  /// and if that rate is low and other sources are of other codecs: the encoder's usual rate suits those better.
  ///
  /// - Parameter sources: nil for a source that is lossless, or whose rate is unknown.
  package static func highest(of sources: [LossyCoding?], in codec: String) -> LossyCoding? {
    let same = sources.compactMap(\.self).filter { $0.codec == codec }
    guard let best = same.max(by: { $0.bitRate < $1.bitRate }) else { return nil }
    return same.count == sources.count || best.bitRate >= usualBitRate * best.channelCount
      ? best : nil
  }

  /// Of most encoders for each channel, in bits per second.
  private static let usualBitRate = 64_000

  /// The bit rate, in bits per second, that the codec has for `stream`: the least that is not below the source's, else
  /// the highest.
  package func reached(in stream: StreamFormat) throws(AudioError) -> Int {
    let channelCount = stream.channelCount
    if case .variable = mode { return bitRate }
    switch codec {
    case "mp3":
      let rates = FileFormat.mpegBitRates(stream.sampleRate).map { $0 * 1_000 }
      guard let least = rates.first, let most = rates.last else { return bitRate }
      if case .average = mode { return min(max(bitRate, least), most) }
      return rates.first { $0 >= bitRate } ?? most
    case "opus": return min(max(bitRate, 6_000 * channelCount), 256_000 * channelCount)
    // ISO/IEC 14496-3, 4.5.3.3: at most 6144 bits for each channel in a frame of 1024 samples.
    case "aac": return min(bitRate, 6 * channelCount * stream.sampleRate)
    case "vorbis": return try VorbisQuality(nearestTo: bitRate, stream).bitRate
    default: return bitRate
    }
  }
}

extension SampleEncoding {
  /// ffmpeg's name of a lossy codec that libsndfile writes; nil for other encodings.
  package var lossyCodec: String? {
    switch self {
    case .mpegLayer3: "mp3"
    case .vorbis: "vorbis"
    case .opus: "opus"
    default: nil
    }
  }
}
