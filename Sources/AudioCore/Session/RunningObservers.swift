// SPDX-License-Identifier: Apache-2.0
/// The observers of one running stream. Session thread only.
final class RunningObservers<Sample: AudioSample> {
  typealias StageMaker = (PlannedObserver, StagePlace) throws(AudioError) ->
    any ObservingStage<Sample>

  private struct Member {
    let stage: any ObservingStage<Sample>
    let planned: PlannedObserver
    /// The longest delay of the stream in the observer.
    let heldBack: Duration
    var life = Life.made

    var observer: RegisteredObserver { planned.observer }
    var edits: Bool { planned.edits }
    var changesFormat: Bool { stage.outputFormat != stage.inputFormat }
    var changesChannels: Bool {
      edits
        && (observer.traits.contains(.mapsChannels)
          || stage.outputFormat.channelCount != stage.inputFormat.channelCount)
    }
  }

  private enum Life {
    case made
    case begun
    case ended
  }

  /// The chain that has the observers' stages in series.
  let chain: Chain<Sample>
  let inputFormat: StreamFormat
  private let inputLayout: Metadata.ChannelLayout?
  var sourceReader: SourceReader<Sample>?
  private let route: SessionPlan.Route
  private let mixer: Mixer<Sample>?
  private let makeStage: StageMaker
  private let quality: ResamplerQuality
  private var members: [Member] = []
  /// The number of stages in front of the first observer.
  private var first: Int

  /// - Parameters:
  ///   - mixer: the mixer of the sum at the stream's beginning; nil for a source.
  ///   - quality: the quality of the conversions to the observers' formats.
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
    inputLayout = chain.layout
    first = chain.stageCount
  }

  /// Adds an observer while the chain is built.
  func append(_ planned: PlannedObserver) throws(AudioError) {
    let format = chain.format
    let stage = try makeStage(
      planned, StagePlace(format: format, layout: chain.layout, start: route.start))
    chain.append(stage)
    members.append(
      Member(
        stage: stage, planned: planned, heldBack: heldBack(by: planned, behind: format)))
    chain.layout = layout(behind: members.count)
  }

  /// The delay of the stream in all observers and in the conversions to their formats.
  var heldBack: Duration { members.reduce(.zero) { $0 + $1.heldBack } }

  private func heldBack(
    by planned: PlannedObserver, behind format: StreamFormat
  ) -> Duration {
    guard planned.edits else { return .zero }
    return planned.heldBack
      + quality.delay(from: format.sampleRate, to: planned.shape.format.sampleRate)
  }

  var format: StreamFormat { format(behind: members.count) }

  private func format(behind count: Int) -> StreamFormat {
    count == 0 ? inputFormat : members[count - 1].stage.outputFormat
  }

  /// Returns the layout of the channels behind the first `count` observers; nil = the usual one.
  private func layout(behind count: Int) -> Metadata.ChannelLayout? {
    members[..<count].contains { $0.changesChannels } ? nil : inputLayout
  }

  /// Returns the end of the frames that `observer` has seen, in samples per channel since the start of the session, at
  /// a rate; nil if no other stream needs to wait for them.
  func progress(of observer: RegisteredObserver) -> (samples: Int64, clock: Int)? {
    if chain.isEnded { return nil }
    let member = members.first { $0.life != .ended && $0.observer.isSame(as: observer) }
    return member.map { ($0.stage.nextPosition, $0.planned.shape.format.sampleRate) }
  }

  // MARK: Coming and going

  /// Returns the format of the stream at the present or future place of `observer`.
  func format(before observer: RegisteredObserver) -> StreamFormat {
    format(behind: place(of: observer) ?? newcomersPlace(observer))
  }

  private func place(of observer: RegisteredObserver) -> Int? {
    members.firstIndex { $0.life != .ended && $0.observer.hold === observer.hold }
  }

  /// Returns the place of a new observer: behind the others, but in front of those that stand last.
  private func newcomersPlace(_ observer: RegisteredObserver) -> Int {
    if observer.standsLast { return members.count }
    return members.firstIndex { $0.observer.standsLast } ?? members.count
  }

  /// Places an observer in the running stream as `planned`; nil removes it. Does nothing if its frames are
  /// unchanged.
  ///
  /// Its first frame begins with the next sample. If it edits in another format, the stream is converted back behind
  /// it.
  ///
  /// - Returns: the earlier stage if its end takes long; the caller has to end it.
  func change(
    _ observer: RegisteredObserver, to planned: PlannedObserver?
  ) throws(AudioError) -> (any ObservingStage<Sample>)? {
    if chain.isEnded { return nil }
    let place = place(of: observer)
    guard let place else {
      if let planned { try join(planned) }
      return nil
    }
    let old = members[place]
    if let planned, planned.isSettled(as: old.planned) { return nil }
    // Flush the samples held back; the observer gets its last frame.
    try chain.finish(at: first + place)
    let slow = try end(&members[place])
    let position = StagePlace(
      format: old.stage.inputFormat, layout: layout(behind: place), start: next(behind: place))
    let isLed = old.stage is SidechainStage<Sample>
    if var planned {
      planned.isLed = isLed
      members[place] = try member(planned, at: position, to: old.stage.outputFormat)
      chain.replace(at: first + place, with: members[place].stage)
    } else if old.changesFormat {
      let way = try RemovableStage<Sample>(
        nil, at: position, to: old.stage.outputFormat, quality: quality)
      members[place] = Member(
        stage: way, planned: old.planned,
        heldBack: quality.delay(
          from: way.inputFormat.sampleRate, to: way.outputFormat.sampleRate), life: .ended)
      chain.replace(at: first + place, with: way)
    } else {
      chain.remove(at: first + place)
      members.remove(at: place)
    }
    try chain.run()
    return slow
  }

  private func join(_ planned: PlannedObserver) throws(AudioError) {
    let place = newcomersPlace(planned.observer)
    let format = format(behind: place)
    let member = try member(
      planned,
      at: StagePlace(format: format, layout: layout(behind: place), start: next(behind: place)),
      to: format)
    chain.insert(member.stage, at: first + place)
    members.insert(member, at: place)
  }

  /// Makes an observer's stage at a place of the running stream, and begins it.
  private func member(
    _ planned: PlannedObserver, at place: StagePlace, to format: StreamFormat
  ) throws(AudioError) -> Member {
    var stage = try makeStage(planned, place)
    try stage.begin()
    var heldBack = heldBack(by: planned, behind: place.format)
    if stage.outputFormat != format {
      heldBack += quality.delay(from: stage.outputFormat.sampleRate, to: format.sampleRate)
      stage = try RemovableStage(stage, at: place, to: format, quality: quality)
    }
    return Member(
      stage: stage, planned: planned, heldBack: heldBack, life: .begun)
  }

  /// Returns the position of the next sample behind the first `count` observers.
  private func next(behind count: Int) -> (samples: Int64, clock: Int) {
    if let last = members[..<count].last(where: { $0.edits }) {
      return (last.stage.outputPosition, last.stage.outputFormat.sampleRate)
    }
    let rate = inputFormat.sampleRate
    let start = AudioTime.nearest(route.start.samples, from: route.start.clock, to: rate)
    // A sum without a source may begin behind the present sample of its mixer.
    return (mixer.map { max(start, $0.position) } ?? start + (sourceReader?.position ?? 0), rate)
  }

  func putInFront(_ stage: any StreamStage<Sample>) {
    chain.insert(stage, at: first)
    first += 1
  }

  /// Removes the unregistered observers, unless that would change the stream's format behind them.
  ///
  /// - Returns: whether it removed any.
  func sweep() throws(AudioError) -> Bool {
    let count = members.count
    for index in members.indices.reversed() where !members[index].stage.isActive {
      if members[index].changesFormat || chain.isEnded { continue }
      if members[index].edits { try chain.finish(at: first + index) }
      chain.remove(at: first + index)
      members.remove(at: index)
    }
    if members.count == count { return false }
    // Flush the samples held back, since later stages may wait for them.
    try chain.run()
    return true
  }

  var isEmpty: Bool { members.isEmpty }

  /// Whether an observer has this stage.
  func contains(_ stage: any ObservingStage<Sample>) -> Bool {
    members.contains { $0.stage === stage }
  }

  // MARK: Beginning and end

  /// Begins the stream for all observers that have not begun.
  func begin() throws(AudioError) {
    for index in members.indices where members[index].life == .made {
      try members[index].stage.begin()
      members[index].life = .begun
    }
  }

  /// Begins the end of all observers.
  ///
  /// - Returns: the stages whose end takes long; the caller has to end them.
  func takeSlow(_ reason: StopReason) -> [any ObservingStage<Sample>] {
    for stage in running { stage.beginEnd(reason) }
    return members.indices.filter { members[$0].life == .begun && !members[$0].stage.advanceEnd() }
      .map { index in
        members[index].life = .ended
        return members[index].stage
      }
  }

  /// Ends an observer that has begun, unless its end takes long.
  ///
  /// - Returns: its stage if its end takes long.
  private func end(_ member: inout Member) throws(AudioError) -> (any ObservingStage<Sample>)? {
    guard member.life == .begun else { return nil }
    member.life = .ended
    member.stage.beginEnd(.finished)
    if !member.stage.advanceEnd() { return member.stage }
    try member.stage.end(.finished)
    return nil
  }

  /// The stages that have begun and not ended.
  var running: [any ObservingStage<Sample>] { members.filter { $0.life == .begun }.map(\.stage) }

  /// Ends the observers that have begun.
  ///
  /// - Throws: the first failure; call it again to end the rest.
  func end(_ reason: StopReason) throws(AudioError) {
    for index in members.indices where members[index].life == .begun {
      members[index].life = .ended
      try members[index].stage.end(reason)
    }
  }
}
