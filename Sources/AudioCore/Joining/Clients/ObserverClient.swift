/// A client that observes: frames go out to it as it takes them.
final class ObserverClient: Client {
  let connection: Connection
  private let outbox: FrameOutbox
  private let registration: ObserverRegistration

  /// Bytes that wait for the system to take them, beside those of the outbox.
  private static let most = 1 << 18

  /// Registers the observer with the session.
  ///
  /// - Throws: what the session throws where it cannot be.
  init(
    _ connection: Connection, _ request: ObserveRequest, _ round: ClientRound
  ) throws(AudioError) {
    self.connection = connection
    let outbox = FrameOutbox(round.mail)
    self.outbox = outbox
    // Those that are there get their numbers now, so that the reply can tell them.
    let present = request.source.map { [$0] } ?? round.host.sources(at: request.position)
    let numbers = present.map { id in
      (name: id.description, value: JSONValue.integer(Int64(outbox.number(of: id))))
    }
    registration = try round.host.register(
      JoinedObserver(request, outbox), from: request.source)
    connection.send(
      ReplyLine.accepted([
        ("observe", .string(request.position.rawValue)),
        ("encoding", .string(request.layout.encoding.rawValue)), ("sources", .object(numbers)),
      ]))
  }

  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn {
    // A client that only observes has nothing to say: what comes is its end, or dropped.
    if isReady, unsafe connection.receive(into: round.scratch) == .ended { return .leave }
    while connection.unsentCount < Self.most {
      guard let frames = outbox.take() else { return .leave }
      if frames.isEmpty { break }
      connection.send(frames)
      if !flush() { return .leave }
    }
    return flush() ? .stay : .leave
  }

  func leave() {
    outbox.close()
    registration.unregister()
  }
}
