// SPDX-License-Identifier: Apache-2.0
/// All clients of a listener, by their descriptors. The listener's thread.
@safe
struct ClientTable {
  /// A client and the events awaited at its connection.
  private struct Entry {
    var client: any Client
    var interest: ClientPoll.Interest = []
  }

  private let poll: ClientPoll
  /// The resources of every round.
  private let resources: ClientRound
  private var entries: [Int32: Entry] = [:]
  /// The clients with a turn even without an event: they have a deadline or wait for room.
  private var watched: Set<Int32> = []
  /// The clients with more to do at once.
  private var busy: Set<Int32> = []

  /// The interval between the turns of watched clients.
  private static let watchInterval = Duration.milliseconds(10)
  /// The time for the clients to take their remaining bytes at the end.
  private static let patience = Duration.seconds(1)

  init(_ poll: ClientPoll, _ resources: ClientRound) {
    self.poll = poll
    self.resources = resources
  }

  var count: Int { entries.count }

  /// The number of clients without a first line.
  private(set) var greetingCount = 0

  mutating func add(_ client: any Client) {
    let number = client.connection.descriptor.number
    if client is Greeting { greetingCount += 1 }
    entries[number] = Entry(client: client)
    settle(number)
  }

  /// Hands lines to the clients that want events.
  func tell(_ lines: [[UInt8]]) {
    if lines.isEmpty { return }
    for entry in entries.values {
      guard let client = entry.client as? ControlClient else { continue }
      for line in lines { client.tell(line) }
    }
  }

  /// Gives a turn to the clients that are ready, and to all if there is mail.
  ///
  /// - Returns: the time until the next turn without an event; nil means no limit.
  mutating func round(_ ready: ArraySlice<Int32>, hasMail: Bool, now: MonotonicTime) -> Duration? {
    var round = resources
    round.now = now
    let again = busy
    busy = []
    for number in ready { turn(number, &round, isReady: true) }
    for number in again where !ready.contains(number) { turn(number, &round, isReady: true) }
    let others = hasMail ? Array(entries.keys) : Array(watched)
    for number in others where !ready.contains(number) && !again.contains(number) {
      turn(number, &round, isReady: false)
    }
    // One signal for all sources: they feed one session.
    round.fed?.signalSession()
    if !busy.isEmpty { return .zero }
    return watched.isEmpty ? nil : Self.watchInterval
  }

  private mutating func turn(_ number: Int32, _ round: inout ClientRound, isReady: Bool) {
    guard let client = entries[number]?.client else { return }
    switch client.advance(&round, isReady: isReady) {
    case .stay: settle(number)
    case .again:
      busy.insert(number)
      settle(number)
    case .become(let next):
      if client is Greeting { greetingCount -= 1 }
      entries[number]?.client = next
      // The bytes behind the first line may have come already.
      busy.insert(number)
      settle(number)
    case .leave: remove(number)
    }
  }

  /// Waits for the events that the client can use now.
  private mutating func settle(_ number: Int32) {
    guard let entry = entries[number] else { return }
    let client = entry.client
    var interest: ClientPoll.Interest = client.isReading ? [.reading] : []
    if client.connection.unsentCount > 0 { interest.insert(.writing) }
    do throws(AudioError) {
      try poll.change(client.connection.descriptor, from: entry.interest, to: interest)
    } catch {
      return remove(number)
    }
    entries[number]?.interest = interest
    if client.deadline != nil || !client.isReading {
      watched.insert(number)
    } else {
      watched.remove(number)
    }
  }

  private mutating func remove(_ number: Int32) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    watched.remove(number)
    busy.remove(number)
    if entry.client is Greeting { greetingCount -= 1 }
    // Ends the wait now: the last user of the connection closes it, maybe later.
    try? poll.change(entry.client.connection.descriptor, from: entry.interest, to: [])
    entry.client.leave()
  }

  /// Sends the remaining bytes to all clients within a time limit, then disconnects them.
  mutating func finish() {
    let begin = MonotonicTime.now
    while true {
      tell(resources.mail.takeNews())
      _ = round([], hasMail: true, now: .now)
      for (number, entry) in entries where entry.client.connection.unsentCount == 0 {
        remove(number)
      }
      if entries.isEmpty || MonotonicTime.now.elapsed(since: begin) > Self.patience { break }
      _ = poll.wait(atMost: Self.watchInterval)
    }
    for number in entries.keys { remove(number) }
  }
}
