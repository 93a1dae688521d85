// SPDX-License-Identifier: Apache-2.0
/// A place in a source, counted from its beginning or back from its end.
public enum SourcePoint: Sendable, Hashable {
  case fromStart(TimePosition)
  /// This long before the end; the length of the source must be known beforehand.
  case fromEnd(TimePosition)

  /// Whether finding the place needs the source's length.
  public var needsLength: Bool {
    if case .fromEnd = self { true } else { false }
  }

  /// Returns the place in samples per channel; a place before the beginning becomes 0.
  ///
  /// - Parameters:
  ///   - sampleRate: the source's, in hertz.
  ///   - length: the length of the source in samples per channel; nil if it is unknown.
  /// - Throws: `invalidParameter` for a negative time, `unsupported` if the length is needed and unknown.
  func samples(
    at sampleRate: Int, in length: Int64?, as name: String
  ) throws(AudioError) -> Int64 {
    switch self {
    case .fromStart(let time): return try time.length(at: sampleRate, as: name)
    case .fromEnd(let time):
      let distance = try time.length(at: sampleRate, as: name)
      guard let length else {
        throw AudioError(
          .unsupported, cannot: "count from the end of the source", "",
          because: "its length is unknown before it ends",
          advice: "read it into a SpooledSource first")
      }
      return max(0, length - distance)
    }
  }
}
