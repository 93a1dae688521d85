// SPDX-License-Identifier: Apache-2.0
/// A client that observes: it gets frames at its own pace; the answers of an editor come back.
final class ObserverClient: Client {
  let connection: Connection
  private let outbox: FrameOutbox
  /// Nil if the client only observes.
  private let inbox: AnswerInbox?
  private let registration: ObserverRegistration
  /// Whether it sends nothing more and stays for the frames.
  private var isListening = false

  /// The most bytes that wait for the system, beside those of the outbox.
  private static let most = 1 << 18

  /// Registers the observer with the session.
  ///
  /// - Throws: the error of the session if the observer is refused.
  init(
    _ connection: Connection, _ request: ObserveRequest, _ round: ClientRound
  ) throws(AudioError) {
    self.connection = connection
    try round.host.requireStreams(at: request.position)
    let share = try round.allowance.share(
      request.asked(native: round.host.format(at: request.position, of: request.source)),
      to: "observe", request.name)
    let outbox = FrameOutbox(round.mail)
    self.outbox = outbox
    // The present sources get their numbers now, so that the reply can contain them.
    let present = request.source.map { [$0] } ?? round.host.sources(at: request.position)
    let numbers = present.map { id in
      (name: id.description, value: JSONValue.integer(Int64(outbox.number(of: id))))
    }
    var reply: JSONValue.Members = [
      ("observe", .string(request.name)),
      ("encoding", .string(request.layout.encoding.rawValue)), ("sources", .object(numbers)),
    ]
    if request.parameters.mode == .readWrite {
      let inbox = AnswerInbox()
      self.inbox = inbox
      let editor = JoinedEditor(
        request, outbox, inbox, EditCounts(), share, patience: round.patience)
      registration = try round.host.register(editor, as: request)
      reply.append(("latency", .integer(Int64(request.latency))))
    } else {
      inbox = nil
      registration = try round.host.register(
        JoinedObserver(request, outbox, share), as: request)
    }
    connection.send(ReplyLine.accepted(reply))
  }

  var isReading: Bool { !isListening }

  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn {
    if isListening, connection.isGone { return .leave }
    if isReady, isReading, let turn = unsafe receive(round.scratch) { return turn }
    if inbox?.isOverrun == true { return .leave }
    let isGivenUp = inbox?.isGivenUp == true
    while connection.unsentCount < Self.most {
      guard let frames = outbox.take() else { return .leave }
      if frames.isEmpty { break }
      connection.send(frames)
      if !flush() { return .leave }
      outbox.report(unsent: connection.unsentCount)
    }
    guard flush() else { return .leave }
    outbox.report(unsent: connection.unsentCount)
    guard isGivenUp else { return .stay }
    leave()
    return .become(RefusedClient(connection))
  }

  /// Reads the answers of an editor. Bytes of a client that only observes are dropped; its end ends it.
  private func receive(_ scratch: UnsafeMutableRawBufferPointer) -> ClientTurn? {
    while true {
      let count: Int
      switch unsafe connection.receive(into: scratch) {
      case .moved(let bytes): count = bytes
      case .wouldWait: return nil
      case .ended:
        guard inbox == nil, !connection.isGone else { return .leave }
        isListening = true
        return nil
      }
      guard let inbox else { return nil }
      do throws(AudioError) {
        try unsafe inbox.put(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
      } catch {
        return .leave
      }
      if count < scratch.count { return nil }
    }
  }

  func leave() {
    outbox.close()
    inbox?.close()
    registration.unregister()
  }
}

extension ObserveRequest {
  /// The requested format. The present streams fill in an open rate or channel count.
  ///
  /// An editor's streams are always converted, so an open value counts as its maximum.
  fileprivate func asked(native: StreamFormat?) throws(AudioError) -> StreamFormat {
    let (rate, channels) = (parameters.sampleRate, parameters.channelCount)
    if parameters.mode == .readWrite, (rate == nil) != (channels == nil) {
      return try StreamFormat(
        sampleRate: rate ?? StreamFormat.sampleRates.upperBound,
        channelCount: channels ?? StreamFormat.channelCounts.upperBound)
    }
    return try StreamFormat(
      sampleRate: rate ?? native?.sampleRate ?? StreamFormat.sampleRates.lowerBound,
      channelCount: channels ?? native?.channelCount ?? 1)
  }
}
