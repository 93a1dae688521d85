// SPDX-License-Identifier: Apache-2.0
/// A time that never passes: nothing is ever late.
package final class StoppedTime: SessionTime {
  package let now = MonotonicTime(nanoseconds: 0)

  package init() {}

  package func wait(for wakeup: Wakeup, atMost limit: Duration) {}
  package func rest(_ duration: Duration) {}
}

/// The clock of a device in virtual time, and the device's position.
package final class VirtualClock: PacingClock {
  package let name: String
  package let timing: ClockTiming?
  private nonisolated(unsafe) let time: VirtualTime
  private nonisolated(unsafe) var began: MonotonicTime?
  private nonisolated(unsafe) var exchanged: Int64 = 0
  private let deviation: Double

  /// The start of the device.
  package var begin: MonotonicTime? {
    get { unsafe began }
    set { unsafe began = newValue }
  }
  package var exchangedSamplesPerChannel: Int64 {
    get { unsafe exchanged }
    set { unsafe exchanged = newValue }
  }

  /// - Parameter deviation: the speed above nominal, as a fraction.
  package init(
    _ name: String, _ timing: ClockTiming, deviation: Double = 0, _ time: VirtualTime
  ) {
    self.deviation = deviation
    self.name = name
    self.timing = timing
    unsafe self.time = time
  }

  package func watch() {}

  /// The samples per channel since the start.
  package var position: Int64 {
    guard let timing, let begin else { return 0 }
    let elapsed = unsafe time.now.elapsed(since: begin)
    if deviation == 0 { return elapsed.samples(at: timing.sampleRate) }
    return Int64(elapsed / .seconds(1) * Double(timing.sampleRate) * (1 + deviation))
  }

  package func reading() -> ClockReading? {
    guard begin != nil else { return nil }
    return unsafe ClockReading(
      time: time.now, position: position, interruptions: 0, isRunning: true)
  }
}

/// A live source in virtual time: a device that captures, or a program that sends, both without jitter.
package final class VirtualLiveSource: PlainSource {
  private let format: StreamFormat
  private let time: VirtualTime
  private let clock: VirtualClock?
  private let samples: [Double]
  /// The samples per channel before a pause, and the length of the pause.
  package var pause: (after: Int, samplesPerChannel: Int)?
  /// The samples per channel after which a read fails.
  package var dies: Int?
  package private(set) var given = 0
  package private(set) var begin: MonotonicTime?

  /// - Parameters:
  ///   - samples: one channel.
  ///   - device: the device's name; nil = a program that sends.
  ///   - deviation: the speed of the device above nominal, as a fraction.
  package init(
    _ samples: [Double], rate: Int = 48_000, device: String? = nil, deviation: Double = 0,
    _ time: VirtualTime
  ) throws {
    format = try StreamFormat(sampleRate: rate, channelCount: 1)
    self.samples = samples
    self.time = time
    clock = device.map {
      VirtualClock(
        $0, ClockTiming(sampleRate: rate, periodSize: rate / 100, bufferSize: rate / 10),
        deviation: deviation, time)
    }
  }

  package func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    SourceDescription(
      format: format, encoding: .s24, pace: clock.map { .device($0) } ?? .arrival)
  }

  package func start() throws(AudioError) {
    begin = time.now
    clock?.begin = time.now
  }

  package func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if let dies, given >= dies { throw .diskFull }
    guard given < samples.count, let begin else { return .ended }
    var there = Int(
      clock?.position ?? time.now.elapsed(since: begin).samples(at: format.sampleRate))
    if let pause, there > pause.after { there = max(pause.after, there - pause.samplesPerChannel) }
    let count = min(there, min(samples.count, dies ?? .max)) - given
    guard count > 0 else { return .pending }
    let taken = min(count, output.freeCapacity)
    let piece = Array(samples[given..<given + taken])
    Sample.accept(piece.span, into: &output)
    given += taken
    clock?.exchangedSamplesPerChannel += Int64(taken)
    return .ready
  }
}

/// A device that plays, in virtual time: it starts with a full buffer and counts its missing samples.
package final class VirtualPlayer: PlainSink {
  private let time: VirtualTime
  private let clock: VirtualClock
  private let timing: ClockTiming
  package private(set) var samples: [Double] = []
  /// The samples per channel that were due but missing.
  package private(set) var missing: Int64 = 0

  package var precision: SamplePrecision { .double }
  package var pace: Pace { .device(clock) }
  package var begin: MonotonicTime? { clock.begin }

  package init(
    _ device: String, rate: Int = 48_000, bufferSize: Int = 4_800, deviation: Double = 0,
    _ time: VirtualTime
  ) {
    self.time = time
    timing = ClockTiming(sampleRate: rate, periodSize: bufferSize / 4, bufferSize: bufferSize)
    clock = VirtualClock(device, timing, deviation: deviation, time)
  }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    try StreamFormat(sampleRate: timing.sampleRate, channelCount: 1)
  }

  package var room: Int {
    let late = clock.position - Int64(samples.count)
    if late > 0 {
      // Like a device that stopped and restarts.
      missing += late
      samples += Array(repeating: .nan, count: Int(late))
    }
    return timing.bufferSize - (samples.count - Int(clock.position))
  }

  package func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus
  {
    self.samples.append(samples)
    if clock.begin == nil, self.samples.count >= timing.bufferSize {
      clock.begin = time.now
    }
    return .accepted
  }
}
