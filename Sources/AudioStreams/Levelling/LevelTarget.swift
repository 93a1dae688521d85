// SPDX-License-Identifier: Apache-2.0
/// The target level of a ``LevelledSink``. Without a loudness and a peak the level stays, unless it is beyond the bounds.
package struct LevelTarget: Sendable, Hashable {
  /// The loudness in LUFS.
  package var loudness: Double?
  /// The largest sample.
  package var peak: Peak?
  /// The true peak, in dBTP, that limits the gain; nil if there is a limiter instead, or no bound.
  package var ceiling: Double?
  /// Whether a stream that is beyond the ceiling stays as it is: then only a codec must not raise it.
  package var isCeilingRaised = false
  /// The limiter; nil if there is none.
  package var limiter: LimiterSetting?

  package enum Peak: Sendable, Hashable {
    /// In dBFS.
    case at(Double)
    /// As in the stream: a codec must not change it.
    case kept
  }

  package init(
    loudness: Double? = nil, peak: Peak? = nil, ceiling: Double? = nil,
    isCeilingRaised: Bool = false, limiter: LimiterSetting? = nil
  ) {
    self.loudness = loudness
    self.peak = peak
    self.ceiling = ceiling
    self.isCeilingRaised = isCeilingRaised
    self.limiter = limiter
  }

  /// Whether only a codec could miss it.
  package var isOfCodec: Bool { loudness == nil && (peak == .kept || isCeilingRaised) }

  /// The highest true peak, in dBTP; nil if there is none.
  package var bound: Double? { limiter?.limit ?? ceiling }

  /// Settles the members that follow from the stream.
  mutating func settle(for stream: SoundMeasurement) {
    if peak == .kept { peak = stream.samplePeak.map { .at($0) } }
    guard isCeilingRaised, let ceiling, let truePeak = stream.truePeak else { return }
    self.ceiling = max(ceiling, truePeak)
  }
}

/// The findings of a ``LevelledSink``, and the gain that follows from them.
package struct LevelOutcome: Sendable {
  /// The levels of a stream: LUFS, dBTP and dBFS; nil if it has none.
  package struct Levels: Sendable {
    package var loudness: Double?
    package var truePeak: Double?
    package var samplePeak: Double?

    init(_ sound: SoundMeasurement) {
      loudness = sound.loudness
      truePeak = sound.truePeak
      samplePeak = sound.samplePeak
    }
  }

  /// The levels of the input.
  package let input: Levels
  /// How many samples are NaN or infinite. A stream with such samples keeps its level.
  package let notFiniteSamples: Int
  /// The levels of the written file as it is decoded; nil if it was not decoded.
  package var decoded: Levels?
  /// How far the decoded true peak is beyond the target's bound, in decibels.
  package var excess = 0.0
  /// The gain in decibels.
  package var gain = 0.0
  /// How far the stream stays below the target, in LU; 0 if it reaches the target.
  package var shortfall = 0.0
  /// The limiter's largest reduction, in decibels; 0 without a limiter.
  package var reduction = 0.0

  init(_ found: SoundMeasurement) {
    input = Levels(found)
    notFiniteSamples = found.notFiniteSamples
  }
}
