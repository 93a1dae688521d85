// SPDX-License-Identifier: Apache-2.0
internal import Synchronization
import Glibc

/// What clients may take of a listener.
struct ClientLimits: Sendable {
  /// How many may be connected.
  var clients = 1_000
  /// How long each may take for its first line.
  var greeting = Duration.seconds(10)
}

/// The thread of a listener: all of its clients, turn by turn.
///
/// A round takes what has come and sends what is there, without waiting for anybody, and begins no sooner than
/// ``roundLength`` after the one before, so that many small packets cost few rounds.
final class ClientLoop: Sendable {
  private let socket: ListeningSocket
  private let poll: ClientPoll
  private let host: any JoiningHost
  private let limits: ClientLimits
  let mail: ClientMail
  private let isEnding = Atomic(false)
  private let clientCount = Atomic(0)

  /// The least time between the beginnings of two rounds.
  static let roundLength = Duration.milliseconds(5)
  /// How often clients are looked at that wait for something which nobody tells.
  private static let longestWait = Duration.milliseconds(10)

  init(
    _ socket: ListeningSocket, _ host: any JoiningHost, limits: ClientLimits = ClientLimits()
  ) throws(AudioError) {
    self.socket = socket
    self.host = host
    self.limits = limits
    poll = try ClientPoll()
    mail = ClientMail(poll)
    try poll.change(socket.descriptor, from: [], to: [.reading])
  }

  /// How many clients are connected. Any thread.
  var count: Int { clientCount.load(ordering: .relaxed) }

  /// Ends ``run()``, once all have got what is there for them, or had their time. Any thread.
  func end() {
    isEnding.store(true, ordering: .releasing)
    poll.wake()
  }

  /// Serves clients until ``end()``. On a thread of its own.
  func run() {
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
    defer { unsafe scratch.deallocate() }
    var table = unsafe ClientTable(poll: poll, host: host, mail: mail, scratch: scratch)
    var limit: Duration?
    while !isEnding.load(ordering: .acquiring) {
      let ready = poll.wait(atMost: limit)
      let begin = MonotonicTime.now
      if ready.contains(socket.descriptor.number) { accept(into: &table, now: begin) }
      let hasMail = mail.collect()
      if hasMail {
        table.tell(mail.takeNews())
      }
      limit = table.round(ready, hasMail: hasMail, now: begin)
      clientCount.store(table.count, ordering: .relaxed)
      let rest = Self.roundLength - MonotonicTime.now.elapsed(since: begin)
      let isAtOnce = limit == .zero || ready.count == ClientPoll.mostAtOnce
      if !isAtOnce, rest > .zero { usleep(UInt32(rest.inNanoseconds / 1_000)) }
    }
    table.finish()
    clientCount.store(0, ordering: .relaxed)
  }

  private func accept(into table: inout ClientTable, now: MonotonicTime) {
    while let descriptor = socket.accept() {
      let connection = Connection(descriptor)
      if table.count < limits.clients {
        table.add(Greeting(connection, until: now + limits.greeting))
      } else {
        let error = AudioError(
          .unavailable, cannot: "take the client", "",
          because: "there are \(limits.clients) already")
        table.add(Farewell(connection, ReplyLine.refused(error)))
      }
    }
  }
}
