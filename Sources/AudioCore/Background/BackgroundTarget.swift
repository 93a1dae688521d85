/// Where a ``BackgroundLane`` leads to. Writer thread only.
protocol BackgroundTarget: AnyObject {
  /// Takes whole units, oldest first.
  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus

  /// Nothing came for a while: what is held back can be brought into safety.
  func rest() throws(AudioError)

  /// Nothing more comes. Called once.
  func close(_ reason: StopReason) throws(AudioError)
}

extension BackgroundTarget {
  func rest() throws(AudioError) {}
}
