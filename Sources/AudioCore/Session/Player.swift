// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Plays a source on a thread of its own, pauses and seeks.
///
/// ```swift
/// let player = Player({ FileSource(path: "take.flac") }, to: { AlsaSink(device: "default") })
/// try player.play()
/// player.seek(to: .time(.seconds(30)))
/// try player.wait()
/// ```
///
/// A seek makes and opens the source once more: that suits every source that gives equal samples each time. While the player
/// pauses, the sink gets silence. Each change is heard once the sink has played the samples that it holds.
///
/// Any thread.
public final class Player: Sendable {
  private let makeSource: @Sendable () throws -> any AudioSource
  private let makeSink: @Sendable () throws -> any AudioSink
  private let place = PlayerPlace()
  private let control = SessionControl()
  private let result = Mutex<Result<SessionReport, AudioError>?>(nil)
  private let hasBegun = Atomic(false)
  private let progress = ProgressSignal()

  /// - Parameters:
  ///   - source: makes the source on the player's thread, once and for each seek; always in one format.
  ///   - sink: makes the sink on the player's thread; one with a pace of its own, such as a device.
  public init(
    _ source: @escaping @Sendable () throws -> any AudioSource,
    to sink: @escaping @Sendable () throws -> any AudioSink
  ) {
    makeSource = source
    makeSink = sink
  }

  deinit { control.requestStop(.abandon) }

  /// Plays, from the beginning or from where it pauses.
  ///
  /// - Throws: `unavailable` if the system grants no more threads.
  public func play() throws(AudioError) {
    place.isPaused = false
    guard !hasBegun.exchange(true, ordering: .acquiringAndReleasing) else { return }
    let (makeSource, makeSink) = (makeSource, makeSink)
    do {
      // The thread does not hold the player, whose release ends it.
      _ = try SystemThread(named: "player") { [control, place, weak self] in
        let result = Result { () throws(AudioError) in
          let session = Session(control: control)
          try session.setLocal(PlayedSource(place, makeSource))
          try session.setSink(
            AudioError.wrapping(cannot: "make the sink", "player") { try makeSink() }, at: .publish)
          return try session.run()
        }
        self?.end(result)
      }
    } catch {
      hasBegun.store(false, ordering: .releasing)
      throw error
    }
  }

  /// Pauses before the next samples that the sink takes.
  public func pause() { place.isPaused = true }

  /// Whether it pauses. False at first.
  public var isPaused: Bool { place.isPaused }

  /// Goes on at another place of the source, playing or paused as before. A place beyond the end ends it.
  public func seek(to position: TimePosition) { place.target = position }

  /// The place of the next sample that the sink takes, since the beginning of the source; of the next sound in a pause.
  public var position: Duration { place.position }

  /// Stops at once. ``wait()`` returns then.
  public func stop() { control.requestStop(.abandon) }

  /// Waits until the source has been played to its end or the player was stopped.
  ///
  /// - Returns: the report of the session.
  /// - Throws: the error of the source or of the sink; `lifeCycle` before ``play()``.
  @discardableResult
  public func wait() throws(AudioError) -> SessionReport {
    guard hasBegun.load(ordering: .acquiring) else {
      throw AudioError(.lifeCycle, cannot: "wait for", "the player", because: "it does not play")
    }
    while true {
      if let result = result.withLock({ $0 }) { return try result.get() }
      _ = progress.wait(atMost: .seconds(1)) { result.withLock { $0 != nil } }
    }
  }

  private func end(_ result: Result<SessionReport, AudioError>) {
    self.result.withLock { $0 = result }
    progress.notify()
  }
}

/// Where a player is, and where it is to go. Any thread.
private final class PlayerPlace: Sendable {
  private struct State {
    var isPaused = false
    var target: TimePosition?
    var position = Duration.zero
    /// In hertz; nil before the source is open.
    var sampleRate: Int?
  }

  private let state = Mutex(State())

  var isPaused: Bool {
    get { state.withLock { $0.isPaused } }
    set { state.withLock { $0.isPaused = newValue } }
  }

  /// The place to go to; nil once the source is there.
  var target: TimePosition? {
    get { state.withLock { $0.target } }
    set { state.withLock { $0.target = newValue } }
  }

  var position: Duration {
    state.withLock { state in
      switch state.target {
      case .time(let time): time
      case .samples(let count):
        state.sampleRate.map { .samples(Int(clamping: count), at: $0) } ?? state.position
      case nil: state.position
      }
    }
  }

  /// - Parameter next: the next sample per channel of the source.
  func reach(_ next: Int64, at sampleRate: Int) {
    state.withLock {
      $0.position = .samples(Int(next), at: sampleRate)
      $0.sampleRate = sampleRate
    }
  }

  func takeTarget() -> TimePosition? {
    state.withLock { state in
      defer { state.target = nil }
      return state.target
    }
  }
}

/// The source of a player: another one from the sought place on, or silence.
private final class PlayedSource: AudioSource {
  /// The most silence in one block.
  private static let pause = Duration.milliseconds(10)

  private let place: PlayerPlace
  private let make: () throws -> any AudioSource
  private var current: TrimmedSource?
  private var format: StreamFormat?
  private var wakeup: Wakeup?
  /// The next sample, in samples per channel since the beginning of the source.
  private var next: Int64 = 0

  init(_ place: PlayerPlace, _ make: @escaping () throws -> any AudioSource) {
    self.place = place
    self.make = make
  }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    self.wakeup = wakeup
    var description = try open(at: place.takeTarget() ?? .samples(0), proposal, wakeup)
    format = description.format
    // A seek may make it longer.
    description.samplesPerChannel = nil
    return description
  }

  func start() throws(AudioError) { try current?.start() }

  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let format, let wakeup else { return .ended }
    if let target = place.takeTarget() {
      close()
      let description = try open(at: target, format, wakeup)
      guard description.format == format else {
        throw AudioError(
          .unsupported, cannot: "seek in", "the player",
          because: "the source has \(description.format) now, and had \(format)",
          advice: "make another player for it")
      }
      try current?.start()
    }
    if place.isPaused {
      let longest = Int(Self.pause.samples(at: format.sampleRate)) * format.channelCount
      output.append(repeating: 0, count: min(output.freeCapacity, longest))
      return .ready
    }
    let before = output.count
    let status = try current?.read(into: &output) ?? .ended
    next += Int64((output.count - before) / format.channelCount)
    place.reach(next, at: format.sampleRate)
    return status
  }

  func stop() { current?.stop() }

  func dispose() { current?.dispose() }

  private func open(
    at target: TimePosition, _ proposal: StreamFormat?, _ wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let source = try AudioError.wrapping(cannot: "make the source", "player") { try make() }
    let part = TrimmedSource(source, start: target, duration: nil)
    current = part
    let description = try part.initialize(proposing: proposal, wakeup: wakeup)
    next = part.firstSample
    place.reach(next, at: description.format.sampleRate)
    return description
  }

  private func close() {
    current?.stop()
    current?.dispose()
    current = nil
  }
}
