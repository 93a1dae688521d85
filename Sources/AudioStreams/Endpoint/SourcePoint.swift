// SPDX-License-Identifier: Apache-2.0
/// A place in a source, counted from its beginning or back from its end.
public enum SourcePoint: Sendable, Hashable {
  case fromStart(TimePosition)
  /// So long before the end; the length of the source must be known beforehand.
  case fromEnd(TimePosition)

  /// Whether the source's length has to be known to find it.
  public var needsLength: Bool {
    if case .fromEnd = self { true } else { false }
  }

  /// The place in samples per channel; what lies before the beginning is the beginning.
  ///
  /// - Parameters:
  ///   - sampleRate: the source's, in hertz.
  ///   - length: of the source, in samples per channel; nil where nobody knows.
  /// - Throws: `invalidParameter` for a negative time, `unsupported` where the length is needed and not known.
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
          because: "nobody knows its length before it ends",
          advice: "read it into a SpooledSource first")
      }
      return max(0, length - distance)
    }
  }
}
