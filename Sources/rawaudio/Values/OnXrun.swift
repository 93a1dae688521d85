/// What becomes of a gap in a recording.
enum OnXrun: String, Sendable, CaseIterable {
  /// Silence stands for what was lost.
  case fill
  /// The same, and a mark in the file, and a line on standard error.
  case mark
  /// The recording ends as failed; what there is up to the gap is kept.
  case fail
}
