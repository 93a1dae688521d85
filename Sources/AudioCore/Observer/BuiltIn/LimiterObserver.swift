// SPDX-License-Identifier: Apache-2.0
/// A read-write observer that keeps the true peak of streams at or below a limit. It holds a stream back by its
/// look-ahead. No sample moves in time, and the length stays.
///
/// The true peak is that of ITU-R BS.1770-4, annex 2. One gain serves all channels of a stream: it begins to fall
/// `lookahead` before a peak, has no corners, and recovers in `release`. Samples pass bit for bit while none is above
/// the limit. NaN samples do not change the gain. A session with a limiter computes in double precision:
///
/// ```swift
/// let limiter = try LimiterObserver(.record, limit: -1)
/// try session.register(limiter)
/// ```
///
/// An observer that is unregistered during its stream ends the limiting there.
public final class LimiterObserver: AudioObserver {
  public let positions: ObservationPositions
  private let setting: LimiterSetting
  private let asked: FrameParameters
  private let tally = LimiterStatistics()

  /// The range of the limit, in dBTP.
  public static let limits = -70.0...20.0
  /// The ranges of the look-ahead and of the release time.
  public static let lookaheads: ClosedRange<Duration> = .microseconds(100)...(.milliseconds(100))
  public static let releases: ClosedRange<Duration> = .milliseconds(1)...(.seconds(10))

  /// - Parameters:
  ///   - positions: the positions of the limited streams.
  ///   - limit: in dBTP; in ``limits``.
  ///   - lookahead: the time by which the gain begins to fall before a peak; in ``lookaheads``.
  ///   - release: the time for 1 − 1 ⁄ e of the way back; in ``releases``.
  ///   - parameters: the shape of the stream, read-write unless they set a mode. There are no frames.
  /// - Throws: `invalidParameter` for a value out of range.
  public init(
    _ positions: ObservationPositions, limit: Double, lookahead: Duration = .milliseconds(5),
    release: Duration = .milliseconds(100), parameters: FrameParameters = .readWrite
  ) throws(AudioError) {
    try AudioError.require(
      Self.limits.contains(limit), "limit", "\(limit)", because: "it must be -70 to 20 dBTP")
    try AudioError.require(
      Self.lookaheads.contains(lookahead), "lookahead", "\(lookahead)",
      because: "it must be 0.1 to 100 ms")
    try AudioError.require(
      Self.releases.contains(release), "release", "\(release)", because: "it must be 1 ms to 10 s")
    setting = LimiterSetting(
      limit: limit, lookahead: lookahead / .seconds(1), release: release / .seconds(1))
    self.positions = positions
    asked = parameters
  }

  /// A product has more bits than a sample.
  public var neededPrecision: SamplePrecision { .double }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }

  /// The largest gain reduction so far, in decibels; 0 without any.
  public var largestReduction: Double { -Decibels.level(tally.leastGain) }

  /// The samples per channel with a reduced gain, over all streams.
  public var limitedSamples: Int64 { tally.limitedFrames }
}

extension LimiterObserver: EditingObserver {
  package func holdBack(_ shape: FrameShape) -> Int {
    setting.latency(at: shape.format.sampleRate)
  }

  func appendEdit<Sample: AudioSample>(
    to chain: Chain<Sample>, _ shape: FrameShape, _ layout: Metadata.ChannelLayout?
  ) throws(AudioError) {
    chain.append(LimiterStage<Sample>(format: shape.format, setting, tally: tally))
  }
}
