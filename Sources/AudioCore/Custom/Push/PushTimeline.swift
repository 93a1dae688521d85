// SPDX-License-Identifier: Apache-2.0
/// The positions of sent pieces in the stream. Sending thread only.
///
/// A *run* is a stretch of one rate. Its time is counted in its own samples, so a gap is exact to the sample. A new run
/// begins on a whole sample of the stream.
struct PushTimeline {
  /// The maximum sample time of a piece: 5 years at 48 kHz. Products with a rate stay in range.
  static let latest = Int64(1) << 43

  /// The start of a piece in the stream.
  struct Placement: Equatable {
    var rate: Int
    var startsRun: Bool
    /// The samples per channel missing in front of the piece, at the stream's rate if it starts a run, else at the
    /// run's; negative = the length of an overlap.
    var gap: Int64
    /// The piece's sample time, at its own rate.
    var time: Int64
  }

  private let streamRate: Int
  private(set) var rate: Int
  /// The samples per channel of the stream in front of this run.
  private var runStart: Int64 = 0
  /// The time of the run's first sample, at the run's rate.
  private var runOrigin: Int64 = 0
  /// The samples per channel of the run so far, including gaps, at its rate.
  private var runLength: Int64 = 0
  /// The samples per channel of the session's silence at the end of the run, at the run's rate.
  private(set) var silenceAtEnd: Int64 = 0

  init(streamRate: Int) {
    self.streamRate = streamRate
    rate = streamRate
  }

  /// Returns the placement of a piece of `rate` that begins at `time`, or at the end if that is nil.
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

  /// Counts silence that the session put behind the sent samples, in samples per channel at the stream's rate.
  mutating func skip(_ count: Int64) {
    let length = ResamplingRatio(from: streamRate, to: rate).outputLength(of: count)
    runLength += length
    silenceAtEnd += length
  }

  /// The samples per channel of the stream in front of a piece.
  func place(of placement: Placement) -> Int64 {
    if placement.startsRun { return streamEnd + placement.gap }
    let ratio = ResamplingRatio(from: rate, to: streamRate)
    return runStart + ratio.outputLength(of: max(0, runLength + placement.gap))
  }

  /// Counts samples that the session has dropped, in samples per channel at the stream's rate.
  mutating func takeBack(_ count: Int64) {
    let length = ResamplingRatio(from: streamRate, to: rate).outputLength(of: count)
    let own = min(length, runLength)
    runLength -= own
    if length > own {
      runStart -= ResamplingRatio(from: rate, to: streamRate).outputLength(of: length - own)
    }
    silenceAtEnd = min(silenceAtEnd, runLength)
  }

  /// Counts the beginning of a late piece that silence has replaced.
  ///
  /// - Parameter count: samples per channel at the run's rate, at most ``silenceAtEnd``.
  mutating func drop(_ count: Int64) { silenceAtEnd -= count }

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

  /// The length of the stream once the run is flushed: a conversion makes ⌈n · out / in⌉ of n samples.
  private var streamEnd: Int64 {
    runStart + ResamplingRatio(from: rate, to: streamRate).outputLength(of: runLength)
  }

  private func floor(_ position: Int64, toRate rate: Int) -> Int64 {
    let ratio = ResamplingRatio(from: streamRate, to: rate)
    let (whole, rest) = position.quotientAndRemainder(dividingBy: Int64(ratio.step))
    return whole * Int64(ratio.phaseCount) + rest * Int64(ratio.phaseCount) / Int64(ratio.step)
  }
}
