// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A connection and what it is there for. Lives on the listener's thread, and nothing in it waits.
protocol Client: AnyObject {
  var connection: Connection { get }

  /// Whether bytes of the client are to be read as they come.
  var isReading: Bool { get }

  /// Until when it may stay as it is; nil = for ever.
  var deadline: MonotonicTime? { get }

  /// Moves what can be moved.
  ///
  /// - Parameter isReady: whether there is something to read.
  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn

  /// The connection is over: by the client, or by what ``advance(_:isReady:)`` answered.
  func leave()
}

extension Client {
  var isReading: Bool { true }
  var deadline: MonotonicTime? { nil }
  func leave() {}

  /// Sends what the client takes; whether it is still there.
  func flush() -> Bool { connection.unsentCount == 0 || connection.flush() != .ended }
}

/// What came of a client's turn.
enum ClientTurn {
  case stay
  /// There is more to be done at once.
  case again
  /// It has said what it wants to be.
  case become(any Client)
  case leave
}

/// One round of the listener: what its clients may use in it.
@safe
struct ClientRound {
  let now: MonotonicTime
  let host: any JoiningHost
  let mail: ClientMail
  let allowance: SampleAllowance
  let patience: EditorPatience
  /// Memory for bytes that were read.
  let scratch: UnsafeMutableRawBufferPointer
  /// A source whose samples the session has not been told of.
  var fed: SourceLink?
}

/// How other threads tell the listener's that something lies there for one of its clients. Any thread.
final class ClientMail: Sendable {
  private let poll: ClientPoll
  private let isWaiting = Atomic(false)
  /// Lines for clients that want to be told what happens.
  private let news = Mutex<[[UInt8]]>([])

  private static let mostNews = 10_000

  init(_ poll: ClientPoll) { self.poll = poll }

  /// There is something new. Costs little while the listener has not looked.
  func announce() {
    if !isWaiting.exchange(true, ordering: .acquiringAndReleasing) { poll.wake() }
  }

  /// Tells all clients that want to know.
  func tell(_ line: [UInt8]) {
    news.withLock { news in
      if news.count < Self.mostNews { news.append(line) }
    }
    announce()
  }

  /// What was told since the last call.
  func takeNews() -> [[UInt8]] {
    news.withLock { news in
      defer { news = [] }
      return news
    }
  }

  /// Whether something is new since the last call.
  func collect() -> Bool { isWaiting.exchange(false, ordering: .acquiringAndReleasing) }
}
