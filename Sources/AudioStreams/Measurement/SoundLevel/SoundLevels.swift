// SPDX-License-Identifier: Apache-2.0

/// What a ``SoundLevelMeter`` measures.
public struct SoundLevelSettings: Sendable, Hashable {
  /// The weighting of all levels but those of bands.
  public var weighting: FrequencyWeighting
  /// What is added to a level relative to full scale, in decibels. For example 120 if a calibrator of 94 dB gives
  /// −26 dBFS; nil = levels stay relative to full scale, where a square wave of full scale has 0.
  public var calibration: Double?
  /// Whether third-octave bands are measured.
  public var hasBands: Bool

  public init(weighting: FrequencyWeighting = .a, calibration: Double? = nil, bands: Bool = true) {
    self.weighting = weighting
    self.calibration = calibration
    hasBands = bands
  }
}

/// The sound levels of one channel in an interval, by IEC 61672-1, in decibels; nil for silence.
public struct SoundLevels: Sendable, Hashable {
  /// The level of a third-octave band.
  public struct Band: Sendable, Hashable {
    public let band: ThirdOctave
    /// The time-averaged level, without frequency weighting.
    public let level: Double?
  }

  /// The time-averaged level (Leq).
  public let average: Double?
  /// The largest level with the time weighting F, of 125 ms.
  public let maxFast: Double?
  /// The largest level with the time weighting S, of 1 s.
  public let maxSlow: Double?
  /// The levels with the time weighting F that are exceeded for 10, 50 and 90 % of the time.
  public let exceeded10: Double?
  public let exceeded50: Double?
  public let exceeded90: Double?
  /// Empty if none were asked for.
  public let bands: [Band]

  /// The levels without those of bands, in the order of ``FrequencyWeighting/levelNames``.
  public var values: [Double?] {
    [average, maxFast, maxSlow, exceeded10, exceeded50, exceeded90]
  }
}

extension FrequencyWeighting {
  /// The names of ``SoundLevels/values`` as acousticians write them: `LAeq`, `LAFmax`, `LASmax`, `LAF10`, ….
  public var levelNames: [String] {
    ["eq", "Fmax", "Smax", "F10", "F50", "F90"].map { "L\(rawValue)\($0)" }
  }
}

/// The levels of all channels of a stream in an interval.
public struct SoundLevelInterval: Sendable, Hashable {
  /// The first sample, in samples per channel since the first one that the meter got.
  public let start: Int64
  public let samplesPerChannel: Int64
  /// Samples that are NaN, infinite or too large to be sound, which count as 0.
  public let notFiniteSamples: Int
  /// In the order of the channels.
  public let channels: [SoundLevels]
}
