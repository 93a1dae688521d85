// SPDX-License-Identifier: Apache-2.0
/// Makes stretches of speech from the steps of a ``VoiceActivity``: a short pause ends none.
public struct SpeechStretches: Sendable {
  /// A beginning or an end, in samples per channel from the start of the stream.
  public enum Change: Sendable, Hashable {
    /// Speech has begun with this sample.
    case began(Int64)
    /// The samples of a whole stretch, from its beginning to the end of its last step with speech.
    case ended(Range<Int64>)
  }

  /// The pause that ends a stretch by default: shorter than a pause between sentences, longer than one within a word.
  public static let usualHold = TimePosition.time(.milliseconds(200))

  private let threshold: SpeechThreshold
  private let hold: Int64
  private var isSpeech = false
  private var stretch: Range<Int64>?

  /// - Parameters:
  ///   - threshold: the probabilities with which speech begins and ends.
  ///   - hold: the longest pause within a stretch, in samples per channel.
  public init(_ threshold: SpeechThreshold, hold: Int64) {
    self.threshold = threshold
    self.hold = hold
  }

  /// Takes the next step.
  ///
  /// - Returns: the change that it brings; nil if there is none.
  public mutating func take(_ step: VoiceActivity.Step) -> Change? {
    isSpeech = threshold.isSpeech(step.probability, after: isSpeech)
    if isSpeech {
      let beginning = stretch?.lowerBound ?? step.samples.lowerBound
      defer { stretch = beginning..<step.samples.upperBound }
      return stretch == nil ? .began(beginning) : nil
    }
    guard let stretch, step.samples.upperBound - stretch.upperBound > hold else { return nil }
    return finish()
  }

  /// Ends the stream, or interrupts it.
  ///
  /// - Returns: the end of the last stretch, if it was open.
  public mutating func finish() -> Change? {
    defer { stretch = nil }
    isSpeech = false
    return stretch.map { .ended($0) }
  }
}
