/// Where a ``BackgroundLane`` leads to. Writer thread only.
protocol BackgroundTarget: AnyObject {
  /// Takes whole units, oldest first.
  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus

  /// Nothing more comes. Called once.
  func close(_ reason: StopReason) throws(AudioError)
}
