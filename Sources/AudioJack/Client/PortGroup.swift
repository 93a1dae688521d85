// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The ports of one end, and their connections.
@safe
final class PortGroup: Sendable {
  let request: PortRequest
  let direction: DeviceDirection
  /// One for each channel, valid while the client is open.
  let ports: [PortHandle]
  /// With the client's name in front.
  let names: [String]
  private let session: Wakeup
  private let news = Mutex<[LiveNotice]>([])
  private let state = Mutex(Connections())
  private let standstills = RunningCount()
  private let isJoined = Atomic<Bool>(false)
  private let wasConnected = Atomic<Bool>(false)

  private struct Connections {
    /// The requested connections that held once, until their port goes.
    var made: Set<PortConnection> = []
    /// All present ones, others' included.
    var present: Set<PortConnection> = []
    var hasBegun = false
  }

  init(
    _ request: PortRequest, _ direction: DeviceDirection, _ ports: [PortHandle],
    session: Wakeup
  ) {
    self.request = request
    self.direction = direction
    self.ports = ports
    names = ports.map(\.name)
    self.session = session
  }

  /// Whether the first connections have been made.
  var hasJoined: Bool {
    get { isJoined.load(ordering: .relaxed) }
    set { isJoined.store(newValue, ordering: .relaxed) }
  }

  /// Whether any of the ports has been connected, by this client or by another.
  var hasBeenConnected: Bool { wasConnected.load(ordering: .acquiring) }

  /// Adds news for the session.
  func tell(_ notice: LiveNotice) {
    news.withLock { $0.append(notice) }
    session.signal()
  }

  /// Wakes the session.
  func wake() { session.signal() }

  /// The news since the last call. Session thread only.
  func takeNews() -> [LiveNotice] { news.withLock { $0.takeAll() } }

  /// Counts standstills of the server.
  func countStandstills(_ count: Int) {
    standstills.add(Int64(count))
    session.signal()
  }

  /// The standstills of the server since the last call. Session thread only.
  func takeStandstills() -> Int { Int(standstills.take()) }

  /// Connects what the request names and is not connected yet. A connection that a user cuts stays cut until its port
  /// comes back.
  ///
  /// - Parameter hasPortGone: whether a port has gone since the last call: it may be back already.
  /// - Returns: whether every connection holds. The server takes them up between two cycles, late if a client is late.
  func connect(through handle: borrowing JackHandle, hasPortGone: Bool) -> Bool {
    let others = handle.ports(direction)
    let wanted = Set(request.connections(among: others, channelCount: names.count))
    let present = present(in: handle)
    var (made, before, isFirst) = state.withLock { ($0.made, $0.present, !$0.hasBegun) }
    made.formIntersection(wanted)
    if hasPortGone { made.formIntersection(present) }
    made.formUnion(wanted.intersection(present))
    let missing = wanted.subtracting(made)
    for connection in missing {
      let own = names[connection.channel]
      _ =
        direction == .capture
        ? handle.connect(connection.port, to: own) : handle.connect(own, to: connection.port)
    }
    state.withLock { $0 = Connections(made: made, present: present, hasBegun: true) }
    if !present.isEmpty { wasConnected.store(true, ordering: .releasing) }
    tellChanges(from: before, to: present)
    if isFirst, request.matchesNothing(among: others) { tellNothing(among: others) }
    return missing.isEmpty
  }

  /// Whether the server still has the ports.
  func isPresent(in handle: borrowing JackHandle) -> Bool {
    for name in names where !handle.hasPort(name) { return false }
    return true
  }

  private func present(in handle: borrowing JackHandle) -> Set<PortConnection> {
    var present: Set<PortConnection> = []
    for (channel, port) in ports.enumerated() {
      for other in handle.connections(of: port) {
        present.insert(PortConnection(port: other, channel: channel))
      }
    }
    return present
  }

  private func tellChanges(from before: Set<PortConnection>, to after: Set<PortConnection>) {
    func ports(_ connections: Set<PortConnection>) -> String {
      let ordered = connections.sorted { ($0.channel, $0.port) < ($1.channel, $1.port) }
      return ordered.map {
        "channel \($0.channel + 1) \(preposition(after.contains($0))) \($0.port)"
      }
      .joined(separator: ", ")
    }
    let gone = before.subtracting(after)
    let come = after.subtracting(before)
    if !gone.isEmpty { tell(LiveNotice("is disconnected: \(ports(gone))")) }
    if !come.isEmpty { tell(LiveNotice("is connected: \(ports(come))", isDetail: !hasJoined)) }
  }

  private func preposition(_ isConnected: Bool) -> String {
    isConnected ? direction == .capture ? "from" : "to" : "of"
  }

  private func tellNothing(among others: [JackPort]) {
    guard case .named(let items) = request else { return }
    let names = others.nearest(to: items[0])
    let hint = names.isEmpty ? "" : " (the nearest: \(names.joined(separator: ", ")))"
    tell(LiveNotice("waits for ports: none matches '\(items.joined(separator: ","))'\(hint)"))
  }

  /// Tells the latency of the ports, which is known once they are connected.
  ///
  /// - Returns: the longest one in samples per channel.
  func tellLatency(sampleRate: Int) -> Int {
    let ranges = ports.map { $0.latency(direction) }
    let low = ranges.map(\.lowerBound).min() ?? 0
    let high = ranges.map(\.upperBound).max() ?? 0
    let count = low == high ? "\(high)" : "\(low) to \(high)"
    let before = direction == .capture ? "before" : "behind"
    tell(
      LiveNotice(
        "has a latency of \(count) samples (\(milliseconds(high, at: sampleRate))) \(before) its ports",
        isDetail: true))
    return high
  }
}
