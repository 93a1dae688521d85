// SPDX-License-Identifier: Apache-2.0
/// How far a running sum has to be by now: live sources that have nothing by then hold up nobody.
///
/// The first clock that runs counts: a device, else the machine's. A sum waits for its slowest live input, so
/// by a clock that does not depend on the sum it is due that much later. Session thread only.
final class SumPace<Sample: AudioSample> {
  let mixer: Mixer<Sample>
  private let clocks: [SumClock<Sample>]
  /// Goes on from where the last device has come.
  private var machine: MachineClock
  private var begin: MonotonicTime?
  /// Whether the sum goes on by its clock with whatever there is.
  let isOpen: Bool
  /// How long the slowest live input is held back, in samples per channel of the sum.
  private var wait: Int64 = 0
  /// By how much live sources may be late before silence stands in for them, in samples per channel.
  private var tolerated: Int64 = 0
  /// How much later than its sources an unhurried sum is.
  private(set) var lag = Duration.zero

  /// - Parameters:
  ///   - clocks: of devices.
  ///   - isOpen: whether the sum goes on by its clock with whatever there is.
  init(_ mixer: Mixer<Sample>, _ clocks: [SumClock<Sample>], isOpen: Bool = false) {
    self.isOpen = isOpen
    self.mixer = mixer
    self.clocks = clocks
    machine = MachineClock(sampleRate: mixer.format.sampleRate)
  }

  /// Says how long the sum waits: for as long as its slowest live input is held back, and for what may be late.
  func settle(wait: Duration) {
    let late = mixer.tolerated
    self.wait = wait.samples(at: mixer.format.sampleRate)
    tolerated = late.samples(at: mixer.format.sampleRate)
    lag = wait + late
  }

  /// The buffer of a device that plays beside the sum and is waited for until it would run dry.
  var playedBeside: Duration {
    guard case .beside(_, let clock)? = clocks.first, let timing = clock.timing else {
      return .zero
    }
    return .samples(timing.bufferSize, at: timing.sampleRate)
  }

  /// Lets silence stand in for live sources that have nothing, as far as the sum has to be by now.
  func yieldSilence(at now: MonotonicTime) throws(AudioError) {
    let begin = begin ?? now
    self.begin = begin
    guard let due = due(at: now) else { return }
    if case .feeding(let outlet, _)? = runningClock, !outlet.hasBegun {
      // Once the device plays, what is held back now comes too late.
      let patience = wait + tolerated + due
      let passed = now.elapsed(since: begin).samples(at: mixer.format.sampleRate)
      if passed < patience, !mixer.isSupplied(upTo: due) {
        outlet.isHeld = true
        return
      }
    }
    try mixer.yieldSilence(upTo: due)
  }

  /// Where an open sum is now, in samples per channel: whoever joins enters from there on.
  func present(at now: MonotonicTime) -> Int64 {
    _ = due(at: now)
    return mixer.limit
  }

  private var runningClock: SumClock<Sample>? { clocks.first { $0.isRunning } }

  /// How far the sum has to be by now; nil where nobody knows.
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
      // It stands still while nobody takes the sum.
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

  /// Where it is `now`; the first call finds it at 0.
  ///
  /// - Parameter isRunning: false = it has stood still since the call before.
  mutating func advance(to now: MonotonicTime, isRunning: Bool) -> Int64 {
    var origin = origin ?? now
    if !isRunning, let last { origin.nanoseconds += now.nanoseconds(since: last) }
    self.origin = origin
    last = now
    return now.elapsed(since: origin).samples(at: sampleRate)
  }

  /// Sets it to `position`; where that is nil it has stood still since the call before.
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

/// A device that tells how far a running sum has to be.
enum SumClock<Sample: AudioSample> {
  /// With how long the stages between the sum and the device hold it back, in samples per channel of the sum.
  case feeding(Outlet<Sample>, Int64)
  case beside(Outlet<Sample>, any PacingClock)
  case capturing(Intake<Sample>)

  var isRunning: Bool {
    switch self {
    // What is left of a stream that has ended needs nothing of the sum.
    case .feeding(let outlet, _): !outlet.isEnded && !outlet.hasAll
    case .beside(let outlet, _): !outlet.isEnded
    case .capturing(let intake): intake.isReading
    }
  }

  /// Whether it tells time already: a device that waits for the sum does not.
  var hasBegun: Bool {
    if case .feeding(let outlet, _) = self { outlet.hasBegun } else { true }
  }

  /// Whether it goes on as the sum does: a device that plays it, or plays beside it.
  var dependsOnSum: Bool {
    switch self {
    case .feeding, .beside: true
    case .capturing: false
    }
  }

  /// Where the device is, or what it needs of the sum of `mixer`, in samples per channel of that; nil where
  /// nobody knows.
  func due(_ mixer: Mixer<Sample>, at now: MonotonicTime) -> Int64? {
    let rate = mixer.format.sampleRate
    switch self {
    case .feeding(let outlet, let heldBack):
      return outlet.demand(at: now).map {
        AudioTime.rescaled($0, from: outlet.format.sampleRate, to: rate) + heldBack
      }
    case .beside(let outlet, let clock):
      // What is played may be as far ahead of the sum as its input holds: its own device is waited for until
      // the one that plays would run dry. What was written but not played yet says nothing about what was
      // captured.
      return clock.demandWhilePlaying(at: now).map {
        AudioTime.rescaled($0, from: outlet.format.sampleRate, to: rate) - mixer.mostAhead
      }
    case .capturing(let intake):
      return AudioTime.rescaled(intake.position, from: intake.format.sampleRate, to: rate)
    }
  }
}
