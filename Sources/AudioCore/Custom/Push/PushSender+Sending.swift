extension PushSender {
  /// Sends a piece of the stream without waiting; as ``send(_:rate:at:)-(Span<Sample>,_,_)`` for a span.
  public func send<Sample: FrameSample>(
    _ samples: [Sample], rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    try send(samples.span, rate: rate, at: time)
  }

  /// Waits until the source is started. One thread at a time.
  ///
  /// - Parameter milliseconds: the longest wait; nil = until it is started or stopped, which may be
  ///   never where the session does not run.
  /// - Returns: whether samples are taken now.
  public func waitForStart(milliseconds: Int? = nil) -> Bool {
    wait(milliseconds: milliseconds, for: .started) && isOpen
  }

  /// Sends a piece and waits for room where there is none. Not for a thread with deadlines.
  ///
  /// - Parameters:
  ///   - samples: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``; may be longer than the ring.
  ///   - rate: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``.
  ///   - time: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``.
  ///   - milliseconds: the longest wait for room each time there is none; nil = until there is.
  /// - Returns: how many samples, across all channels, were taken: all of them unless the time ran out.
  /// - Throws: as ``send(_:rate:at:)-(Span<Sample>,_,_)``; also `lifeCycle` as soon as the source is stopped, when the
  ///   samples taken so far are in the stream or gone with it.
  public func sendWaiting<Sample: FrameSample>(
    _ samples: Span<Sample>, rate: Int? = nil, at time: Int64? = nil, milliseconds: Int? = nil
  ) throws(AudioError) -> Int {
    var taken = 0
    while true {
      let channel = try openChannel()
      let begun = Int64(taken / channel.samples.format.channelCount)
      taken += try channel.take(
        samples.extracting(droppingFirst: taken), rate: rate, at: time.map { $0 + begun })
      if taken == samples.count { return taken }
      let hasRoom = channel.progress.wait(milliseconds: milliseconds) {
        channel.hasRoom || !self.isOpen
      }
      if !hasRoom { return taken }
    }
  }

  /// Sends a piece and waits for room; as ``sendWaiting(_:rate:at:milliseconds:)-(Span<Sample>,_,_,_)`` for a span.
  public func sendWaiting<Sample: FrameSample>(
    _ samples: [Sample], rate: Int? = nil, at time: Int64? = nil, milliseconds: Int? = nil
  ) throws(AudioError) -> Int {
    try sendWaiting(samples.span, rate: rate, at: time, milliseconds: milliseconds)
  }
}
