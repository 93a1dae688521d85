/// What an observer may do to the stream.
public enum ObserverMode: String, Sendable, Hashable, CaseIterable {
  /// It sees the audio; its edits never reach the stream.
  case readOnly = "read-only"
  /// What it leaves in the frame goes on.
  case readWrite = "read-write"
  /// It is handed silence, and what it writes replaces the stream.
  case writeOnly = "write-only"
}
