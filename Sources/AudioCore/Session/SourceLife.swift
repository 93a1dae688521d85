/// A source of a running session, kept to its life cycle.
final class SourceLife {
  let entry: SourceEntry
  private(set) var description: SourceDescription
  private var isStarted = false
  private var isStopped = false

  /// Initialises the source; disposes of it where that fails.
  init(
    _ entry: SourceEntry, proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) {
    self.entry = entry
    do {
      description = try entry.source.initialize(proposing: proposal, wakeup: wakeup)
    } catch {
      entry.source.dispose()
      throw error
    }
  }

  func start() throws(AudioError) {
    try entry.source.start()
    isStarted = true
  }

  /// Stops the source if it is started, the first time it is called.
  func stop() {
    guard isStarted, !isStopped else { return }
    isStopped = true
    entry.source.stop()
  }

  func dispose() {
    stop()
    entry.source.dispose()
  }
}
