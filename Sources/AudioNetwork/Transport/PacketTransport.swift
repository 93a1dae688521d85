// SPDX-License-Identifier: Apache-2.0
/// The way that packets come. The thread of the network, after its creation.
protocol PacketTransport: AnyObject {
  /// The descriptors that ``receive(_:_:)`` reads.
  var descriptors: [Int32] { get }
  /// The numbers of the formats that may come.
  var numbers: PayloadNumbers { get }
  /// When ``keep(at:)`` wants to be called. Nil = never.
  var deadline: MonotonicTime? { get }

  /// Begins to receive. The session thread, before the others. It may wait.
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
  /// Nil if it cannot differ.
  var sender: SocketAddress?
  /// When the system took it. Nil if that is unknown.
  var arrival: MonotonicTime? = nil
  /// The packets that the system has dropped at this socket so far, because they were not taken in time.
  var dropped: UInt32 = 0
}
