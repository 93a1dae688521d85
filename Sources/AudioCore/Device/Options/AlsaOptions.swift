/// What the user asks of an ALSA device. A value that is nil is left to the device and its stream.
public struct AlsaOptions: Sendable, Hashable {
  /// In hertz. Where the device does not give exactly this rate, initialising fails, or it is run as
  /// ``ratePolicy`` says.
  public var sampleRate: Int?
  /// What happens where the device does not give ``sampleRate``.
  public var ratePolicy = RatePolicy.fail
  /// What becomes of a gap in a capture.
  public var gapPolicy = GapPolicy.fill
  /// Where the device does not give exactly this count, initialising fails.
  public var channelCount: Int?
  /// Where the device does not give exactly this encoding, initialising fails.
  public var encoding: SampleEncoding?
  /// What to come near to where ``encoding`` is nil: that of the stream to play, s16 for a capture.
  /// The nearest wider encoding is taken where the device refuses it.
  public var preferredEncoding: SampleEncoding = .s16
  /// ALSA's transfer unit. The device takes the nearest that it can; 10 ms where nil.
  public var period: DeviceLength?
  /// The device's own storage. The device takes the nearest that it can; where nil, 500 ms for
  /// a capture and 200 ms for a playback.
  public var buffer: DeviceLength?
  /// The storage between the device thread and the session thread, at least as much as ``buffer``;
  /// where nil, 4 s for a capture and 500 ms for a playback.
  public var ring: DeviceLength?
  /// After how many seconds a running device that moves no sample counts as lost.
  public var stallLimit = 10
  /// The level of SCHED_FIFO, 1 to 99, at which the device thread is to run; as an ordinary thread where
  /// this is nil or the system does not allow it.
  public var priority: Int?

  /// Leaves everything to the device and its stream.
  public init() {}

  func period(at rate: Int) -> Int {
    (period ?? .milliseconds(10)).samplesPerChannel(at: rate)
  }

  func buffer(for direction: DeviceDirection, at rate: Int) -> Int {
    let usual = direction == .capture ? 500 : 200
    return (buffer ?? .milliseconds(usual)).samplesPerChannel(at: rate)
  }

  func ring(for direction: DeviceDirection, at rate: Int) -> Int {
    let usual = direction == .capture ? 4_000 : 500
    return (ring ?? .milliseconds(usual)).samplesPerChannel(at: rate)
  }
}
