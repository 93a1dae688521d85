// SPDX-License-Identifier: Apache-2.0
/// The user's requests to a stream of a network. A nil value is left to the sender.
public struct NetworkOptions: Sendable, Hashable {
  /// The way of the packets of a server.
  @nonexhaustive
  public enum Transport: String, Sendable, Hashable, CaseIterable {
    /// Between the messages, by TCP.
    case interleaved = "tcp"
    /// To ports of this machine, by UDP.
    case datagrams = "udp"
  }

  /// How long a missing packet is waited for. It also bounds how late samples come: lengths and places do not depend on
  /// it. Nil means 200 ms; 60 ms without a ``latency``.
  public var jitter: Duration?
  /// The time without a packet after which the sender counts as lost.
  public var timeout: Duration
  /// The format of packets that no description states.
  public var payload: PayloadFormat?
  /// The way of the packets of a server.
  public var transport: Transport
  /// The number of the stream of sound of a description or of a server, from 1. Nil for the first one that can be
  /// received.
  public var stream: Int?
  /// The name of the interface at which a multicast group is joined, if its address has none. Nil leaves it to the
  /// system.
  public var interface: String?
  /// For a server that asks for them, if its address has none.
  public var credentials: Credentials?
  /// Whether the time of day is this machine's, and not the one that the sender states.
  public var usesOwnTime: Bool
  /// The behaviour at a gap.
  public var gapPolicy: GapPolicy
  /// The behaviour if the sender is lost.
  public var lossPolicy: LossPolicy
  /// The storage between the network's thread and the session. Nil means 4 s, or twice the ``latency`` if that is more.
  public var ring: DeviceLength?
  /// How long samples may wait in the ring; if nil, each packet wakes the session.
  public var latency: Duration?

  /// The pause between two attempts to reach a lost sender: a sender that is back is heard within two seconds.
  var pause = Duration.seconds(1)

  /// Leaves everything to the sender that is not given.
  public init(
    jitter: Duration? = nil, timeout: Duration = .seconds(10), payload: PayloadFormat? = nil,
    transport: Transport = .interleaved, stream: Int? = nil, interface: String? = nil,
    credentials: Credentials? = nil, usesOwnTime: Bool = false, gapPolicy: GapPolicy = .fill,
    lossPolicy: LossPolicy = .fail, ring: DeviceLength? = nil, latency: Duration? = nil
  ) {
    self.jitter = jitter
    self.timeout = timeout
    self.payload = payload
    self.transport = transport
    self.stream = stream
    self.interface = interface
    self.credentials = credentials
    self.usesOwnTime = usesOwnTime
    self.gapPolicy = gapPolicy
    self.lossPolicy = lossPolicy
    self.ring = ring
    self.latency = latency
  }

  var waitsForReturn: Bool { lossPolicy == .reopen && gapPolicy == .fill }

  var wait: Duration { jitter ?? .milliseconds(latency == nil ? 60 : 200) }

  func ringSize(at rate: Int) -> Int {
    (ring ?? .time(max(.seconds(4), (latency ?? .zero) * 2))).samplesPerChannel(at: rate)
  }
}
