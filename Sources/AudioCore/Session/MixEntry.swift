// SPDX-License-Identifier: Apache-2.0
/// The gain, pan and offset with which a source enters the sum: after the before-mixing observers, in the sum's format.
public struct MixEntry: Sendable, Hashable {
  /// A finite factor; 1 leaves the samples unchanged.
  public var gain: Double
  /// Balance between left and right, −1…1, with unity at the centre. Only for a two-channel sum.
  public var pan: Double
  /// The start of the source since the start of the sum; never negative.
  public var offset: TimePosition

  public init(gain: Double = 1, pan: Double = 0, offset: TimePosition = .samples(0)) {
    self.gain = gain
    self.pan = pan
    self.offset = offset
  }

  /// Whether samples enter the sum unchanged.
  var leavesSamples: Bool { gain == 1 && pan == 0 }

  /// Returns the factor of each channel; nil if all are 1.
  ///
  /// - Throws: `invalidParameter` for a gain that is not finite, for a pan outside −1…1, and for a pan in a sum that is
  ///   not stereo.
  func channelGains(_ format: StreamFormat) throws(AudioError) -> [Double]? {
    guard gain.isFinite else {
      throw AudioError(
        .invalidParameter, cannot: "use gain", "\(gain)", because: "it must be a finite factor")
    }
    guard (-1...1).contains(pan) else {
      throw AudioError(
        .invalidParameter, cannot: "use pan", "\(pan)", because: "it must be -1 to 1")
    }
    guard pan == 0 || format.channelCount == 2 else {
      throw AudioError(
        .invalidParameter, cannot: "use pan", "\(pan)",
        because: "pan needs two channels and the mix has \(format.channelCount)",
        advice: "mix to two channels")
    }
    if leavesSamples { return nil }
    if pan == 0 { return Array(repeating: gain, count: format.channelCount) }
    return [gain * min(1, 1 - pan), gain * min(1, 1 + pan)]
  }
}
