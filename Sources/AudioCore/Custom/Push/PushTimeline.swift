// SPDX-License-Identifier: Apache-2.0
/// Where each piece that is sent stands in the stream. Sending thread only.
///
/// A *run* is a stretch of one rate. Within it time is counted in the run's own samples, so that a gap
/// is exact to the sample; a new run begins on a whole sample of the stream.
struct PushTimeline {
  /// The latest sample time that may be stated: 5 years at 48 kHz. Products with a rate stay in range.
  static let latest = Int64(1) << 43

  /// What comes before a piece.
  struct Placement: Equatable {
    var rate: Int
    var startsRun: Bool
    /// Samples per channel missing before the piece, at the stream's rate where it starts a run, else
    /// at the run's; negative = it overlaps by so many.
    var gap: Int64
    /// The piece's sample time, at its own rate.
    var time: Int64
  }

  private let streamRate: Int
  private(set) var rate: Int
  /// Samples per channel of the stream before this run.
  private var runStart: Int64 = 0
  /// The time of the run's first sample, at the run's rate.
  private var runOrigin: Int64 = 0
  /// Samples per channel of the run so far, gaps included, at its rate.
  private var runLength: Int64 = 0
  /// Samples per channel at the end of the run, at its rate, that are silence which the session put there.
  private(set) var silenceAtEnd: Int64 = 0

  init(streamRate: Int) {
    self.streamRate = streamRate
    rate = streamRate
  }

  /// Where a piece would stand that has `rate` and begins at `time`, or at the end where that is nil.
  func placement(rate: Int, at time: Int64?) -> Placement {
    if rate == self.rate {
      let end = runOrigin + runLength
      return Placement(rate: rate, startsRun: false, gap: (time ?? end) - end, time: time ?? end)
    }
    let end = streamEnd
    guard let time else {
      return Placement(rate: rate, startsRun: true, gap: 0, time: floor(end, toRate: rate))
    }
    let begin = ResamplingRatio(from: rate, to: streamRate).outputLength(of: time)
    return Placement(rate: rate, startsRun: true, gap: begin - end, time: time)
  }

  /// The session put silence behind what was sent: so many samples per channel at the stream's rate.
  mutating func skip(_ count: Int64) {
    let length = ResamplingRatio(from: streamRate, to: rate).outputLength(of: count)
    runLength += length
    silenceAtEnd += length
  }

  /// Counts the beginning of a piece that came too late: silence stands in its place.
  ///
  /// - Parameter count: samples per channel at the run's rate, at most ``silenceAtEnd``.
  mutating func drop(_ count: Int64) { silenceAtEnd -= count }

  /// Counts a piece of so many samples per channel.
  mutating func append(_ samplesPerChannel: Int, _ placement: Placement) {
    if placement.startsRun {
      runStart = streamEnd + placement.gap
      runOrigin = placement.time
      runLength = 0
      rate = placement.rate
    } else {
      runLength += placement.gap
    }
    runLength += Int64(samplesPerChannel)
    silenceAtEnd = 0
  }

  /// The length of the stream once the run is flushed: a conversion makes ⌈n · out / in⌉ of n.
  private var streamEnd: Int64 {
    runStart + ResamplingRatio(from: rate, to: streamRate).outputLength(of: runLength)
  }

  private func floor(_ position: Int64, toRate rate: Int) -> Int64 {
    let ratio = ResamplingRatio(from: streamRate, to: rate)
    let (whole, rest) = position.quotientAndRemainder(dividingBy: Int64(ratio.step))
    return whole * Int64(ratio.phaseCount) + rest * Int64(ratio.phaseCount) / Int64(ratio.step)
  }
}
