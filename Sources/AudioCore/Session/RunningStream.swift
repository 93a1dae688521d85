// SPDX-License-Identifier: Apache-2.0
/// One route of a plan while it runs. Session thread only.
final class RunningStream<Sample: AudioSample> {
  let route: SessionPlan.Route
  let observers: RunningObservers<Sample>
  /// Of the source that it begins at; nil for a sum.
  let intake: Intake<Sample>?
  /// How it enters its sum, where it does.
  var input: MixerInput<Sample>?
  /// The gain of a source, once there is one.
  var gain: ChannelGain<Sample>?
  private let chain: Chain<Sample>

  init(
    _ route: SessionPlan.Route, _ observers: RunningObservers<Sample>, _ intake: Intake<Sample>?,
    _ chain: Chain<Sample>, gain: ChannelGain<Sample>?
  ) {
    self.route = route
    self.observers = observers
    self.intake = intake
    self.chain = chain
    self.gain = gain
  }

  /// The end at which it enters a sum; nil where it does not.
  var takerOfSum: SessionPlan.Taker? {
    route.takers.first { if case .sum = $0.destination { true } else { false } }
  }

  /// Whether everything that its source gave is in the sum.
  var isOver: Bool { chain.isEnded && input?.isExhausted ?? true }

  /// Sets the gain and the balance of its source, from the next sample on: before observers for the local
  /// source, on entering the sum for any other.
  ///
  /// - Throws: as for the entry of a source that is added.
  func set(_ entry: MixEntry) throws(AudioError) {
    let isLocal = route.observation.position == .record
    let chain = isLocal ? observers.chain : input?.chain ?? observers.chain
    let format = isLocal ? observers.inputFormat : chain.format
    let factors =
      try entry.channelGains(format) ?? Array(repeating: 1, count: format.channelCount)
    if let gain { return gain.set(factors) }
    let made = ChannelGain<Sample>(
      Array(repeating: 1, count: format.channelCount), format: format)
    made.set(factors)
    gain = made
    if isLocal { observers.putInFront(made) } else { chain.insert(made, at: chain.stageCount) }
  }
}

/// Where in a stream a stage begins.
struct StagePlace {
  /// The format of the stream there.
  var format: StreamFormat
  /// Where the next sample stands, counted from the start of the session, in samples per channel of `clock`.
  var start: (samples: Int64, clock: Int)
}

/// The observers of one stream while it runs. Session thread only.
final class RunningObservers<Sample: AudioSample> {
  typealias StageMaker = (ObservationPlan.PlannedObserver, StagePlace) throws(AudioError) ->
    any ObservingStage<Sample>

  private struct Member {
    let stage: any ObservingStage<Sample>
    let observer: RegisteredObserver
    /// In hertz.
    let frameRate: Int
    let mode: ObserverMode
    /// Whether the stream has another format behind it.
    let changesFormat: Bool
    /// How long the stream waits in it at most.
    let heldBack: Duration
    var life = Life.made
  }

  private enum Life {
    case made
    case begun
    case ended
  }

  /// The chain in which they stand, one after the other.
  let chain: Chain<Sample>
  let inputFormat: StreamFormat
  var intake: Intake<Sample>?
  private let route: SessionPlan.Route
  private let mixer: Mixer<Sample>?
  private let makeStage: StageMaker
  private let quality: ResamplerQuality
  private var members: [Member] = []
  /// How many stages are in front of the first.
  private var first: Int

  /// - Parameters:
  ///   - mixer: of the sum that the stream begins at; nil for a source.
  ///   - quality: of the conversions to their formats.
  init(
    _ chain: Chain<Sample>, _ route: SessionPlan.Route, _ mixer: Mixer<Sample>?,
    quality: ResamplerQuality, makeStage: @escaping StageMaker
  ) {
    self.quality = quality
    self.chain = chain
    self.route = route
    self.mixer = mixer
    self.makeStage = makeStage
    inputFormat = chain.format
    first = chain.stageCount
  }

  /// Adds one, while the chain is built.
  func append(_ planned: ObservationPlan.PlannedObserver) throws(AudioError) {
    let format = chain.format
    let stage = try makeStage(planned, StagePlace(format: format, start: route.start))
    chain.append(stage)
    members.append(
      Member(
        stage: stage, observer: planned.observer, frameRate: planned.shape.format.sampleRate,
        mode: planned.mode, changesFormat: stage.outputFormat != format,
        heldBack: heldBack(by: planned, behind: format)))
  }

  /// How long the stream waits in all of them, and in the conversions to their formats.
  var heldBack: Duration { members.reduce(.zero) { $0 + $1.heldBack } }

  private func heldBack(
    by planned: ObservationPlan.PlannedObserver, behind format: StreamFormat
  ) -> Duration {
    if planned.mode == .readOnly { return .zero }
    return planned.heldBack
      + quality.delay(from: format.sampleRate, to: planned.shape.format.sampleRate)
  }

  /// The format behind the last of them.
  var format: StreamFormat { members.last?.stage.outputFormat ?? inputFormat }

  /// How far the frames have come that were shown to `observer`: samples per channel since the start of the session,
  /// at a rate; nil where nobody needs to wait for them.
  func progress(of observer: RegisteredObserver) -> (samples: Int64, clock: Int)? {
    if chain.isEnded { return nil }
    let member = members.first { $0.life != .ended && $0.observer.isSame(as: observer) }
    return member.map { ($0.stage.nextPosition, $0.frameRate) }
  }

  /// Adds one behind the others while the stream runs: its first frame begins with the next sample. Where it
  /// edits in another format, the stream has its own again behind it.
  func join(_ planned: ObservationPlan.PlannedObserver) throws(AudioError) {
    if chain.isEnded { return }
    let format = format
    let stage = try makeStage(planned, StagePlace(format: format, start: next))
    try stage.begin()
    let index = first + members.count
    var heldBack = heldBack(by: planned, behind: format)
    if stage.outputFormat == format {
      chain.insert(stage, at: index)
    } else {
      let detour = Chain<Sample>(format: format)
      detour.append(stage)
      try detour.convert(to: format, quality: quality)
      chain.insert(Detour(detour), at: index)
      heldBack += quality.delay(from: stage.outputFormat.sampleRate, to: format.sampleRate)
    }
    members.append(
      Member(
        stage: stage, observer: planned.observer, frameRate: planned.shape.format.sampleRate,
        mode: planned.mode, changesFormat: stage.outputFormat != format, heldBack: heldBack,
        life: .begun))
  }

  /// Where the next sample behind them stands.
  private var next: (samples: Int64, clock: Int) {
    if let last = members.last(where: { $0.mode != .readOnly }) {
      return (last.stage.nextPosition, last.stage.outputFormat.sampleRate)
    }
    if let mixer { return (mixer.position, mixer.format.sampleRate) }
    let rate = inputFormat.sampleRate
    let start = AudioTime.nearest(route.start.samples, from: route.start.clock, to: rate)
    return (start + (intake?.position ?? 0), rate)
  }

  /// Puts a stage in front of all of them.
  func putInFront(_ stage: any StreamStage<Sample>) {
    chain.insert(stage, at: first)
    first += 1
  }

  /// Takes out those that are unregistered, unless the stream would not be the same behind them.
  ///
  /// - Returns: whether there were any.
  func sweep() throws(AudioError) -> Bool {
    let count = members.count
    for index in members.indices.reversed() where !members[index].stage.isActive {
      if members[index].changesFormat || chain.isEnded { continue }
      if members[index].mode != .readOnly { try chain.finish(at: first + index) }
      chain.remove(at: first + index)
      members.remove(at: index)
    }
    if members.count == count { return false }
    // What they held back goes on now: what follows may wait for it.
    try chain.run()
    return true
  }

  /// Tells those that have not been told that the stream begins.
  func begin() throws(AudioError) {
    for index in members.indices where members[index].life == .made {
      try members[index].stage.begin()
      members[index].life = .begun
    }
  }

  /// Begins the end of all.
  ///
  /// - Returns: those that take their time, for somebody else to end.
  func takeSlow(_ reason: StopReason) -> [any ObservingStage<Sample>] {
    for stage in running { stage.beginEnd(reason) }
    return members.indices.filter { members[$0].life == .begun && !members[$0].stage.advanceEnd() }
      .map { index in
        members[index].life = .ended
        return members[index].stage
      }
  }

  /// Those that have begun and not ended.
  var running: [any ObservingStage<Sample>] { members.filter { $0.life == .begun }.map(\.stage) }

  /// Ends those that have begun.
  ///
  /// - Throws: the first failure; those behind it are still to be ended.
  func end(_ reason: StopReason) throws(AudioError) {
    for index in members.indices where members[index].life == .begun {
      members[index].life = .ended
      try members[index].stage.end(reason)
    }
  }
}

/// A way through other formats and back.
private final class Detour<Sample: AudioSample>: StreamStage {
  private let chain: Chain<Sample>
  var inputFormat: StreamFormat { chain.inputFormat }
  var outputFormat: StreamFormat { chain.format }

  init(_ chain: Chain<Sample>) { self.chain = chain }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    chain.input.append(input)
    defer { move(to: output) }
    try chain.run()
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    defer { move(to: output) }
    try chain.end()
  }

  var isFinished: Bool { chain.isEnded }

  private func move(to output: SampleQueue<Sample>) {
    let queue = chain.output
    output.append(queue.readable)
    queue.removeAll()
  }
}
