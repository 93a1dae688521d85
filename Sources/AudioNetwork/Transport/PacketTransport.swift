// SPDX-License-Identifier: Apache-2.0
/// The way that packets come. One thread at a time: one of its own that opens it, then the thread of the network.
protocol PacketTransport: AnyObject {
  /// The descriptors that ``receive(_:_:)`` reads.
  var descriptors: [Int32] { get }
  /// The formats that packets may have, since ``reconnect(to:)`` last succeeded.
  var formats: PayloadNumbers { get }
  /// When ``keep(at:)`` wants to be called. Nil = never.
  var deadline: MonotonicTime? { get }

  /// Begins to receive, before the other calls. It may wait. Harmless a second time.
  func start() throws(AudioError)

  /// Takes packets that have come; the rest can be read at once.
  ///
  /// - Parameter take: called for each packet of RTP or of RTCP, with its sender if that may differ.
  /// - Parameter isReady: whether a descriptor can be read.
  /// - Throws: `deviceLost` if nothing can come any more.
  func receive(
    _ isReady: (Int32) -> Bool, _ take: (RawSpan, ReceivedPacket) -> Void
  ) throws(AudioError)

  /// Keeps the sender sending.
  func keep(at now: MonotonicTime) throws(AudioError)

  /// Asks the sender again after ``receive(_:_:)`` or ``keep(at:)`` has failed, or after a silence. It may wait.
  ///
  /// - Returns: whether a new stream comes. Otherwise timestamps may go on.
  func reconnect(to payload: PayloadFormat) throws(AudioError) -> Bool

  /// Ends the sending, for good or until ``reconnect(to:)``.
  func close()
}

/// The circumstances of a packet.
struct ReceivedPacket {
  var isControl: Bool
  /// Nil if it cannot differ, or if several hosts send one stream.
  var sender: SocketAddress?
  /// When the kernel received it. Nil if only the time of reading is known.
  var arrival: MonotonicTime?
  /// Packets that this machine has dropped before this one, for want of room, since the stream was opened. It wraps.
  var dropped: UInt32 = 0
}
