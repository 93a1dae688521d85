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

  var waitsForReturn: Bool { lossPolicy == .reopen && gapPolicy == .fill }

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

/// The behaviour if a device does not give the requested rate.
public enum RatePolicy: String, Sendable, Hashable, CaseIterable {
  /// Initialising fails with an error that names the available rates.
  case fail
  /// The device runs at its nearest rate, which becomes the stream's; the session converts to a sink's rate.
  case resample
}

/// The behaviour at a gap in a capture.
public enum GapPolicy: Sendable, Hashable {
  /// Silence of equal length replaces the lost samples.
  case fill
  /// Reading fails with an error of kind `inputOutput`, after the last sample before the gap.
  case fail
}

/// The behaviour of a capture whose device is lost: unplugged, stalled, failing repeatedly.
public enum LossPolicy: Sendable, Hashable {
  /// Reading fails with an error of kind `deviceLost`, after the last sample before the loss.
  case fail
  /// The device is waited for and reopened with its parameters; meanwhile the stream is silent. With
  /// ``GapPolicy/fail`` reading fails.
  case reopen
}

/// A length of time in the options of devices.
public enum DeviceLength: Sendable, Hashable {
  /// This many samples per channel at the device's rate.
  case samplesPerChannel(Int)
  /// This long at any rate.
  case time(Duration)

  /// The length in samples per channel, rounded to the nearest, at least 1.
  func samplesPerChannel(at sampleRate: Int) -> Int {
    switch self {
    case .samplesPerChannel(let count): max(count, 1)
    case .time(let time): max(Int(TimePosition.time(time).samples(at: sampleRate)), 1)
    }
  }
}

/// The negotiated parameters of a device, every value as the device reports it.
public struct AlsaParameters: Sendable, Hashable {
  /// The rate and the channels of the device and of its stream.
  public var format: StreamFormat
  /// The layout of samples in the device's memory.
  public var layout: SampleLayout
  /// ALSA's transfer unit, in samples per channel.
  public var periodSize: Int
  /// The device's own storage, in samples per channel.
  public var bufferSize: Int
  /// Whether the device keeps the samples in its buffer while paused. Some plugins that cannot pause report success.
  var canPause = false

  /// Bytes of one sample of every channel.
  var sampleFrameSize: Int { format.channelCount * layout.bytesPerSample }
}

extension AlsaParameters {
  /// The parameters of any live source or sink.
  package init(format: StreamFormat, layout: SampleLayout, periodSize: Int, bufferSize: Int) {
    self.init(
      format: format, layout: layout, periodSize: periodSize, bufferSize: bufferSize,
      canPause: false)
  }
}

extension AlsaParameters: CustomStringConvertible {
  /// For example `44100 Hz, 2 channels, s16, period 441, buffer 22050`.
  public var description: String {
    "\(format), \(layout.encoding.rawValue), period \(periodSize), buffer \(bufferSize)"
  }
}

/// The direction of samples through a device.
public enum DeviceDirection: String, Sendable, Hashable, CaseIterable {
  /// From the device.
  case capture
  /// To the device.
  case playback
}
