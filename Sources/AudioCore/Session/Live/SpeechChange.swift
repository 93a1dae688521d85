// SPDX-License-Identifier: Apache-2.0
/// A beginning or an end of speech in a stream.
public struct SpeechChange: Sendable, Hashable {
  public var position: ObservationPosition
  /// The source; nil if the stream is a sum of sources.
  public var key: SourceKey?
  /// Whether speech begins; otherwise it ends.
  public var begins: Bool
  /// The first sample of the speech, or the first one behind it, in samples per channel since the start of the session.
  public var samplePosition: Int64
  /// The length of the speech that ends, in samples per channel; 0 at the beginning.
  public var samplesPerChannel: Int64
  /// The rate of both, in hertz.
  public var sampleRate: Int

  public init(
    position: ObservationPosition, key: SourceKey?, begins: Bool, samplePosition: Int64,
    samplesPerChannel: Int64 = 0, sampleRate: Int
  ) {
    self.position = position
    self.key = key
    self.begins = begins
    self.samplePosition = samplePosition
    self.samplesPerChannel = samplesPerChannel
    self.sampleRate = sampleRate
  }
}
