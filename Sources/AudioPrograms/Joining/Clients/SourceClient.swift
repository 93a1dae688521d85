// SPDX-License-Identifier: Apache-2.0
/// A client that is a source: its bytes go into the ring if there is room.
final class SourceClient: Client {
  let connection: Connection
  private let key: SourceKey
  private let link: SourceLink
  private var feed: SourceFeed
  /// Whether reading is suspended because the ring is full.
  private var isFull = false
  /// Whether the client knows that it is in the session.
  private var isAnswered = false
  private let answer: [UInt8]
  /// Whether the client sends no more, and waits until all of it is heard.
  private var hasFinished = false
  /// The reason why nothing more of it can be read.
  private var fault: AudioError?

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
      let late = link.statistics.lateSamplesPerChannel
      guard isOver, late > 0 else { return }
      mail.tell(
        ReplyLine.event(
          "late",
          request.key.members + [
            ("samples", .integer(late)), ("rate", .integer(Int64(request.format.sampleRate))),
          ]))
    }
    answer = ReplyLine.accepted([
      ("join", .string(request.key.id.description)),
      ("latency", .integer(Int64(request.latency))),
    ])
    try round.host.add(source, request)
    round.sources[key] = self
  }

  var isReading: Bool { !isFull && !hasFinished && fault == nil }

  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn {
    if !isAnswered {
      isAnswered = link.hasJoined
      if isAnswered { connection.send(answer) } else if !link.isWanted { fault = refusal }
    }
    if let fault {
      link.finish()
      return .become(RefusedClient(connection, ReplyLine.refused(fault)))
    }
    guard flush() else { return .leave }
    // A client that only has shut down its writing half sees by the end that its last sample is in the sum.
    if hasFinished { return link.isOver || connection.isGone ? .leave : .stay }
    guard link.isWanted else { return .leave }
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
        link.finish()
        hasFinished = true
        return .again
      case .moved(let count):
        do throws(AudioError) {
          try unsafe feed.take(RawSpan(_unsafeBytes: bytes[..<count]))
        } catch {
          fault = error
          return .again
        }
        round.fed = link
        if count < limit { return .stay }
        rest -= count
      }
    }
    return .again
  }

  /// Drops the samples that are not in the session yet: those in the ring, and those on their way in the socket.
  func clear(_ scratch: UnsafeMutableRawBufferPointer) {
    link.clear()
    do throws(AudioError) {
      try unsafe feed.clear(RawSpan(_unsafeBytes: scratch[..<0]))
      while case .moved(let count) = unsafe connection.receive(into: scratch) {
        try unsafe feed.clear(RawSpan(_unsafeBytes: scratch[..<count]))
      }
    } catch {
      fault = error
    }
  }

  func leave() { link.finish() }

  private var refusal: AudioError {
    AudioError(
      .lifeCycle, cannot: "add source", key.description, because: "the session is about to end")
  }
}
