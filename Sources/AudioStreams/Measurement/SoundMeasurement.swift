// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What a ``SoundMeter`` found: loudness, levels and faults of a stream.
///
/// Levels are nil where there is none: of silence, of less sound than the measure needs, and of a stream that holds
/// samples that are not finite numbers. Such samples are neither silence nor the sign of a dead channel, and an infinity
/// is clipped.
public struct SoundMeasurement: Sendable {
  /// What was found in one channel.
  public struct Channel: Sendable {
    /// The largest magnitude, between samples too, in dBTP; nil where it was not measured.
    public let truePeak: Double?
    /// The largest magnitude of a sample, in dBFS.
    public let samplePeak: Double?
    /// The root of the mean square in dBFS, where a square wave of full scale is 0.
    public let rms: Double?
    /// The sample peak above the RMS, in decibels.
    public let crestFactor: Double?
    /// The mean of all samples, where full scale is 1; nil where there is no sample.
    public let dcOffset: Double?
    /// How often at least three samples in a row are at full scale of 16 bits or beyond, on one side.
    public let clippedRuns: Int
    /// How many bits the samples need as integers; nil where they need more than 32, or all are 0.
    public let effectiveBits: Int?
    /// The highest frequency at which there is sound, in hertz; nil where there is none, or it was not measured.
    public let bandwidth: Double?
    /// Whether nothing is in it: less than −90 dBFS beside a constant.
    public let isDead: Bool
    /// The place, from 0, of the first channel that has the same samples; nil where none has.
    public let identicalChannel: Int?
    /// Samples that are not numbers, or infinite.
    public let notFiniteSamples: Int
  }

  public let format: StreamFormat
  public let samplesPerChannel: Int64
  /// Integrated loudness in LUFS.
  public let loudness: Double?
  /// In LU.
  public let loudnessRange: Double?
  /// The largest loudness over 400 ms, in LUFS.
  public let maxMomentary: Double?
  /// The largest loudness over 3 s, in LUFS.
  public let maxShortTerm: Double?
  /// Of 2 channels: from −1, opposite, to 1, the same; nil of silence and of other counts.
  public let phaseCorrelation: Double?
  /// The longest time, in seconds, for which all channels are below −60 dBFS; 0 where none is as long as 10 ms.
  public let longestSilence: Double
  /// How long all channels are below −60 dBFS at the beginning, in seconds.
  public let silenceAtStart: Double
  /// The same at the end.
  public let silenceAtEnd: Double
  /// In the order of the stream.
  public let channels: [Channel]
  /// RMS of all channels together, in dBFS.
  public let rms: Double?
  let blocks: [Double]
  let shortTermBlocks: [Double]

  /// The largest of all channels, in dBTP.
  public var truePeak: Double? { largest(\.truePeak) }
  /// The largest of all channels, in dBFS.
  public var samplePeak: Double? { largest(\.samplePeak) }
  /// The sample peak above the RMS of all channels, in decibels.
  public var crestFactor: Double? {
    guard let samplePeak, let rms else { return nil }
    return samplePeak - rms
  }
  /// Of all channels.
  public var clippedRuns: Int { channels.reduce(0) { $0 + $1.clippedRuns } }
  /// The one that is furthest from 0.
  public var dcOffset: Double? {
    guard notFiniteSamples == 0 else { return nil }
    return channels.compactMap(\.dcOffset).max { abs($0) < abs($1) }
  }
  /// The most that a channel needs.
  public var effectiveBits: Int? {
    notFiniteSamples > 0 ? nil : channels.compactMap(\.effectiveBits).max()
  }
  /// The highest of all channels, in hertz.
  public var bandwidth: Double? { largest(\.bandwidth) }
  /// In seconds.
  public var duration: Double { Double(samplesPerChannel) / Double(format.sampleRate) }
  /// Of all channels.
  public var notFiniteSamples: Int { channels.reduce(0) { $0 + $1.notFiniteSamples } }

  private func largest(_ value: (Channel) -> Double?) -> Double? {
    notFiniteSamples > 0 ? nil : channels.compactMap(value).max()
  }

  /// The integrated loudness, in LUFS, of several streams as if they were one; nil where there is none.
  public static func loudness(ofAll measurements: [SoundMeasurement]) -> Double? {
    GatedLoudness.integrated(measurements.flatMap(\.blocks))
  }
}

extension SoundMeasurement.Channel {
  init(
    _ tally: ChannelTally, truePeak: Double?, bandwidth: Double?, identicalChannel: Int?
  ) {
    func level(_ amplitude: Double) -> Double? {
      tally.notFiniteSamples > 0 || amplitude <= 0 ? nil : Decibels.level(amplitude)
    }
    let count = Double(tally.samples)
    let mean = count > 0 ? tally.sum / count : 0
    let meanSquare = count > 0 ? tally.squares / count : 0
    let rms = level(meanSquare.squareRoot())
    samplePeak = level(tally.peak)
    self.truePeak = truePeak.flatMap { level(max($0, tally.peak)) }
    self.rms = rms
    if let rms, let peak = level(tally.peak) { crestFactor = peak - rms } else { crestFactor = nil }
    let isFinite = tally.notFiniteSamples == 0
    dcOffset = count > 0 && isFinite ? mean : nil
    clippedRuns = tally.clippedRuns
    effectiveBits = tally.effectiveBits
    self.bandwidth = isFinite ? bandwidth : nil
    isDead =
      isFinite
      && max(0, meanSquare - mean * mean).squareRoot() < Decibels.factor(-90)
    self.identicalChannel = isFinite ? identicalChannel : nil
    notFiniteSamples = tally.notFiniteSamples
  }
}
