/// When what was written to a file is forced onto the disk, so that it outlives a power cut.
///
/// Until then the operating system keeps it in memory, on Linux for half a minute or so. A killed
/// program loses nothing of that; a machine that loses its power does.
public enum FileSynchronization: String, Sendable, Hashable, CaseIterable {
  /// When the system sees fit.
  case never
  /// When the file is complete. An old file is not replaced before.
  case onCompletion
  /// Twice a second while a recording grows, and when it is complete.
  case regularly
}
