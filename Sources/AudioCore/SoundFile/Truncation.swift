/// A sound file that is shorter than its header claims.
public struct Truncation: Sendable, Hashable {
  /// Samples per channel that the header promises.
  public var claimedSamplesPerChannel: Int64
  /// Samples per channel that are there.
  public var actualSamplesPerChannel: Int64

  /// - Parameters:
  ///   - claimedSamplesPerChannel: what the header promises.
  ///   - actualSamplesPerChannel: what is there.
  public init(claimedSamplesPerChannel: Int64, actualSamplesPerChannel: Int64) {
    self.claimedSamplesPerChannel = claimedSamplesPerChannel
    self.actualSamplesPerChannel = actualSamplesPerChannel
  }
}
