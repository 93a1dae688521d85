// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// A connection and its role. Lives on the listener's thread; nothing in it waits.
protocol Client: AnyObject {
  var connection: Connection { get }

  /// Whether the client's bytes are to be read.
  var isReading: Bool { get }

  /// The time limit for the present role; nil means none.
  var deadline: MonotonicTime? { get }

  /// Moves the available bytes.
  ///
  /// - Parameter isReady: whether there is something to read.
  func advance(_ round: inout ClientRound, isReady: Bool) -> ClientTurn

  /// Ends the connection, because the client left or ``advance(_:isReady:)`` said so.
  func leave()
}

extension Client {
  var isReading: Bool { true }
  var deadline: MonotonicTime? { nil }
  func leave() {}

  /// Sends the bytes that the client takes now; returns whether it is still connected.
  func flush() -> Bool { connection.unsentCount == 0 || connection.flush() != .ended }
}

enum ClientTurn {
  case stay
  /// There is more to do at once.
  case again
  /// The client has chosen its role.
  case become(any Client)
  case leave
}

/// The resources of the clients in one round of the listener.
@safe
struct ClientRound {
  var now = MonotonicTime.now
  let host: any JoiningHost
  let mail: ClientMail
  let allowance: SampleAllowance
  let sources = JoinedClients()
  let patience = EditorPatience()
  /// Memory for received bytes.
  let scratch: UnsafeMutableRawBufferPointer
  /// A source with new samples; its session is not signalled yet.
  var fed: SourceLink?
}

/// The clients that are sources, by their ids. On the listener's thread.
final class JoinedClients {
  private struct Entry {
    weak var client: SourceClient?
  }

  private var entries: [SourceKey: Entry] = [:]

  /// Nil if there is no such client.
  subscript(key: SourceKey) -> SourceClient? {
    get { entries[key]?.client }
    set {
      entries = entries.filter { $0.value.client != nil }
      entries[key] = newValue.map { Entry(client: $0) }
    }
  }
}

/// Signals from other threads to the listener's thread that a client has something to do. Any thread.
final class ClientMail: Sendable {
  private let poll: ClientPoll
  private let isWaiting = Atomic(false)
  /// Event lines for the clients that want them.
  private let news = Mutex<[[UInt8]]>([])

  private static let mostNews = 10_000

  init(_ poll: ClientPoll) { self.poll = poll }

  /// Signals something new. Costs little until the listener has looked.
  func announce() {
    if !isWaiting.exchange(true, ordering: .acquiringAndReleasing) { poll.wake() }
  }

  /// Sends a line to all clients that want events.
  func tell(_ line: [UInt8]) {
    news.withLock { news in
      if news.count < Self.mostNews { news.append(line) }
    }
    announce()
  }

  /// The lines since the last call.
  func takeNews() -> [[UInt8]] {
    news.withLock { news in
      defer { news = [] }
      return news
    }
  }

  /// Whether something is new since the last call.
  func collect() -> Bool { isWaiting.exchange(false, ordering: .acquiringAndReleasing) }
}

/// A listener's view of its session, on the listener's thread. Nothing here waits for the session.
protocol JoiningHost: Sendable {
  /// Adds a source.
  ///
  /// - Throws: an error if the id is taken or the session is over.
  func add(_ source: sending JoinedSource, _ request: JoinRequest) throws(AudioError)

  /// Ends a source.
  ///
  /// - Parameter draining: whether the samples that it has sent are still heard.
  func remove(_ id: SourceKey, draining: Bool) throws(AudioError)

  /// - Parameter gain: a factor.
  func setGain(_ gain: Double, of id: SourceKey) throws(AudioError)

  func set(_ mute: ControlCommand.Mute, of id: SourceKey) throws(AudioError)

  /// - Throws: an error if no stream passes `position`, now or later.
  func requireStreams(at position: ObservationPosition) throws(AudioError)

  /// The format of the streams at `position`; nil if there are none.
  func format(at position: ObservationPosition, of source: SourceKey?) -> StreamFormat?

  func register(
    _ observer: sending any AudioObserver, as request: ObserveRequest
  ) throws(AudioError) -> ObserverRegistration

  /// The sources of the session, as members of a line.
  func status() -> JSONValue.Members

  /// The ids of the present sources that pass `position`.
  func sources(at position: ObservationPosition) -> [SourceKey]

  /// Ends the present part of a recording and begins the next.
  ///
  /// - Throws: an error if no recording is split.
  func split() throws(AudioError)

  /// Ends the session as a signal would.
  func stop()
}
