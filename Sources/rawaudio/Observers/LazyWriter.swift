internal import AudioCore

/// The thread that writes taps and event logs; started where there is one of them. Main thread only.
final class LazyWriter {
  private var started: BackgroundWriter?

  func writer() throws(AudioError) -> BackgroundWriter {
    if let started { return started }
    let writer = try BackgroundWriter()
    started = writer
    return writer
  }
}
