// SPDX-License-Identifier: Apache-2.0
/// The pace of a running sum, so a live source without samples never stalls it.
///
/// The first running clock counts: a device's, else the machine's. A sum waits for its slowest live input. By a clock
/// that does not depend on the sum, it is due that much later. Session thread only.
final class MixClock<Sample: AudioSample> {
  let mixer: Mixer<Sample>
  private let clocks: [SumClock<Sample>]
  /// Continues at the position of the last device.
  private var machine: MachineClock
  private var begin: MonotonicTime?
  /// Whether the sum keeps its clock's pace with any input or none.
  let isOpen: Bool
  /// The delay of the slowest live input, in samples per channel of the sum.
  private var wait: Int64 = 0
  /// The tolerated lateness of live sources before silence stands in for them, in samples per channel.
  private var tolerated: Int64 = 0
  /// The delay of the sum behind its sources at a normal pace.
  private(set) var lag = Duration.zero

  /// - Parameters:
  ///   - clocks: the clocks of devices.
  ///   - isOpen: whether the sum keeps its clock's pace with any input or none.
  init(_ mixer: Mixer<Sample>, _ clocks: [SumClock<Sample>], isOpen: Bool = false) {
    self.isOpen = isOpen
    self.mixer = mixer
    self.clocks = clocks
    machine = MachineClock(sampleRate: mixer.format.sampleRate)
  }

  /// Sets the sum's delay: that of its slowest live input, and the tolerated lateness.
  func settle(wait: Duration) {
    let late = mixer.tolerated
    self.wait = wait.samples(at: mixer.format.sampleRate)
    tolerated = late.samples(at: mixer.format.sampleRate)
    lag = wait + late
  }

  /// The buffer of a device that plays beside the sum: the sum waits for samples until that device would underrun.
  var playedBeside: Duration {
    guard case .beside(_, let clock)? = clocks.first, let timing = clock.timing else {
      return .zero
    }
    return .samples(timing.bufferSize, at: timing.sampleRate)
  }

  /// Lets silence stand in for live sources without samples, up to the sum's due position.
  func yieldSilence(at now: MonotonicTime) throws(AudioError) {
    let begin = begin ?? now
    self.begin = begin
    guard let due = due(at: now) else { return }
    if case .feeding(let sinkWriter, _)? = runningClock, !sinkWriter.hasBegun {
      // Once the device plays, the samples held back now come too late.
      let patience = wait + tolerated + due
      let passed = now.elapsed(since: begin).samples(at: mixer.format.sampleRate)
      if passed < patience, !mixer.isSupplied(upTo: due) {
        sinkWriter.isHeld = true
        return
      }
    }
    try mixer.yieldSilence(upTo: due)
  }

  /// Returns the present position of an open sum, in samples per channel; a joining source enters there.
  func present(at now: MonotonicTime) -> Int64 {
    _ = due(at: now)
    return mixer.limit
  }

  private var runningClock: SumClock<Sample>? { clocks.first { $0.isRunning } }

  /// Returns the sum's due position; nil if it is unknown.
  private func due(at now: MonotonicTime) -> Int64? {
    let due: Int64?
    if let clock = runningClock {
      let lag = clock.dependsOnSum ? 0 : tolerated + wait
      due = clock.due(mixer, at: now).map { $0 - lag }
      if clock.hasBegun {
        machine.settle(at: now, due.map { $0 + tolerated + wait })
      } else {
        _ = machine.advance(to: now, isRunning: true)
      }
    } else {
      // The machine's clock stands still while the sum's output is full.
      due = machine.advance(to: now, isRunning: !mixer.output.isFull) - tolerated - wait
    }
    if isOpen, let due { mixer.limit = max(mixer.limit, due) }
    return due
  }
}

/// The machine's monotonic clock, counted in samples per channel.
struct MachineClock {
  private let sampleRate: Int
  private var origin: MonotonicTime?
  private var last: MonotonicTime?

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Returns the position at `now`; the first call returns 0.
  ///
  /// - Parameter isRunning: false = the clock has stood still since the previous call.
  mutating func advance(to now: MonotonicTime, isRunning: Bool) -> Int64 {
    var origin = origin ?? now
    if !isRunning, let last { origin.nanoseconds += now.nanoseconds(since: last) }
    self.origin = origin
    last = now
    return now.elapsed(since: origin).samples(at: sampleRate)
  }

  /// Sets the clock to `position`; nil = it has stood still since the previous call.
  mutating func settle(at now: MonotonicTime, _ position: Int64?) {
    guard let position else {
      _ = advance(to: now, isRunning: false)
      return
    }
    let passed = Duration.samples(Int(position), at: sampleRate).inNanoseconds
    origin = MonotonicTime(nanoseconds: now.nanoseconds - passed)
    last = now
  }
}

/// A device whose clock sets the pace of a running sum.
enum SumClock<Sample: AudioSample> {
  /// A device that plays the sum, with the delay of the stages between them, in samples per channel of the sum.
  case feeding(SinkWriter<Sample>, Int64)
  case beside(SinkWriter<Sample>, any PacingClock)
  case capturing(SourceReader<Sample>)

  var isRunning: Bool {
    switch self {
    // A stream that has ended takes no more of the sum.
    case .feeding(let sinkWriter, _): !sinkWriter.isEnded && !sinkWriter.hasAll
    case .beside(let sinkWriter, _): !sinkWriter.isEnded
    case .capturing(let sourceReader): sourceReader.isReading
    }
  }

  /// Whether the clock runs already: a device that waits for the sum has none.
  var hasBegun: Bool {
    if case .feeding(let sinkWriter, _) = self { sinkWriter.hasBegun } else { true }
  }

  /// Whether the device's pace depends on the sum: it plays the sum, or plays beside it.
  var dependsOnSum: Bool { if case .capturing = self { false } else { true } }

  /// Returns the device's position or demand, in samples per channel of the sum of `mixer`; nil if it is unknown.
  func due(_ mixer: Mixer<Sample>, at now: MonotonicTime) -> Int64? {
    let rate = mixer.format.sampleRate
    switch self {
    case .feeding(let sinkWriter, let heldBack):
      return sinkWriter.demand(at: now).map {
        AudioTime.rescaled($0, from: sinkWriter.format.sampleRate, to: rate) + heldBack
      }
    case .beside(let sinkWriter, let clock):
      // The played stream may be ahead of the sum by the capacity of its input: wait for the captured device until the
      // playing one would underrun. Samples written but not played say nothing about captured samples.
      return clock.demandWhilePlaying(at: now).map {
        AudioTime.rescaled($0, from: sinkWriter.format.sampleRate, to: rate) - mixer.mostAhead
      }
    case .capturing(let sourceReader):
      return AudioTime.rescaled(
        sourceReader.position, from: sourceReader.format.sampleRate, to: rate)
    }
  }
}
