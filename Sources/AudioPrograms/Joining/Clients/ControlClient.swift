// SPDX-License-Identifier: Apache-2.0
/// A client in control: each line is a command and gets a reply line. Also gets events if it wants them.
final class ControlClient: Client {
  let connection: Connection
  let wantsEvents: Bool
  /// Whether it has no more commands and stays for the events.
  private var isListening = false
  /// The number of events that it did not read in time.
  private var lostEvents: Int64 = 0

  /// The most bytes that may wait for it.
  private static let most = 1 << 20
  /// The most commands in one turn.
  private static let mostCommands = 64

  init(_ connection: Connection, _ request: ControlRequest) {
    self.connection = connection
    wantsEvents = request.wantsEvents
    connection.send(ReplyLine.accepted([("control", .integer(1))]))
  }

  /// A client that does not read the replies may send no further commands.
  var isReading: Bool { !isListening && connection.unsentCount < Self.most }

  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn {
    if isListening, connection.isGone { return .leave }
    if isReady, isReading {
      for _ in 0..<Self.mostCommands {
        switch unsafe connection.readLine(round.scratch) {
        case .begun: return flush() ? .stay : .leave
        case .ended:
          guard wantsEvents, !connection.isGone else { return .become(RefusedClient(connection)) }
          isListening = true
        case .tooLong:
          let error = AudioError(
            .malformed, cannot: "understand the line", "",
            because: "it is longer than \(LineMembers.longestLine) bytes")
          return .become(RefusedClient(connection, ReplyLine.refused(error)))
        case .whole(let line): connection.send(reply(line, round))
        }
        guard isReading else { break }
      }
    }
    return flush() ? .stay : .leave
  }

  private func reply(_ line: [UInt8], _ round: ClientRound) -> [UInt8] {
    let host = round.host
    do throws(AudioError) {
      switch try ControlCommand(line) {
      case .set(let id, let gain, let muted):
        if let gain { try host.setGain(Decibels.factor(gain), of: id) }
        if let muted { try host.set(muted, of: id) }
      case .remove(let id, let draining):
        if !draining { unsafe round.sources[id]?.clear(round.scratch) }
        try host.remove(id, draining: draining)
      case .clear(let id):
        guard let source = round.sources[id] else {
          throw AudioError(
            .invalidParameter, cannot: "clear", id.description,
            because: "no such program has joined")
        }
        unsafe source.clear(round.scratch)
      case .split: try host.split()
      case .status: return ReplyLine.accepted(host.status())
      case .stop: host.stop()
      }
      return ReplyLine.accepted()
    } catch {
      return ReplyLine.refused(error)
    }
  }

  /// Sends an event, or counts it if the client reads too slowly.
  func tell(_ line: [UInt8]) {
    guard wantsEvents else { return }
    guard connection.unsentCount + line.count <= Self.most else {
      lostEvents += 1
      return
    }
    if lostEvents > 0 {
      connection.send(ReplyLine.event("lost", [("events", .integer(lostEvents))]))
      lostEvents = 0
    }
    connection.send(line)
  }
}
