// SPDX-License-Identifier: Apache-2.0
internal import CJACK
internal import Glibc
internal import Synchronization

/// A client of a JACK server. `deinit` closes it. Corresponds to `jack_client_t`.
@safe
struct JackHandle: ~Copyable, @unchecked Sendable {
  /// For the calls in this target only. libjack takes calls from any thread.
  let client: OpaquePointer
  private let isClosed = Atomic<Bool>(false)

  /// Opens a client of the server that runs; starts none. It may wait for the server: see ``BoundedCall``.
  ///
  /// - Parameter device: the subject of errors.
  /// - Throws: `unavailable` without a server or a library.
  init(named name: String, for device: String) throws(AudioError) {
    JackMessages.keep()
    JackMessages.forget()
    let limit = Int(jack_client_name_size()) - 1
    guard name.utf8.count <= limit else {
      throw AudioError(
        .invalidParameter, cannot: "name a JACK client", name,
        because: "it is longer than the \(limit) bytes of the server")
    }
    var status = jack_status_t(0)
    guard let client = unsafe rawaudio_jack_open(name, &status) else {
      throw Self.failure(status, device)
    }
    unsafe self.client = client
  }

  deinit { close() }

  /// Ends the client, once: its threads end before the return.
  func close() {
    if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
    unsafe _ = jack_client_close(client)
  }

  private static func failure(_ status: jack_status_t, _ device: String) -> AudioError {
    func has(_ bit: JackStatus) -> Bool { status.rawValue & bit.rawValue != 0 }
    let start = "start jackd; a program of PipeWire is started with pw-jack in front"
    let (reason, advice): (String, String?) =
      if has(JackVersionError) {
        (
          "the JACK server is of another version than libjack",
          "install both from one source, or start rawaudio with pw-jack in front"
        )
      } else if has(JackServerFailed) {
        ("no JACK server runs", start)
      } else if has(JackNameNotUnique) {
        ("the server has too many clients of that name", "choose another with --name")
      } else {
        (
          JackMessages.latest.map { "the JACK server refused: \($0)" }
            ?? "the JACK server refused the client",
          nil
        )
      }
    return AudioError(
      .unavailable, cannot: "open device", device, because: reason, advice: advice)
  }

  /// The name that the server gave the client.
  var name: String {
    unsafe jack_get_client_name(client).map { unsafe String(cString: $0) } ?? ""
  }

  /// In hertz.
  var sampleRate: Int { unsafe Int(jack_get_sample_rate(client)) }

  /// The server's period in samples per channel.
  var period: Int { unsafe Int(jack_get_buffer_size(client)) }

  /// The audio ports of other clients, in the server's order.
  func ports(_ direction: DeviceDirection) -> [JackPort] {
    // A port that gives samples is an output of its client.
    let flags = direction == .capture ? JackPortIsOutput : JackPortIsInput
    let own = name + ":"
    return names(flags).filter { !$0.hasPrefix(own) }.map { name in
      var isPhysical = false
      if let port = unsafe jack_port_by_name(client, name) {
        isPhysical = unsafe jack_port_flags(port) & CInt(JackPortIsPhysical.rawValue) != 0
      }
      return JackPort(name: name, direction: direction, isPhysical: isPhysical)
    }
  }

  func hasPort(_ name: String) -> Bool { unsafe jack_port_by_name(client, name) != nil }

  private func names(_ flags: JackPortFlags) -> [String] {
    let list = unsafe jack_get_ports(
      client, nil, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue))
    return unsafe strings(list)
  }

  /// The ports that a port of this client is connected to.
  func connections(of port: PortHandle) -> [String] {
    unsafe strings(jack_port_get_all_connections(client, port.port))
  }

  /// - Returns: nil if the server refuses another port.
  func register(_ name: String, _ direction: DeviceDirection) -> PortHandle? {
    let flags = direction == .capture ? JackPortIsInput : JackPortIsOutput
    let port = unsafe jack_port_register(
      client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(flags.rawValue), 0)
    return unsafe port.map { unsafe PortHandle(port: $0) }
  }

  func unregister(_ port: PortHandle) { unsafe _ = jack_port_unregister(client, port.port) }

  /// Connects a port that gives samples with one that takes some.
  ///
  /// - Returns: whether they are connected now.
  func connect(_ giver: String, to taker: String) -> Bool {
    let code = unsafe jack_connect(client, giver, taker)
    return code == 0 || code == EEXIST
  }

}

/// Copies and releases a list of libjack.
private func strings(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>?) -> [String] {
  guard let list = unsafe list else { return [] }
  defer { unsafe jack_free(list) }
  var names: [String] = []
  while let name = unsafe list[names.count] { unsafe names.append(String(cString: name)) }
  return names
}
