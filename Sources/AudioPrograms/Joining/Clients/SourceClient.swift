// SPDX-License-Identifier: Apache-2.0
/// A client that is a source: its bytes go into the ring if there is room.
final class SourceClient: Client {
  let connection: Connection
  private let key: SourceKey
  private let link: SourceLink
  private var feed: SourceFeed
  /// Whether reading is suspended because the ring is full.
  private var isFull = false

  /// The most bytes read in one turn.
  private static let most = 1 << 18

  /// Adds the source to the session.
  ///
  /// - Throws: the error of the session if the source is refused.
  init(
    _ connection: Connection, _ request: JoinRequest, _ round: ClientRound
  ) throws(AudioError) {
    self.connection = connection
    key = request.key
    let link = SourceLink(
      request, try round.allowance.share(request.format, to: "join", request.key.description))
    self.link = link
    feed = SourceFeed(link, request.framing)
    let mail = round.mail
    let source = JoinedSource(link) { isOver in
      mail.announce()
      let late = link.statistics.samplesLate
      guard isOver, late > 0 else { return }
      mail.tell(
        ReplyLine.event(
          "late",
          request.key.members + [
            ("samples", .integer(late)), ("rate", .integer(Int64(request.format.sampleRate))),
          ]))
    }
    try round.host.add(source, request)
    connection.send(
      ReplyLine.accepted([
        ("join", .string(request.key.id.description)),
        ("latency", .integer(Int64(request.latency))),
      ]))
  }

  var isReading: Bool { !isFull }

  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn {
    guard flush(), link.isWanted else { return .leave }
    // A full ring is filled again once a quarter of it is free.
    if isFull {
      guard feed.room >= feed.wholeRoom / 4 else { return .stay }
      isFull = false
    } else if !isReady {
      return .stay
    }
    var rest = Self.most
    while rest > 0 {
      let limit = unsafe min(feed.room, round.scratch.count)
      guard limit > 0 else {
        isFull = true
        return .stay
      }
      let bytes = unsafe UnsafeMutableRawBufferPointer(rebasing: round.scratch[..<limit])
      switch unsafe connection.receive(into: bytes) {
      case .wouldWait: return .stay
      case .ended:
        if feed.isBroken {
          round.mail.tell(ReplyLine.event("broken", key.members))
        }
        return .leave
      case .moved(let count):
        do throws(AudioError) {
          try unsafe feed.take(RawSpan(_unsafeBytes: bytes[..<count]))
        } catch {
          link.finish()
          return .become(Farewell(connection, ReplyLine.refused(error)))
        }
        round.fed = link
        if count < limit { return .stay }
        rest -= count
      }
    }
    return .again
  }

  func leave() { link.finish() }
}
