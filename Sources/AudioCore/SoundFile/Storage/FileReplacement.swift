/// When a new file takes the place of an old one.
public enum FileReplacement: Sendable, Hashable {
  /// When it is complete: an interrupted run leaves the old file, and no new one.
  case onCompletion
  /// At once: what was written before an interruption is kept. For live recording.
  case inPlace
}
