// SPDX-License-Identifier: Apache-2.0
/// The probabilities of speech with which speech begins and ends.
public struct SpeechThreshold: Sendable, Hashable {
  /// Speech begins with a step of at least this probability.
  public var on: Double
  /// Speech ends with a step below this probability.
  public var off: Double

  /// - Parameters:
  ///   - on: from 0 to 1.
  ///   - off: at most `on`; nil = 0.1 below it.
  public init(on: Double = 0.5, off: Double? = nil) {
    self.on = on
    self.off = off ?? max(0.01, on - 0.1)
  }

  /// Whether a step of this probability is speech.
  ///
  /// - Parameter wasSpeech: whether the step before was.
  public func isSpeech(_ probability: Float, after wasSpeech: Bool) -> Bool {
    Double(probability) >= (wasSpeech ? off : on)
  }
}
