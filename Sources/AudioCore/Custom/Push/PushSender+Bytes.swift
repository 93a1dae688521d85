// SPDX-License-Identifier: Apache-2.0
/// Samples as a program gets them from elsewhere, such as a socket: bytes in an encoding.
extension PushSender {
  /// Sends a piece of the stream that lies in memory as bytes, without waiting.
  ///
  /// As ``send(_:rate:at:)-(Span<Sample>,_,_)`` for samples: it neither waits nor takes a lock. What has more than 24
  /// bits arrives whole where the source's ``PushSource/Options/encoding`` says so.
  ///
  /// - Parameters:
  ///   - bytes: interleaved whole sample frames in the channel count of ``format``, at any alignment.
  ///   - layout: how the samples lie in them: every plain encoding, in either byte order.
  ///   - rate: as there.
  ///   - time: as there.
  /// - Returns: how many bytes, from the first on, were taken: whole sample frames, and fewer than there are where
  ///   the ring is full. Send the others again later, or let them go.
  /// - Throws: as there; `invalidParameter` for part of a sample frame, of which nothing is taken.
  public func send(
    bytes: RawSpan, as layout: SampleLayout, rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    let link = try openLink(for: bytes.byteCount, ofSize: layout.bytesPerSample)
    let taken = try link.take(bytes, as: layout, rate: rate, at: time)
    if taken < bytes.byteCount {
      let frameSize = layout.bytesPerSample * link.samples.format.channelCount
      link.countRefused((bytes.byteCount - taken) / frameSize)
    }
    return taken
  }

  /// Sends bytes without waiting; as for a raw span.
  public func send(
    bytes: [UInt8], as layout: SampleLayout, rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    try unsafe send(bytes: bytes.span.bytes, as: layout, rate: rate, at: time)
  }

  /// Sends bytes and waits for room where there is none. Not for a thread with deadlines.
  ///
  /// - Parameters:
  ///   - bytes: as for `send`; may be longer than the ring.
  ///   - layout: as for `send`.
  ///   - rate: as for `send`.
  ///   - time: as for `send`.
  ///   - limit: the longest wait for room each time there is none; nil = until there is.
  /// - Returns: how many bytes were taken: all of them unless the time ran out.
  /// - Throws: as `send`; also `lifeCycle` as soon as the source is stopped, when what was taken so far is in the
  ///   stream or gone with it.
  public func sendWaiting(
    bytes: RawSpan, as layout: SampleLayout, rate: Int? = nil, at time: Int64? = nil,
    atMost limit: Duration? = nil
  ) throws(AudioError) -> Int {
    var taken = 0
    while true {
      taken += try take(bytes, from: taken, as: layout, rate: rate, at: time)
      if taken == bytes.byteCount || !waitForRoom(atMost: limit) { return taken }
    }
  }

  /// Takes what fits of a piece behind its first `taken` bytes, which are in the stream.
  package func take(
    _ bytes: RawSpan, from taken: Int, as layout: SampleLayout, rate: Int?, at time: Int64?
  ) throws(AudioError) -> Int {
    let link = try openLink(for: bytes.byteCount - taken, ofSize: layout.bytesPerSample)
    let begun = Int64(taken / (layout.bytesPerSample * link.samples.format.channelCount))
    return try link.take(
      bytes.extracting(droppingFirst: taken), as: layout, rate: rate, at: time.map { $0 + begun })
  }

  /// Sends bytes and waits for room; as for a raw span.
  public func sendWaiting(
    bytes: [UInt8], as layout: SampleLayout, rate: Int? = nil, at time: Int64? = nil,
    atMost limit: Duration? = nil
  ) throws(AudioError) -> Int {
    try unsafe sendWaiting(bytes: bytes.span.bytes, as: layout, rate: rate, at: time, atMost: limit)
  }
}
