// SPDX-License-Identifier: Apache-2.0
/// The user's requests to a JACK server. A nil value is left to the server and the stream.
public struct JackOptions: Sendable, Hashable {
  /// The client's name in the graph; the server appends a number if it is taken. nil means `rawaudio`.
  public var clientName: String?
  /// In hertz. The server's rate is the stream's. ``ratePolicy`` decides if it differs.
  public var sampleRate: Int?
  /// The behaviour if the server does not run at ``sampleRate``.
  public var ratePolicy = RatePolicy.resample
  /// The behaviour at a gap in a capture.
  public var gapPolicy = GapPolicy.fill
  /// The behaviour of a capture whose server ends.
  public var lossPolicy = LossPolicy.fail
  /// The number of ports. nil means one for each named port, or as many as the stream has channels; physical ports are
  /// two at least, if there are as many.
  public var channelCount: Int?
  /// The samples that a playback holds before its first one is played. nil means two periods of the server; half of
  /// ``ring`` with a ``latency``.
  public var buffer: DeviceLength?
  /// The storage between the server's cycle and the session. nil means 4 s for a capture and 500 ms for a playback, or
  /// twice the ``latency`` if that is more.
  public var ring: DeviceLength?
  /// How long samples may wait between the cycle and the session; if nil, each period wakes the session.
  public var latency: Duration?
  /// The time without a cycle after which the server counts as lost.
  public var stallLimit = Duration.seconds(10)

  /// Leaves everything to the server and the stream.
  public init() {}

  var name: String { clientName ?? "rawaudio" }

  /// The name of the clock of the server, of which all ends of one client share it: their streams never drift apart.
  var clockName: String { "jack:\(name)" }

  func ring(for direction: DeviceDirection, at rate: Int) -> Int {
    let usual = Duration.milliseconds(direction == .capture ? 4_000 : 500)
    return (ring ?? .time(max(usual, (latency ?? .zero) * 2))).samplesPerChannel(at: rate)
  }
}
