// SPDX-License-Identifier: Apache-2.0
/// A client without a first line.
final class Greeting: Client {
  let connection: Connection
  let deadline: MonotonicTime?

  /// - Parameter deadline: the time limit of the first line.
  init(_ connection: Connection, until deadline: MonotonicTime) {
    self.connection = connection
    self.deadline = deadline
  }

  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn {
    if isReady {
      switch unsafe connection.readLine(round.scratch) {
      case .whole(let line): return .become(client(line, round))
      case .tooLong: return refuse(Self.fault("is longer than \(LineMembers.longestLine) bytes"))
      case .ended: return .leave
      case .begun: break
      }
    }
    guard let deadline, round.now < deadline else {
      return refuse(Self.fault("did not come in time"))
    }
    return .stay
  }

  private func client(_ line: [UInt8], _ round: ClientRound) -> any Client {
    do throws(AudioError) {
      return switch try FirstLine(line) {
      case .join(let request): try SourceClient(connection, request, round)
      case .observe(let request): try ObserverClient(connection, request, round)
      case .control(let request): ControlClient(connection, request)
      }
    } catch {
      return RefusedClient(connection, ReplyLine.refused(error))
    }
  }

  private func refuse(_ error: AudioError) -> ClientTurn {
    .become(RefusedClient(connection, ReplyLine.refused(error)))
  }

  private static func fault(_ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "understand the client", "", because: "its first line \(reason)")
  }
}

/// A client that gets a last line.
final class RefusedClient: Client {
  let connection: Connection
  private(set) var deadline: MonotonicTime? = .now + patience

  /// The time limit for the client to read it.
  static let patience = Duration.seconds(1)

  init(_ connection: Connection, _ line: [UInt8] = []) {
    self.connection = connection
    connection.send(line)
  }

  var isReading: Bool { false }

  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn {
    guard flush(), connection.unsentCount > 0, let deadline, round.now < deadline else {
      return .leave
    }
    return .stay
  }
}

extension MonotonicTime {
  static func + (time: MonotonicTime, length: Duration) -> MonotonicTime {
    MonotonicTime(nanoseconds: time.nanoseconds + length.inNanoseconds)
  }
}
