// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import CLinux
internal import Synchronization

/// The server's callbacks to a client, other than its cycles. The server calls them on a thread of its own, where no
/// call into the server is allowed: they only note the event, and the client's own thread acts on it.
@safe
final class ClientEvents: Sendable {
  let sampleRate: Int
  private let cycle: JackCycle
  fileprivate static var ended: String { "the JACK server ended the client" }
  /// Wakes the client's own thread.
  let changes = Wakeup()
  private let hasGraphChanged = Atomic<Bool>(true)
  private let hasPortGone = Atomic<Bool>(false)
  private let loss = Mutex<String?>(nil)
  private let news = Mutex<[LiveNotice]>([])
  private let standstills = Atomic<Int>(0)
  private let lastDelay = Mutex<Float>(0)
  private nonisolated(unsafe) let client: OpaquePointer
  /// Samples per channel between this client's input and output ports; −1 if it has no both.
  let lag = Atomic<Int>(-1)
  private let ports = Mutex<[DeviceDirection: [PortHandle]]>([:])

  init(of handle: borrowing JackHandle, cycle: JackCycle) {
    unsafe client = handle.client
    sampleRate = handle.sampleRate
    self.cycle = cycle
  }

  /// The reason of the server's end; nil while it serves the client.
  var lossReason: String? { loss.withLock { $0 } }

  /// Notes that the client is lost. The first reason stays.
  func lose(_ reason: String) {
    loss.withLock { $0 = $0 ?? reason }
    changes.signal()
  }

  /// Whether ports or connections have changed since the last call, and whether a port has gone.
  func takeGraphChange() -> (hasChanged: Bool, hasPortGone: Bool) {
    (
      hasGraphChanged.exchange(false, ordering: .acquiringAndReleasing),
      hasPortGone.exchange(false, ordering: .acquiringAndReleasing)
    )
  }

  /// Sets the ports whose latencies the server may ask for.
  func setPorts(_ groups: [PortGroup]) {
    let all = Dictionary(grouping: groups, by: \.direction).mapValues { $0.flatMap(\.ports) }
    ports.withLock { $0 = all }
  }

  /// Passes latencies on through this client: from its input ports to its output ports (`capture`), or back.
  fileprivate func passLatency(_ direction: DeviceDirection) {
    let lag = lag.load(ordering: .acquiring)
    let other = direction == .capture ? DeviceDirection.playback : .capture
    let ports = ports.withLock { $0 }
    let ranges = (ports[direction] ?? []).map { $0.latency(direction) }
    guard lag >= 0, let low = ranges.map(\.lowerBound).min(),
      let high = ranges.map(\.upperBound).max()
    else { return }
    for port in ports[other] ?? [] { port.setLatency(direction, low + lag...high + lag) }
  }

  func noteGraph() {
    hasGraphChanged.store(true, ordering: .releasing)
    changes.signal()
  }

  /// The standstills of the server since the last call.
  func takeStandstills() -> Int { standstills.exchange(0, ordering: .acquiringAndReleasing) }

  func takeNews() -> [LiveNotice] { news.withLock { $0.takeAll() } }

  private func tell(_ text: String) {
    news.withLock { $0.append(LiveNotice(text)) }
    changes.signal()
  }

  fileprivate func notePort(isNew: Bool) {
    if !isNew { hasPortGone.store(true, ordering: .releasing) }
    noteGraph()
  }

  /// The server tells an xrun of its own with its length, and the lateness of any client without one.
  fileprivate func noteXRun() {
    let delay = unsafe jack_get_xrun_delayed_usecs(client)
    let isNew = lastDelay.withLock { last in
      defer { last = delay }
      return delay > 0 && delay != last
    }
    if !isNew { return }
    standstills.wrappingAdd(1, ordering: .acquiringAndReleasing)
    let milliseconds = (Double(delay) / 100).rounded() / 10
    let length = milliseconds > 0 ? " for \(milliseconds) ms" : ""
    tell("stood still\(length): an xrun of the server, nothing lost")
  }

  fileprivate func notePeriod(_ count: Int) {
    if count > PortBuffer.longestCycle {
      lose("its period of \(count) samples is longer than \(PortBuffer.longestCycle)")
    }
    let before = cycle.period
    if count == before { return }
    cycle.period = count
    tell("has a period of \(count) samples now, before \(before)")
  }

  fileprivate func noteRate(_ rate: Int) {
    if rate == sampleRate { return }
    lose("its rate changed from \(sampleRate) to \(rate) Hz")
  }

  fileprivate func noteFreewheel(_ isOn: Bool) {
    if cycle.freewheels == isOn { return }
    cycle.freewheels = isOn
    tell(isOn ? "freewheels: it moves samples as fast as it can" : "keeps time again")
  }
}

extension ClientEvents {
  /// Registers every callback. Call this before the client is activated; both objects must outlive it.
  func register() {
    let me = unsafe Unmanaged.passUnretained(self).toOpaque()
    let cycle = unsafe Unmanaged.passUnretained(cycle).toOpaque()
    unsafe jack_set_process_callback(
      client,
      { count, cycle in
        guard let cycle = unsafe cycle else { return 0 }
        unsafe Unmanaged<JackCycle>.fromOpaque(cycle)._withUnsafeGuaranteedRef {
          $0.run(Int(count))
        }
        return 0
      }, cycle)
    unsafe jack_set_thread_init_callback(
      client, { _ in unsafe rawaudio_name_thread("jack cycle") }, nil)
    unsafe jack_set_xrun_callback(
      client,
      {
        unsafe events($0)?.noteXRun()
        return 0
      }, me)
    unsafe jack_set_buffer_size_callback(
      client,
      { count, me in
        unsafe events(me)?.notePeriod(Int(count))
        return 0
      }, me)
    unsafe jack_set_sample_rate_callback(
      client,
      { rate, me in
        unsafe events(me)?.noteRate(Int(rate))
        return 0
      }, me)
    unsafe jack_set_freewheel_callback(
      client, { isOn, me in unsafe events(me)?.noteFreewheel(isOn != 0) }, me)
    unsafe jack_set_latency_callback(
      client,
      { mode, me in
        unsafe events(me)?.passLatency(mode == JackCaptureLatency ? .capture : .playback)
      }, me)
    unsafe jack_set_port_registration_callback(
      client, { _, isNew, me in unsafe events(me)?.notePort(isNew: isNew != 0) }, me)
    unsafe jack_set_port_connect_callback(
      client, { _, _, _, me in unsafe events(me)?.noteGraph() }, me)
    // PipeWire calls only this one, jackd the other.
    unsafe jack_on_shutdown(client, { me in unsafe events(me)?.lose(ClientEvents.ended) }, me)
    unsafe jack_on_info_shutdown(
      client,
      { _, reason, me in
        let text = unsafe reason.map { unsafe String(cString: $0) } ?? ""
        unsafe events(me)?.lose(
          ClientEvents.ended + (text.isEmpty ? "" : ": \(text)"))
      }, me)
  }
}

private func events(_ place: UnsafeMutableRawPointer?) -> ClientEvents? {
  unsafe place.map { unsafe Unmanaged<ClientEvents>.fromOpaque($0).takeUnretainedValue() }
}
