// SPDX-License-Identifier: Apache-2.0

/// A sink in front of another, to which it passes the whole stream at the target level, with a limiter if there is one.
///
/// It keeps the stream in a temporary file until it ends, measures it by ITU-R BS.1770-4, and then gives it to the
/// other sink with one gain for all of it. With a limiter the gain is found by trial (``GainSearch``).
///
/// A codec changes peaks. If the other sink asks ``accepts(_:)`` for its file, and is refused, it is initialised again
/// and gets the stream at a lower level, until the decoded file keeps the target. Session thread only.
package final class LevelledSink: AudioSink, ComposedSink {
  private let sink: any AudioSink
  package var behind: any AudioSink { sink }
  private var target: LevelTarget
  /// The loudspeakers of the channels; nil = the usual ones.
  package let layout: Metadata.ChannelLayout?
  private let name: String
  private var wakeup: Wakeup?
  private var stream: StoredStream?
  private var meter: SoundMeter?
  /// The target for the samples in front of the codec.
  private var aim: LevelTarget
  /// The aims of the files so far, and how far each file was from the target.
  private var attempts: [(aim: LevelTarget, miss: Double)] = []
  /// By how much the last peak missed its target, in decibels.
  private var lastError = 0.0
  /// Whether the last file was refused.
  private var isRefused = false
  /// The outcome; nil before the end.
  package private(set) var outcome: LevelOutcome?

  private static let mostCorrections = 5
  /// The largest difference of a peak that is to be kept behind a codec, in decibels.
  private static let peakTolerance = 0.05
  /// How far a decoded true peak may stay below the limit if that costs loudness, in decibels.
  private static let largestSlack = 0.2

  /// - Parameters:
  ///   - layout: the loudspeakers of the channels, which decide their weights; nil = the usual ones.
  ///   - precision: of the stored samples. A product has more bits than a sample; a lossy codec needs none of them.
  ///   - name: the stream's name in errors.
  package init(
    _ sink: any AudioSink, _ target: LevelTarget, layout: Metadata.ChannelLayout?,
    precision: SamplePrecision = .double, name: String
  ) {
    self.precision = precision
    self.sink = sink
    self.target = target
    self.layout = layout
    self.name = name
    aim = target
  }

  package let precision: SamplePrecision
  package var room: Int { .max }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    self.wakeup = wakeup
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    stream = try StoredStream(format, named: name)
    meter = SoundMeter(format, layout: layout, measures: [.loudness, .truePeak])
    return format
  }

  package func start() throws(AudioError) { try sink.start() }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    meter?.add(samples)
    try stream?.append(samples)
    return .accepted
  }

  package func stop(_ reason: StopReason) throws(AudioError) {
    guard reason == .finished, let stream, let found = meter?.finish() else {
      return try sink.stop(reason)
    }
    meter = nil
    target.settle(for: found)
    aim = target
    repeat {
      if isRefused { try beginAgain(stream.format) }
      do throws(AudioError) {
        var outcome = try level(found, stream)
        outcome.reduction = try stream.read(gain: outcome.gain, through: aim.limiter, wakeup) {
          (samples) throws(AudioError) in try sink.write(samples)
        }
        self.outcome = outcome
      } catch {
        try? sink.stop(.abandoned)
        throw error
      }
      try sink.stop(.finished)
    } while isRefused
  }

  package func dispose() {
    stream = nil
    sink.dispose()
  }

  private func beginAgain(_ format: StreamFormat) throws(AudioError) {
    isRefused = false
    guard let wakeup else { return }
    _ = try sink.initialize(proposing: format, wakeup: wakeup)
    try sink.start()
  }

  // MARK: Level

  private func level(
    _ found: SoundMeasurement, _ stream: StoredStream
  ) throws(AudioError) -> LevelOutcome {
    var outcome = LevelOutcome(found)
    if let goal = aim.loudness, let loudness = found.loudness { outcome.gain = goal - loudness }
    if case .at(let goal) = aim.peak, let peak = found.samplePeak { outcome.gain = goal - peak }
    guard let truePeak = found.truePeak else { return outcome }
    if let ceiling = aim.ceiling {
      let excess = truePeak + outcome.gain - ceiling
      // A rounding error is no shortfall.
      if excess > 1e-6 { outcome.shortfall = excess }
      outcome.gain -= max(0, excess)
    }
    if let limiter = aim.limiter, let goal = aim.loudness, found.loudness != nil,
      truePeak + outcome.gain > limiter.limit - LimiterSetting.margin
    {
      try find(&outcome, goal, limiter, stream)
    }
    return outcome
  }

  /// Finds the gain with which the stream reaches a loudness behind the limiter, or comes as near as more gain helps.
  private func find(
    _ outcome: inout LevelOutcome, _ goal: Double, _ limiter: LimiterSetting,
    _ stream: StoredStream
  ) throws(AudioError) {
    var search = GainSearch(target: goal, from: outcome.gain)
    var loudness: Double
    repeat {
      let meter = SoundMeter(stream.format, layout: layout, measures: [.loudness])
      _ = try stream.read(gain: search.gain, through: limiter, wakeup) { (samples) in
        meter.add(samples)
        return .accepted
      }
      loudness = meter.finish().loudness ?? goal
    } while search.takes(loudness)
    guard let best = search.best else { return }
    outcome.gain = best.gain
    let missing = goal - best.loudness
    outcome.shortfall = missing > GainSearch.tolerance ? missing : 0
  }

  // MARK: Behind a codec

  /// Takes the levels of the written file as it is decoded, before the file gets its name.
  ///
  /// - Parameter excess: how far its true peak is beyond the limiter's limit, in decibels; nil without a limiter.
  /// - Returns: whether the sink is to keep the file. If not, the stream comes again.
  package func accepts(_ decoded: SoundMeasurement, beyondLimit excess: Double?) -> Bool {
    guard var outcome else { return true }
    let levels = LevelOutcome.Levels(decoded)
    outcome.decoded = levels
    let ceiling = target.ceiling.flatMap { ceiling in levels.truePeak.map { $0 - ceiling } }
    outcome.excess = max(0, excess ?? ceiling ?? 0)
    attempts.append((aim, miss(outcome, levels)))
    if attempts.count <= Self.mostCorrections {
      isRefused = correct(outcome, levels)
    } else if attempts.count == Self.mostCorrections + 1,
      let best = attempts.min(by: { $0.1 < $1.1 })
    {
      // The peaks that a codec makes follow no rule: none of the corrections need be the best.
      isRefused = best.aim != aim
      aim = best.aim
    }
    if !isRefused, target.loudness != nil || target.isCeilingRaised, outcome.input.loudness != nil {
      let missing = target.loudness.map { $0 - (levels.loudness ?? $0) } ?? outcome.shortfall
      outcome.shortfall = missing > GainSearch.tolerance ? missing : 0
    }
    self.outcome = outcome
    return !isRefused
  }

  /// How far a file is from the target, in decibels: a peak beyond the bound counts most.
  private func miss(_ outcome: LevelOutcome, _ decoded: LevelOutcome.Levels) -> Double {
    var miss = 100 * outcome.excess
    if case .at(let wanted) = target.peak, let peak = decoded.samplePeak, outcome.reduction == 0 {
      miss += abs(wanted - peak)
    }
    if let wanted = target.loudness, let loudness = decoded.loudness {
      miss += abs(wanted - loudness)
    }
    return miss
  }

  /// Moves the aim by the codec's change of the level.
  ///
  /// - Returns: whether it moved.
  private func correct(_ outcome: LevelOutcome, _ decoded: LevelOutcome.Levels) -> Bool {
    let before = aim
    if outcome.excess > 0, let input = outcome.input.truePeak {
      let written = min(aim.limiter?.limit ?? .infinity, input + outcome.gain)
      let lower = written - outcome.excess - 0.01
      aim.limiter?.limit = lower
      if aim.ceiling != nil { aim.ceiling = lower }
    } else if outcome.shortfall > 0, let limit = aim.limiter?.limit, let bound = target.bound,
      limit < bound, let peak = decoded.truePeak, bound - peak > Self.largestSlack
    {
      aim.limiter?.limit = limit + (bound - peak) / 2
    }
    if case .at(let goal) = aim.peak, case .at(let wanted) = target.peak,
      let peak = decoded.samplePeak, outcome.reduction == 0
    {
      let error = wanted - peak
      // The peaks of a codec leap: a second step back is half as long.
      let step = error * lastError < 0 ? error / 2 : error
      lastError = error
      if abs(error) > Self.peakTolerance { aim.peak = .at(goal + step) }
    }
    if let wanted = target.loudness, let goal = aim.loudness, let loudness = decoded.loudness {
      let change = loudness - (goal - outcome.shortfall)
      if abs(goal + change - wanted) > GainSearch.tolerance / 2 { aim.loudness = wanted - change }
    }
    return aim != before
  }
}
