// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Synchronization

/// A client of a JACK server, shared by all ends of this process with its name: a source and a sink then move in one
/// cycle, by one clock.
@safe
final class JackClient: Sendable {
  let handle: JackHandle
  let cycle: JackCycle
  let events: ClientEvents
  /// In hertz.
  let sampleRate: Int
  /// The name that the server gave.
  let name: String
  private let groups = Mutex<[PortGroup]>([])
  private let portNumbers = Mutex<[DeviceDirection: Int]>([:])
  private let isActive = Mutex(false)
  private let isClosing = Atomic<Bool>(false)
  /// Keeps the end of the client apart from the removal of ports: libjack's close releases the memory that the other uses.
  private let unregistering = Mutex(())
  /// Whether libjack cannot close the client: a call still waits for the server, or the server has removed the client.
  private let hangs = Atomic<Bool>(false)
  private let stallLimit: Duration
  private let watch = Mutex<SendableThread?>(nil)

  private struct SendableThread: @unchecked Sendable {
    let thread: SystemThread
  }

  /// - Throws: `unavailable` without a server or a library. It may wait for the server: see ``BoundedCall``.
  fileprivate init(named name: String, for device: String, stallLimit: Duration) throws(AudioError)
  {
    handle = try JackHandle(named: name, for: device)
    sampleRate = handle.sampleRate
    self.name = handle.name
    self.stallLimit = stallLimit
    cycle = unsafe JackCycle(
      of: handle.client, sampleRate: handle.sampleRate, period: handle.period)
    events = ClientEvents(of: handle, cycle: cycle)
    events.register()
  }

  /// Registers the ports of an end.
  ///
  /// - Throws: `unavailable` if the server has no more ports, or does not answer.
  func addGroup(
    _ request: PortRequest, _ direction: DeviceDirection, channelCount: Int, device: String,
    session: Wakeup
  ) throws(AudioError) -> PortGroup {
    let first = portNumbers.withLock { numbers in
      let first = numbers[direction, default: 0]
      numbers[direction] = first + channelCount
      return first
    }
    let ports = try bounded(for: device) { [self] () -> [PortHandle]? in
      var ports: [PortHandle] = []
      for channel in 0..<channelCount {
        let name = (direction == .capture ? "in_" : "out_") + "\(first + channel + 1)"
        guard let port = handle.register(name, direction) else {
          ports.forEach { handle.unregister($0) }
          return nil
        }
        ports.append(port)
      }
      return ports
    }
    guard let ports else {
      throw AudioError(
        .unavailable, cannot: "open device", device,
        because: "the JACK server has no room for \(channelCount) more ports",
        advice: "start it with a higher --port-max")
    }
    return PortGroup(request, direction, ports, session: session)
  }

  /// The audio ports of other clients, in the server's order.
  func ports(_ direction: DeviceDirection, for device: String) throws(AudioError) -> [JackPort] {
    try bounded(for: device) { [self] in handle.ports(direction) }
  }

  /// Runs calls that wait for the server. After one without an answer the client is never closed.
  ///
  /// - Throws: `unavailable` if the server does not answer.
  private func bounded<Value: Sendable>(
    for device: String, _ body: @escaping @Sendable () -> Value
  ) throws(AudioError) -> Value {
    guard let value = try BoundedCall.run(body) else {
      hangs.store(true, ordering: .releasing)
      throw .serverDoesNotAnswer(device)
    }
    return value
  }

  /// Activates the client if it is not active, connects the ports of `group`, and waits until the connections hold.
  func join(_ group: PortGroup, device: String) throws(AudioError) {
    let isJoined = try bounded(for: device) { [self] in
      let isNew = isActive.withLock { isActive in
        defer { isActive = true }
        return !isActive
      }
      if isNew, unsafe jack_activate(handle.client) != 0 { return false }
      connectNow(group)
      groups.withLock { $0.append(group) }
      events.setPorts(groups.withLock { $0 })
      return true
    }
    guard isJoined else {
      throw AudioError(
        .unavailable, cannot: "open device", device,
        because: JackMessages.latest ?? "the JACK server did not activate the client")
    }
    try startWatching()
  }

  /// Makes the first connections, and waits until they hold and a cycle has begun with them.
  private func connectNow(_ group: PortGroup) {
    let begin = MonotonicTime.now
    func isInTime() -> Bool {
      MonotonicTime.now.elapsed(since: begin) < .seconds(2) && events.lossReason == nil
    }
    while !group.connect(through: handle, hasPortGone: false), isInTime() {
      nap(microseconds: 1_000)
    }
    group.hasJoined = true
    let last = cycle.lastCycle
    while cycle.lastCycle == last, isInTime() { nap(microseconds: 500) }
  }

  /// Stops a playback, and waits for a cycle that filled its ports with silence, unless the client is late: ports hold
  /// the samples of their last cycle until they go.
  func silence(_ stream: PlaybackStream) {
    stream.live.stop()
    stream.live.leave()
    let limit = Duration.milliseconds(50 + 4_000 * cycle.period / sampleRate)
    let begin = MonotonicTime.now
    while !stream.isSilenced, events.lossReason == nil,
      MonotonicTime.now.elapsed(since: begin) < limit
    {
      nap(microseconds: 500)
    }
  }

  fileprivate var canClose: Bool { !hangs.load(ordering: .acquiring) }

  /// Removes the ports of an end.
  fileprivate func remove(_ group: PortGroup) {
    groups.withLock { $0.removeAll { $0 === group } }
    events.setPorts(groups.withLock { $0 })
    unregistering.withLock { _ in
      for port in group.ports
      where events.lossReason == nil && !isClosing.load(ordering: .acquiring) {
        handle.unregister(port)
      }
    }
  }

  /// Closes the client and its ports. ``stopWatching()`` comes before it.
  fileprivate func close() { unregistering.withLock { _ in handle.close() } }

  /// Tells the server that output ports play `lag` samples per channel behind the input ports.
  func setLag(_ lag: Int) {
    events.lag.store(lag, ordering: .releasing)
    events.changes.signal()
  }

  private func startWatching() throws(AudioError) {
    if watch.withLock({ $0 != nil }) { return }
    let thread = SendableThread(
      thread: try SystemThread(named: "jack ports") { [self] in watchServer() })
    watch.withLock { $0 = thread }
  }

  fileprivate func stopWatching() {
    isClosing.store(true, ordering: .releasing)
    events.changes.signal()
    let hasEnded = watch.withLock { $0 }?.thread.join(atMost: .seconds(1)) ?? true
    if !hasEnded { hangs.store(true, ordering: .releasing) }
  }

  /// Acts on the server's events, and notices a server that stands still. [own thread]
  private func watchServer() {
    var standstill = Standstill(limit: stallLimit)
    var isPending = false
    var toldLag = -1
    while !isClosing.load(ordering: .acquiring) {
      events.changes.wait(atMost: .milliseconds(250))
      if isClosing.load(ordering: .acquiring) { return }
      let present = groups.withLock { $0 }
      if !cycle.freewheels, standstill.isOver(cycle.lastCycle, at: .now) {
        events.lose("it moved no sample for \(stallLimit.components.seconds) s")
      }
      for notice in events.takeNews() { present.forEach { $0.tell(notice) } }
      let count = events.takeStandstills()
      if count > 0 { present.forEach { $0.countStandstills(count) } }
      if events.lossReason != nil {
        present.forEach { $0.wake() }
        return
      }
      let lag = events.lag.load(ordering: .acquiring)
      if lag != toldLag {
        toldLag = lag
        unsafe _ = jack_recompute_total_latencies(handle.client)
      }
      let (hasChanged, hasPortGone) = events.takeGraphChange()
      if hasChanged || isPending {
        isPending = false
        if present.contains(where: { !$0.isPresent(in: handle) }) {
          // PipeWire's libjack calls nothing then, and its own close crashes (0.3.65).
          hangs.store(true, ordering: .releasing)
          events.lose("the server removed the client")
          continue
        }
        for group in present {
          let holds = group.connect(through: handle, hasPortGone: hasPortGone)
          isPending = isPending || !holds
        }
      }
    }
  }
}

/// The clients of this process.
enum JackClients {
  private struct Use: Sendable {
    let name: String
    let client: JackClient
    var count = 1
  }

  private static let uses = Mutex<[Use]>([])

  /// The client of that name, a new one if there is none. ``release(_:_:)`` follows every call.
  ///
  /// - Throws: `unavailable` without a server, a library or an answer.
  static func take(
    named name: String, for device: String, stallLimit: Duration
  ) throws(AudioError) -> JackClient {
    let shared = uses.withLock { uses -> JackClient? in
      let index = uses.firstIndex { $0.name == name && $0.client.events.lossReason == nil }
      guard let index else { return nil }
      uses[index].count += 1
      return uses[index].client
    }
    if let shared { return shared }
    try JackLibrary.require(for: device)
    let answer = try BoundedCall.run { () -> Result<JackClient, AudioError> in
      do throws(AudioError) {
        return .success(try JackClient(named: name, for: device, stallLimit: stallLimit))
      } catch {
        return .failure(error)
      }
    }
    guard let answer else { throw .serverDoesNotAnswer(device) }
    let client = try answer.get()
    uses.withLock { $0.append(Use(name: name, client: client)) }
    return client
  }

  /// Removes the ports of an end, and closes the client after its last end.
  static func release(_ client: JackClient, _ group: PortGroup?) {
    let isLast = uses.withLock { uses -> Bool in
      guard let index = uses.firstIndex(where: { $0.client === client }) else { return false }
      uses[index].count -= 1
      if uses[index].count > 0 { return false }
      uses.remove(at: index)
      return true
    }
    if isLast { client.stopWatching() }
    guard client.canClose else {
      _ = unsafe Unmanaged.passRetained(client)
      return
    }
    // An error of these calls has no receiver.
    if isLast {
      // This removes the ports, too.
      _ = try? BoundedCall.run { client.close() }
    } else if let group {
      // Each port takes the server a cycle, and the session goes on.
      let thread = try? SystemThread(named: "jack call") { client.remove(group) }
      _ = thread?.join(atMost: .zero)
    }
  }
}

extension AudioError {
  static func serverDoesNotAnswer(_ device: String) -> AudioError {
    AudioError(
      .unavailable, cannot: "open device", device,
      because: "the JACK server does not answer", advice: "is it stopped?")
  }
}
