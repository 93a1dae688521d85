// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The target level of a ``LevelledSink``.
package struct LevelTarget: Sendable, Hashable {
  /// The loudness in LUFS.
  package var loudness: Double
  /// The true peak, in dBTP, that limits the gain; nil if there is a limiter instead.
  package var ceiling: Double?
  /// The limiter; nil if there is none.
  package var limiter: LimiterSetting?

  package init(loudness: Double, ceiling: Double?, limiter: LimiterSetting?) {
    self.loudness = loudness
    self.ceiling = ceiling
    self.limiter = limiter
  }
}

/// The findings of a ``LevelledSink``, and the gain that follows from them.
package struct LevelOutcome: Sendable {
  /// The levels of the input, in LUFS and dBTP; nil if it has none.
  package var loudness: Double?
  package var truePeak: Double?
  /// How many samples are NaN or infinite. A stream with such samples keeps its level.
  package var notFiniteSamples = 0
  /// The gain in decibels.
  package var gain = 0.0
  /// How far the stream stays below the target, in LU; 0 if it reaches the target.
  package var shortfall = 0.0
  /// The limiter's largest reduction, in decibels; nil if there is no limiter.
  package var reduction: Double?
}

/// A sink in front of another, to which it passes the whole stream at the target level, with a limiter if there is one.
///
/// It keeps the stream in a temporary file until it ends, measures it by ITU-R BS.1770-4, and then gives it to the
/// other sink with one gain for all of it. With a limiter the gain is found by trial: the missing loudness is added, up
/// to ten times, until the loudness is within 0.05 LU. Session thread only.
package final class LevelledSink: AudioSink {
  private let sink: any AudioSink
  private let target: LevelTarget
  private let layout: Metadata.ChannelLayout?
  private let name: String
  private var wakeup: Wakeup?
  private var format: StreamFormat?
  private var spool: FileDescriptor?
  private var meter: SoundMeter?
  private var length: Int64 = 0
  /// The layout of the samples in the file: the session's sample type.
  private var stored = SampleLayout(SampleStorage.f64)
  /// The outcome; nil before the end.
  package private(set) var outcome: LevelOutcome?

  private static let tolerance = 0.05
  private static let mostTrials = 10
  /// The least rise of loudness per decibel of gain: below it, a limiter only flattens the stream.
  private static let leastSlope = 0.25

  /// - Parameters:
  ///   - layout: the loudspeakers of the channels, which decide their weights; nil = the usual ones.
  ///   - name: the stream's name in errors.
  package init(
    _ sink: any AudioSink, _ target: LevelTarget, layout: Metadata.ChannelLayout?, name: String
  ) {
    self.sink = sink
    self.target = target
    self.layout = layout
    self.name = name
  }

  /// A product has more bits than the sample.
  package var precision: SamplePrecision { .double }
  package var room: Int { .max }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    self.wakeup = wakeup
    let format = try sink.initialize(proposing: proposal, wakeup: wakeup)
    self.format = format
    spool = try SpooledFile.empty(named: name)
    meter = SoundMeter(format, layout: layout, measures: [.loudness, .truePeak])
    return format
  }

  package func start() throws(AudioError) { try sink.start() }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    meter?.add(samples)
    length += Int64(samples.count)
    stored =
      Sample.precision == .double
      ? SampleLayout(SampleStorage.f64) : SampleLayout(SampleStorage.f32)
    do throws(AudioError) {
      _ = try unsafe samples.bytes.withUnsafeBytes {
        (bytes: UnsafeRawBufferPointer) throws(AudioError) in try unsafe spool?.writeAll(bytes)
      }
    } catch {
      var failure = error
      failure.action = "spool the data for"
      throw failure
    }
    return .accepted
  }

  package func stop(_ reason: StopReason) throws(AudioError) {
    guard reason == .finished else { return try sink.stop(reason) }
    do throws(AudioError) {
      let outcome = try level()
      self.outcome = outcome
      try pass(outcome.gain) { (samples) throws(AudioError) in try sink.write(samples) }
    } catch {
      try? sink.stop(.abandoned)
      throw error
    }
    try sink.stop(.finished)
  }

  package func dispose() {
    spool = nil
    sink.dispose()
  }

  // MARK: Level

  private func level() throws(AudioError) -> LevelOutcome {
    var outcome = LevelOutcome()
    guard let found = meter?.finish() else { return outcome }
    meter = nil
    outcome.loudness = found.loudness
    outcome.truePeak = found.truePeak
    outcome.notFiniteSamples = found.notFiniteSamples
    guard let loudness = found.loudness else { return outcome }
    let wanted = target.loudness - loudness
    outcome.gain = wanted
    guard let truePeak = found.truePeak else { return outcome }
    guard let limiter = target.limiter else {
      let allowed = target.ceiling.map { $0 - truePeak } ?? wanted
      outcome.gain = min(wanted, allowed)
      // A rounding error is no shortfall.
      outcome.shortfall = wanted - allowed > 1e-6 ? wanted - allowed : 0
      return outcome
    }
    outcome.reduction = 0
    guard truePeak + wanted > limiter.limit - LimiterSetting.margin else { return outcome }
    try find(&outcome)
    return outcome
  }

  /// Finds the gain with which the stream reaches the target loudness behind the limiter. If there is none, it finds
  /// the gain beyond which more gain hardly makes the stream louder.
  private func find(_ outcome: inout LevelOutcome) throws(AudioError) {
    var trials: [(gain: Double, loudness: Double, reduction: Double)] = []
    var gain = outcome.gain
    while trials.count < Self.mostTrials {
      let (loudness, reduction) = try trial(gain)
      let last = trials.last
      trials.append((gain, loudness, reduction))
      let missing = target.loudness - loudness
      if abs(missing) <= Self.tolerance { break }
      // A decibel of gain gives less than a decibel of loudness: use the slope between the last two trials.
      let slope = last.map { (loudness - $0.loudness) / (gain - $0.gain) } ?? 1
      if missing > 0, slope < Self.leastSlope { break }
      gain += min(6, max(-6, missing / min(1, max(Self.leastSlope, slope))))
    }
    let loudest = trials.reduce(-.infinity) { max($0, $1.loudness) }
    let reached = min(target.loudness, loudest - (loudest < target.loudness ? 0.25 : 0))
    let best = trials.filter { $0.loudness >= reached - Self.tolerance }.min { $0.gain < $1.gain }
    guard let best else { return }
    outcome.gain = best.gain
    outcome.reduction = best.reduction
    let missing = target.loudness - best.loudness
    outcome.shortfall = missing > Self.tolerance ? missing : 0
  }

  private func trial(
    _ gain: Double
  ) throws(AudioError) -> (loudness: Double, reduction: Double) {
    guard let format else { return (target.loudness, 0) }
    let meter = SoundMeter(format, layout: layout, measures: [.loudness])
    let tally = LimiterStatistics()
    try pass(gain, tally) { (samples) in
      meter.add(samples)
      return .accepted
    }
    return (meter.finish().loudness ?? target.loudness, -Decibels.level(tally.leastGain))
  }

  // MARK: The stored stream

  /// Reads all of the stream, with a gain in decibels and behind the limiter.
  private func pass(
    _ gain: Double, _ tally: LimiterStatistics = LimiterStatistics(),
    _ take: (Span<Double>) throws(AudioError) -> SinkStatus
  ) throws(AudioError) {
    guard let format, let spool else { return }
    let factor = Decibels.factor(gain)
    let limiter = target.limiter.map { LimiterStage<Double>(format: format, $0, tally: tally) }
    let block = BlockSize.samplesPerChannel(format) * format.channelCount
    let samples = SampleQueue<Double>()
    let output = SampleQueue<Double>()
    var place: Int64 = 0
    while place < length {
      if wakeup?.request == .abandon {
        throw AudioError(
          .interrupted, cannot: "level", name, because: "the session was abandoned")
      }
      let count = Int(min(Int64(block), length - place))
      try read(count, at: place, from: spool, into: samples)
      place += Int64(count)
      var scaled = samples.writable(0..<count)
      Double.scale(&scaled, by: factor)
      guard let limiter else {
        guard try take(samples.readable) == .accepted else { return }
        samples.removeAll()
        continue
      }
      limiter.process(samples.readable, into: output)
      samples.removeAll()
      guard try take(output.readable) == .accepted else { return }
      output.removeAll()
    }
    while let limiter, !limiter.isFinished {
      limiter.finish(into: output)
      guard try take(output.readable) == .accepted else { return }
      output.removeAll()
    }
  }

  private func read(
    _ count: Int, at place: Int64, from spool: FileDescriptor, into samples: SampleQueue<Double>
  ) throws(AudioError) {
    let layout = stored
    let size = count * layout.bytesPerSample
    let bytes = ByteQueue(capacity: size)
    while bytes.count < size {
      let offset = place * Int64(layout.bytesPerSample) + Int64(bytes.count)
      let more = try unsafe bytes.append { (target) throws(AudioError) in
        try unsafe spool.read(into: target, at: offset)
      }
      guard more > 0 else {
        throw AudioError(
          .inputOutput, cannot: "read", name, because: "its temporary file is cut short")
      }
    }
    samples.append(atMost: count) { output in
      Double.decode(bytes.readable(size), as: layout, into: &output)
    }
  }
}
