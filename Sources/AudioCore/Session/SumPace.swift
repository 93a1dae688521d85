// SPDX-License-Identifier: Apache-2.0
/// How far a running sum has to be by now: live sources that have nothing by then hold up nobody.
///
/// The first clock that runs counts: a device, else the machine's. A sum waits for its slowest live input, so
/// by a clock that does not depend on the sum it is due that much later. Session thread only.
final class SumPace<Sample: AudioSample> {
  let mixer: Mixer<Sample>
  private let clocks: [SumClock<Sample>]
  /// How long the slowest live input is held back, in samples per channel of the sum.
  private let wait: Int64
  private var machine: MachineClock
  private var begin: MonotonicTime?
  /// Whether the sum goes on by its clock with whatever there is.
  private let isOpen: Bool

  /// - Parameters:
  ///   - clocks: of devices.
  ///   - wait: how long the slowest live input is held back.
  ///   - isOpen: whether the sum goes on by its clock with whatever there is.
  init(
    _ mixer: Mixer<Sample>, _ clocks: [SumClock<Sample>], wait: Duration, isOpen: Bool = false
  ) {
    self.isOpen = isOpen
    self.mixer = mixer
    self.clocks = clocks
    self.wait = wait.samples(at: mixer.format.sampleRate)
    machine = MachineClock(sampleRate: mixer.format.sampleRate)
  }

  /// By how much live sources may be late before silence stands in for them, in samples per channel.
  private var tolerated: Int64 {
    mixer.inputs.reduce(0) {
      max($0, $1.live?.intake.latency.samples(at: mixer.format.sampleRate) ?? 0)
    }
  }

  /// Lets silence stand in for live sources that have nothing, as far as the sum has to be by now.
  func yieldSilence(at now: MonotonicTime) throws(AudioError) {
    let begin = begin ?? now
    self.begin = begin
    if isOpen { return try mixer.yieldSilence(upTo: present(at: now)) }
    guard let clock = clocks.first(where: { $0.isRunning }) else {
      return try mixer.yieldSilence(upTo: machineDue(at: now))
    }
    guard let due = clock.due(mixer, at: now) else { return }
    switch clock {
    case .feeding(let outlet, _) where !outlet.hasBegun:
      // Once the device plays, what is held back now comes too late.
      let patience = wait + tolerated + due
      let passed = now.elapsed(since: begin).samples(at: mixer.format.sampleRate)
      outlet.isHeld = passed < patience && !mixer.isSupplied(upTo: due)
      if !outlet.isHeld { try mixer.yieldSilence(upTo: due) }
    case .feeding, .beside:
      try mixer.yieldSilence(upTo: due)
    case .capturing:
      try mixer.yieldSilence(upTo: due - tolerated - wait)
    }
  }

  /// Where an open sum is now, in samples per channel: whoever joins enters from there on.
  func present(at now: MonotonicTime) -> Int64 {
    let clock = clocks.first { $0.isRunning }
    let due = clock.map { $0.due(mixer, at: now) ?? mixer.position }
    let running = clock == nil && !mixer.output.isFull
    let machineDue = machine.advance(to: now, isRunning: running)
    mixer.limit = max(mixer.position, due ?? machineDue)
    return mixer.limit
  }

  private func machineDue(at now: MonotonicTime) -> Int64 {
    // It begins with the first sample, and stands still while nobody takes the sum.
    let hasBegun = mixer.inputs.contains { $0.live?.intake.samplesPerChannel ?? 0 > 0 }
    return machine.advance(to: now, isRunning: hasBegun && !mixer.output.isFull) - tolerated - wait
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
}

/// A device that tells how far a running sum has to be.
enum SumClock<Sample: AudioSample> {
  /// With how long the stages between the sum and the device hold it back, in samples per channel of the sum.
  case feeding(Outlet<Sample>, Int64)
  case beside(Outlet<Sample>, any PacingClock)
  case capturing(Intake<Sample>)

  var isRunning: Bool {
    switch self {
    case .feeding(let outlet, _), .beside(let outlet, _): !outlet.isEnded
    case .capturing(let intake): !intake.isEnded
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
