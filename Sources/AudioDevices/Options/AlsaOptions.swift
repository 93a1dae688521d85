// SPDX-License-Identifier: Apache-2.0
/// The user's requests to an ALSA device. A nil value is left to the device and its stream.
public struct AlsaOptions: Sendable, Hashable {
  /// In hertz. If the device does not give exactly this rate, initialising fails, or ``ratePolicy`` decides.
  public var sampleRate: Int?
  /// The behaviour if the device does not give ``sampleRate``.
  public var ratePolicy = RatePolicy.fail
  /// The behaviour at a gap in a capture.
  public var gapPolicy = GapPolicy.fill
  /// The behaviour of a capture whose device is lost.
  public var lossPolicy = LossPolicy.fail
  /// If the device does not give exactly this count, initialising fails.
  public var channelCount: Int?
  /// If the device does not give exactly this encoding, initialising fails.
  public var encoding: SampleEncoding?
  /// The encoding to approximate if ``encoding`` is nil: the encoding of the stream to play, s16 for a capture. If
  /// the device refuses it, the nearest wider encoding is taken.
  public var preferredEncoding: SampleEncoding = .s16
  /// ALSA's transfer unit; the device takes the nearest possible. nil means 10 ms, or a quarter of the buffer with a
  /// ``latency``, or about 43 ms from a sound server, whose pace it sets.
  public var period: DeviceLength?
  /// The device's own storage; the device takes the nearest possible. nil means 500 ms for a capture and 200 ms for a
  /// playback; twice the ``latency``, or five periods of a sound server, if that is more.
  public var buffer: DeviceLength?
  /// The storage between the device thread and the session thread, at least as large as ``buffer``. nil means 4 s for
  /// a capture and 500 ms for a playback, or twice the ``latency`` if that is more.
  public var ring: DeviceLength?
  /// How long samples may wait between the device and the session; if nil, each period moves at once.
  ///
  /// With a latency, the device thread sleeps through periods and wakes the session once per latency, which saves a
  /// battery. Nothing is lost by it: a stopped capture delivers every captured sample.
  public var latency: Duration?
  /// The time without a sample after which a running device counts as lost.
  public var stallLimit = Duration.seconds(10)
  /// The level of SCHED_FIFO for the device thread, 1 to 99. The thread stays an ordinary one if this is nil or the
  /// system does not allow it.
  public var priority: Int?

  /// Leaves everything to the device and its stream.
  public init() {}

  func period(at rate: Int) -> Int {
    (period ?? .time(.milliseconds(10))).samplesPerChannel(at: rate)
  }

  /// Whether the buffer determines the device's period.
  var takesPeriodOfBuffer: Bool { latency != nil && period == nil }

  func buffer(for direction: DeviceDirection, at rate: Int) -> Int {
    length(buffer, usual: direction == .capture ? 500 : 200, at: rate)
  }

  func ring(for direction: DeviceDirection, at rate: Int) -> Int {
    length(ring, usual: direction == .capture ? 4_000 : 500, at: rate)
  }

  /// - Parameter usual: in milliseconds; twice the latency if that is more.
  private func length(_ asked: DeviceLength?, usual: Int, at rate: Int) -> Int {
    let usual = max(.milliseconds(usual), (latency ?? .zero) * 2)
    return (asked ?? .time(usual)).samplesPerChannel(at: rate)
  }
}
