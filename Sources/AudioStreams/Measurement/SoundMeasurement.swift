// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The results of a ``SoundMeter``: loudness, levels and faults of a stream.
///
/// Levels are nil for silence, for less sound than the measure needs, and for a stream with samples that are not
/// finite. Such samples count neither as silence nor as a dead channel, and an infinity counts as clipped.
public struct SoundMeasurement: Sendable {
  /// The results for one channel.
  public struct Channel: Sendable {
    /// The largest magnitude, between samples too, in dBTP; nil if it was not measured.
    public let truePeak: Double?
    /// The largest magnitude of a sample, in dBFS.
    public let samplePeak: Double?
    /// The root of the mean square in dBFS: 0 for a square wave of full scale.
    public let rms: Double?
    /// The ratio of the sample peak to the RMS, in decibels.
    public let crestFactor: Double?
    /// The mean of all samples (full scale is 1); nil if there is no sample.
    public let dcOffset: Double?
    /// The number of runs of at least three samples at or beyond full scale of 16 bits, on one side.
    public let clippedRuns: Int
    /// How many bits the samples need as integers; nil if they need more than 32, or all are 0.
    public let effectiveBits: Int?
    /// The highest frequency with sound, in hertz; nil if there is none, or if it was not measured.
    public let bandwidth: Double?
    /// Whether the channel is below −90 dBFS, apart from a constant.
    public let isDead: Bool
    /// The index, from 0, of the first earlier channel with equal samples; nil if there is none.
    public let identicalChannel: Int?
    /// How many samples are NaN, infinite, or at least 1e38 in magnitude.
    public let notFiniteSamples: Int
  }

  public let format: StreamFormat
  public let samplesPerChannel: Int64
  /// Integrated loudness in LUFS.
  public let loudness: Double?
  /// The loudness range in LU.
  public let loudnessRange: Double?
  /// The largest loudness over 400 ms, in LUFS.
  public let maxMomentary: Double?
  /// The largest loudness over 3 s, in LUFS.
  public let maxShortTerm: Double?
  /// The correlation of 2 channels, from −1 (opposite) to 1 (equal); nil for silence and for other channel counts.
  public let phaseCorrelation: Double?
  /// The longest time, in seconds, for which all channels are below −60 dBFS; 0 if none reaches 10 ms.
  public let longestSilence: Double
  /// How long all channels are below −60 dBFS at the beginning, in seconds.
  public let silenceAtStart: Double
  /// How long all channels are below −60 dBFS at the end, in seconds.
  public let silenceAtEnd: Double
  /// The channels in the order of the stream.
  public let channels: [Channel]
  /// RMS of all channels together, in dBFS.
  public let rms: Double?
  let blocks: [Double]
  let shortTermBlocks: [Double]

  /// The largest of all channels, in dBTP.
  public var truePeak: Double? { largest(\.truePeak) }
  /// The largest of all channels, in dBFS.
  public var samplePeak: Double? { largest(\.samplePeak) }
  /// The ratio of the sample peak to the RMS of all channels, in decibels.
  public var crestFactor: Double? {
    guard let samplePeak, let rms else { return nil }
    return samplePeak - rms
  }
  /// The clipped runs of all channels.
  public var clippedRuns: Int { channels.reduce(0) { $0 + $1.clippedRuns } }
  /// The channels' offset that is furthest from 0.
  public var dcOffset: Double? {
    guard notFiniteSamples == 0 else { return nil }
    return channels.compactMap(\.dcOffset).max { abs($0) < abs($1) }
  }
  /// The most bits that a channel needs.
  public var effectiveBits: Int? {
    notFiniteSamples > 0 ? nil : channels.compactMap(\.effectiveBits).max()
  }
  /// The highest of all channels, in hertz.
  public var bandwidth: Double? { largest(\.bandwidth) }
  /// The length in seconds.
  public var duration: Double { Double(samplesPerChannel) / Double(format.sampleRate) }
  /// The samples of all channels that are not finite.
  public var notFiniteSamples: Int { channels.reduce(0) { $0 + $1.notFiniteSamples } }

  private func largest(_ value: (Channel) -> Double?) -> Double? {
    notFiniteSamples > 0 ? nil : channels.compactMap(value).max()
  }

  /// The integrated loudness, in LUFS, of several streams as if they were one; nil if no sound passes the gates.
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
