// SPDX-License-Identifier: Apache-2.0
/// Sends samples that come from elsewhere, such as a socket, as encoded bytes.
extension PushSender {
  /// Sends a piece of the stream as bytes, without waiting.
  ///
  /// Like ``send(_:rate:at:)-(Span<Sample>,_,_)``, it neither waits nor takes a lock. Samples of more than 24 bits
  /// arrive without rounding if the source's ``PushSource/Options/encoding`` needs it.
  ///
  /// - Parameters:
  ///   - bytes: interleaved whole sample frames in the channel count of ``format``, at any alignment.
  ///   - layout: the memory layout of the samples: any plain encoding, in either byte order.
  ///   - rate: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``.
  ///   - time: as for ``send(_:rate:at:)-(Span<Sample>,_,_)``.
  /// - Returns: the number of bytes taken from the beginning, in whole sample frames; fewer than `bytes` if the ring is
  ///   full. Send the rest again later, or drop it.
  /// - Throws: the errors of ``send(_:rate:at:)-(Span<Sample>,_,_)``; `invalidParameter` for part of a sample frame,
  ///   and then nothing is taken.
  public func send(
    bytes: RawSpan, as layout: SampleLayout, rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    let link = try openLink(for: bytes.byteCount, ofSize: layout.bytesPerSample)
    let taken = try link.take(bytes, as: layout, rate: rate, at: time)
    if taken < bytes.byteCount {
      let frameSize = layout.bytesPerSample * link.samples.format.channelCount
      link.refused.add(Int64((bytes.byteCount - taken) / frameSize))
    }
    return taken
  }

  /// Sends bytes without waiting; as for a raw span.
  public func send(
    bytes: [UInt8], as layout: SampleLayout, rate: Int? = nil, at time: Int64? = nil
  ) throws(AudioError) -> Int {
    try unsafe send(bytes: bytes.span.bytes, as: layout, rate: rate, at: time)
  }

  /// Sends bytes and waits for room if necessary. Not for a thread with deadlines.
  ///
  /// - Parameters:
  ///   - bytes: as for `send`; may be longer than the ring.
  ///   - layout: as for `send`.
  ///   - rate: as for `send`.
  ///   - time: as for `send`.
  ///   - limit: the longest wait for room, each time; nil = no limit.
  /// - Returns: the number of bytes taken: all of them unless the time ran out.
  /// - Throws: the errors of `send`; also `lifeCycle` as soon as the source is stopped. The bytes taken before that are
  ///   in the stream or lost with it.
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

  /// Takes the part of a piece that fits, behind its first `taken` bytes, which are in the stream.
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
