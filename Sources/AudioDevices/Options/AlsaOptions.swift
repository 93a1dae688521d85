// SPDX-License-Identifier: Apache-2.0
/// What the user asks of an ALSA device. A value that is nil is left to the device and its stream.
public struct AlsaOptions: Sendable, Hashable {
  /// In hertz. Where the device does not give exactly this rate, initialising fails, or it is run as
  /// ``ratePolicy`` says.
  public var sampleRate: Int?
  /// What happens where the device does not give ``sampleRate``.
  public var ratePolicy = RatePolicy.fail
  /// What becomes of a gap in a capture.
  public var gapPolicy = GapPolicy.fill
  /// What becomes of a capture whose device is lost.
  public var lossPolicy = LossPolicy.fail
  /// Where the device does not give exactly this count, initialising fails.
  public var channelCount: Int?
  /// Where the device does not give exactly this encoding, initialising fails.
  public var encoding: SampleEncoding?
  /// What to come near to where ``encoding`` is nil: that of the stream to play, s16 for a capture.
  /// The nearest wider encoding is taken where the device refuses it.
  public var preferredEncoding: SampleEncoding = .s16
  /// ALSA's transfer unit. The device takes the nearest that it can; 10 ms where nil, or a quarter of the buffer where
  /// there is a ``latency``; about 43 ms from a sound server, whose own pace that sets.
  public var period: DeviceLength?
  /// The device's own storage. The device takes the nearest that it can; where nil, 500 ms for a capture and 200 ms
  /// for a playback, or twice the ``latency``, or five periods of a sound server where that is more.
  public var buffer: DeviceLength?
  /// The storage between the device thread and the session thread, at least as much as ``buffer``;
  /// where nil, 4 s for a capture, and 500 ms or twice the ``latency`` for a playback.
  public var ring: DeviceLength?
  /// How long samples may wait between the device and the session; where nil, each period moves at once.
  ///
  /// A device thread with a latency sleeps through periods and wakes the session only for so much at a time, which
  /// saves a battery. Nothing is lost by it: a capture that is stopped gives everything that was captured.
  public var latency: Duration?
  /// A running device that moves no sample for so long counts as lost.
  public var stallLimit = Duration.seconds(10)
  /// The level of SCHED_FIFO, 1 to 99, at which the device thread is to run; as an ordinary thread where
  /// this is nil or the system does not allow it.
  public var priority: Int?

  /// Leaves everything to the device and its stream.
  public init() {}

  var waitsForReturn: Bool { lossPolicy == .reopen && gapPolicy == .fill }

  func period(at rate: Int) -> Int {
    (period ?? .time(.milliseconds(10))).samplesPerChannel(at: rate)
  }

  /// Whether the device may choose its period by its buffer.
  var takesPeriodOfBuffer: Bool { latency != nil && period == nil }

  func buffer(for direction: DeviceDirection, at rate: Int) -> Int {
    var usual = Duration.milliseconds(direction == .capture ? 500 : 200)
    if let latency { usual = max(usual, latency * 2) }
    return (buffer ?? .time(usual)).samplesPerChannel(at: rate)
  }

  func ring(for direction: DeviceDirection, at rate: Int) -> Int {
    var usual = Duration.milliseconds(direction == .capture ? 4_000 : 500)
    if let latency { usual = max(usual, latency * 2) }
    return (ring ?? .time(usual)).samplesPerChannel(at: rate)
  }
}

/// What happens where a device does not give the rate that was asked for.
public enum RatePolicy: String, Sendable, Hashable, CaseIterable {
  /// Initialising fails with an error that names the rates there are.
  case fail
  /// The device runs at the nearest rate that it has, which is then the stream's; a sink that was given a
  /// rate makes the session convert to it.
  case resample
}

/// What becomes of a gap in a capture.
public enum GapPolicy: Sendable, Hashable {
  /// Silence of its length stands where the samples were lost.
  case fill
  /// Reading fails with an error of kind `inputOutput`, after the last sample before the gap.
  case fail
}

/// What becomes of a capture whose device is lost: unplugged, stalled, failing again and again.
public enum LossPolicy: Sendable, Hashable {
  /// Reading fails with an error of kind `deviceLost`, after the last sample before the loss.
  case fail
  /// The device is waited for, and opened again as it was; meanwhile the stream is silence. With
  /// ``GapPolicy/fail`` reading fails.
  case reopen
}

/// A length of time as options for devices state it.
public enum DeviceLength: Sendable, Hashable {
  /// So many samples per channel at the rate of the device.
  case samplesPerChannel(Int)
  /// So long, whatever the rate.
  case time(Duration)

  /// The length in samples per channel, rounded to the nearest, at least 1.
  func samplesPerChannel(at sampleRate: Int) -> Int {
    switch self {
    case .samplesPerChannel(let count): max(count, 1)
    case .time(let time): max(Int(TimePosition.time(time).samples(at: sampleRate)), 1)
    }
  }
}
