/// What becomes of a gap in a capture.
public enum GapPolicy: Sendable, Hashable {
  /// Silence of its length stands where the samples were lost.
  case fill
  /// Reading fails with an error of kind `inputOutput`, after the last sample before the gap.
  case fail
}
