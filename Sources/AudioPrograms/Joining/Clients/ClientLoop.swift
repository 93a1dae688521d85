// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
import Glibc

struct ClientLimits: Sendable {
  /// The most connected clients.
  var clients = 1_000
  /// The time limit for a first line.
  var greeting = Duration.seconds(10)
  /// The most clients without a first line; others wait to be accepted.
  var greetings = 64
  /// The most clients accepted in a round, so that a crowd does not delay the others.
  var accepted = 16
  /// The most samples a second for one client.
  var samplesPerSecond = 3_072_000
  /// The advice to a client that asks for more.
  var advice = "ask for less"
}

/// The thread of a listener: all of its clients, turn by turn.
///
/// A round receives and sends the available bytes without waiting for any client. It begins no sooner than
/// ``roundLength`` after the one before, so that many small packets cost few rounds.
final class ClientLoop: Sendable {
  private let socket: ListeningSocket
  private let poll: ClientPoll
  private let host: any JoiningHost
  private let limits: ClientLimits
  /// The samples a second that clients may ask for.
  let allowance: SampleAllowance
  let mail: ClientMail
  private let isEnding = Atomic(false)
  private let clientCount = Atomic(0)

  /// The least time between the beginnings of two rounds.
  static let roundLength = Duration.milliseconds(5)
  /// The interval of looks at clients that wait without a signal.
  private static let longestWait = Duration.milliseconds(10)

  init(
    _ socket: ListeningSocket, _ host: any JoiningHost, limits: ClientLimits = ClientLimits()
  ) throws(AudioError) {
    self.socket = socket
    self.host = host
    self.limits = limits
    allowance = SampleAllowance(most: limits.samplesPerSecond, advice: limits.advice)
    poll = try ClientPoll()
    mail = ClientMail(poll)
    try poll.change(socket.descriptor, from: [], to: [.reading])
  }

  /// The number of connected clients. Any thread.
  var count: Int { clientCount.load(ordering: .relaxed) }

  /// Ends ``run()`` after all clients got their remaining bytes or their time is over. Any thread.
  func end() {
    isEnding.store(true, ordering: .releasing)
    poll.wake()
  }

  /// Serves clients until ``end()``. On a thread of its own.
  func run() {
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
    defer { unsafe scratch.deallocate() }
    var table = unsafe ClientTable(
      poll, ClientRound(host: host, mail: mail, allowance: allowance, scratch: scratch))
    var limit: Duration?
    var throttle = AcceptThrottle(socket.descriptor)
    while !isEnding.load(ordering: .acquiring) {
      let ready = poll.wait(atMost: limit)
      let begin = MonotonicTime.now
      if ready.contains(socket.descriptor.number), throttle.opens(at: begin) {
        accept(into: &table, now: begin)
      }
      let hasMail = mail.collect()
      if hasMail {
        table.tell(mail.takeNews())
      }
      limit = table.round(ready, hasMail: hasMail, now: begin)
      clientCount.store(table.count, ordering: .relaxed)
      throttle.set(isOpen: table.greetingCount < limits.greetings, poll)
      let rest = Self.roundLength - MonotonicTime.now.elapsed(since: begin)
      let isAtOnce = limit == .zero || ready.count == ClientPoll.mostAtOnce
      if !isAtOnce, rest > .zero { usleep(UInt32(rest.inNanoseconds / 1_000)) }
    }
    table.finish()
    clientCount.store(0, ordering: .relaxed)
  }

  private func accept(into table: inout ClientTable, now: MonotonicTime) {
    for _ in 0..<max(0, min(limits.accepted, limits.greetings - table.greetingCount)) {
      guard let descriptor = socket.accept() else { return }
      let connection = Connection(descriptor)
      if table.count < limits.clients {
        table.add(Greeting(connection, until: now + limits.greeting))
      } else {
        let error = AudioError(
          .unavailable, cannot: "take the client", "",
          because: "there are \(limits.clients) already")
        table.add(RefusedClient(connection, ReplyLine.refused(error)))
      }
    }
  }
}

/// Decides whether and when connections are accepted.
private struct AcceptThrottle {
  private let socket: Descriptor
  private var isOpen = true
  private var last: MonotonicTime?

  init(_ socket: Descriptor) { self.socket = socket }

  /// Whether connections are accepted `now`: once a round length, even if rounds follow at once.
  mutating func opens(at now: MonotonicTime) -> Bool {
    if let last, now.elapsed(since: last) < ClientLoop.roundLength { return false }
    last = now
    return true
  }

  /// Starts or stops waiting for connections.
  mutating func set(isOpen: Bool, _ poll: ClientPoll) {
    guard isOpen != self.isOpen else { return }
    do throws(AudioError) {
      try poll.change(
        socket, from: self.isOpen ? [.reading] : [], to: isOpen ? [.reading] : [])
      self.isOpen = isOpen
    } catch {
      // Tried again in the next round.
    }
  }
}
