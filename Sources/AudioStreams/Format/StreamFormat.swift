// SPDX-License-Identifier: Apache-2.0
/// The sample rate and the channel count of a stream of interleaved samples.
public struct StreamFormat: Sendable, Hashable {
  /// The sample rates, in hertz, that a stream may have.
  public static let sampleRates = 1_000...768_000
  /// The channel counts that a stream may have.
  public static let channelCounts = 1...64

  /// Samples per second of each channel, in hertz.
  public let sampleRate: Int
  /// Interleaved channels.
  public let channelCount: Int

  /// - Throws: `invalidParameter` outside ``sampleRates`` or ``channelCounts``.
  public init(sampleRate: Int, channelCount: Int) throws(AudioError) {
    try AudioError.require(
      Self.sampleRates.contains(sampleRate), "sample rate", "\(sampleRate)",
      because: "it must be 1000 to 768000 Hz")
    try AudioError.require(
      Self.channelCounts.contains(channelCount), "channel count", "\(channelCount)",
      because: "it must be 1 to 64")
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  /// Returns the format with another rate or channel count; nil = unchanged.
  ///
  /// - Throws: `invalidParameter` outside ``sampleRates`` or ``channelCounts``.
  package func with(sampleRate: Int?, channelCount: Int?) throws(AudioError) -> StreamFormat {
    try StreamFormat(
      sampleRate: sampleRate ?? self.sampleRate, channelCount: channelCount ?? self.channelCount)
  }
}

extension StreamFormat {
  /// Samples per second across all channels.
  package var samplesPerSecond: Int { sampleRate * channelCount }

  /// Throws `invalidParameter` if a count of interleaved samples ends within a sample frame.
  func checkSampleFrames(_ count: Int) throws(AudioError) {
    guard count % channelCount == 0 else {
      throw AudioError(
        .invalidParameter, cannot: "use", "\(count) samples",
        because: "they end within a sample frame of \(channelCount) channels",
        advice: "give a sample of every channel")
    }
  }
}

extension StreamFormat: CustomStringConvertible {
  /// For example `44100 Hz, 2 channels`.
  public var description: String {
    "\(sampleRate) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")"
  }
}
