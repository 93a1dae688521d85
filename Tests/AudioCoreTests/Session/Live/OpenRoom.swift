// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// An open session in virtual time: a local source, a playing device or none, observers that hold streams back, and
/// guests. At the end every sample of every sink is compared with the sources present.
final class OpenRoom {
  static let rate = 48_000

  enum Local: CaseIterable {
    case none
    case file
    case program
    case device
  }

  enum Player: CaseIterable {
    case none
    case sameDevice
    case otherDevice
  }

  /// A source that joins.
  struct Guest {
    let samples: [Double]
    /// The samples given before a failure.
    var dies: Int?
    var isFile = false
  }

  /// The events of a source that joined.
  private struct Visit {
    let participant: Participant
    let samples: [Double]
    var gaps: [SessionEvent.Gap] = []
    var left: Participant?
    var reason: AudioError?
  }

  /// The local source, longer than any session here.
  private static let speech = Noise.integers(12 * rate, seed: 1).map { $0 / 8 }

  let session = Session()
  let time = VirtualTime()
  private let milliseconds: Int?
  /// The total time that observers hold streams back, in seconds.
  private var held = 0.0
  private let voice: [Double]?
  private let publish = CollectingSink(precision: .double)
  private let playback = CollectingSink(precision: .double)
  private let mixed = CollectingSink(precision: .double)
  /// The sums that the local source and some guests hear.
  private let hearing: [SourceKey: CollectingSink]
  private let player: VirtualPlayer?
  private var guests: [SourceID: Guest] = [:]
  private var visits: [Visit] = []
  private var plans: [(milliseconds: Int, action: () throws -> Void)] = []
  private var begin: MonotonicTime?
  private var turns = 0
  /// `true` if the test had to end the session.
  private(set) var isStuck = false
  private(set) var report: SessionReport?

  /// - Parameter milliseconds: nil = until the last source leaves.
  init(local: Local, player: Player = .none, milliseconds: Int?) throws {
    self.milliseconds = milliseconds
    session.time = time
    session.end = milliseconds == nil ? .whenEmpty : .onRequest
    session.duration = milliseconds.map { .time(.milliseconds($0)) }
    session.mixSampleRate = Self.rate
    session.mixChannelCount = 1
    voice = local == .none ? nil : Self.speech
    if let voice {
      switch local {
      case .none: break
      case .file: try session.setLocal(try GivenSource(voice, encoding: .s24, pieces: [4_096]))
      case .program: try session.setLocal(try VirtualLiveSource(voice, time))
      case .device: try session.setLocal(try VirtualLiveSource(voice, device: "microphone", time))
      }
      try session.setSink(publish, at: .publish)
    }
    try session.setSink(mixed, at: .mixed)
    hearing = Dictionary(
      uniqueKeysWithValues: [.local, "anna", "guest-1"].map {
        ($0, CollectingSink(precision: .double))
      })
    for (key, sink) in hearing { try session.setSink(sink, at: .playbackOf(key)) }
    switch player {
    case .none: self.player = nil
    case .sameDevice: self.player = VirtualPlayer("microphone", time)
    case .otherDevice: self.player = VirtualPlayer("loudspeaker", time)
    }
    if let player = self.player {
      try session.setSink(player, at: .playback)
    } else {
      try session.setSink(playback, at: .playback)
    }
    session.onEvent = { [unowned self] in take($0) }
    session.onProgress = { [unowned self] _ in
      turns += 1
      if turns > 100_000 { giveUp() }
    }
    time.onWait = { [unowned self] in
      let begin = begin ?? time.now
      self.begin = begin
      let passed = time.now.elapsed(since: begin)
      if passed > .seconds(20) { giveUp() }
      while let next = plans.first, passed >= .milliseconds(next.milliseconds) {
        plans.removeFirst()
        do { try next.action() } catch { Issue.record(error) }
      }
    }
  }

  private func giveUp() {
    isStuck = true
    session.control.requestStop(.abandon)
  }

  private func take(_ event: SessionEvent) {
    switch event {
    case .joined(let participant):
      guard let guest = guests[participant.id] else { return }
      visits.append(Visit(participant: participant, samples: guest.samples))
    case .left(let participant, let reason):
      let index = visits.lastIndex { $0.participant.id == participant.id }
      guard let index else { return }
      visits[index].left = participant
      visits[index].reason = reason
    case .gap(let id, let gap):
      guard let index = visits.lastIndex(where: { $0.participant.key == id }) else { return }
      visits[index].gaps.append(gap)
    case .muted, .unmuted, .speech: break
    }
  }

  /// Plans an action after so many milliseconds, in any order.
  func after(_ milliseconds: Int, _ action: @escaping () throws -> Void) {
    plans.append((milliseconds, action))
    plans.sort { $0.milliseconds < $1.milliseconds }
  }

  func join(_ id: SourceID, _ guest: Guest) throws {
    guests[id] = guest
    if guest.isFile {
      let source = try GivenSource(guest.samples, encoding: .s24, pieces: [4_096])
      source.failingRead = guest.dies.map { ($0, .diskFull) }
      try session.addRemote(source, id: id)
    } else {
      let source = try VirtualLiveSource(guest.samples, time)
      source.dies = guest.dies
      try session.addRemote(source, id: id)
    }
  }

  /// Registers an observer that takes frames of so many seconds and leaves them unchanged.
  ///
  /// - Returns: nil if there is no such stream.
  @discardableResult
  func hold(_ positions: ObservationPositions, seconds: Double) throws -> ObserverRegistration? {
    if positions == .record, voice == nil { return nil }
    held += seconds
    return try session.register(
      RecordingObserver<Double>(
        positions,
        FrameParameters(
          mode: .readWrite, samplesPerCall: max(480, Int(seconds * Double(Self.rate))))))
  }

  func run() throws {
    report = try session.run()
    session.onEvent = nil
    session.onProgress = nil
    time.onWait = {}
  }

  /// Compares every sink and event with the sources present.
  ///
  /// - Returns: the first fault; nil if there is none.
  var fault: String? {
    if isStuck { return "the session did not end" }
    let played = player?.samples ?? playback.samples
    var length = played.count
    if let milliseconds {
      length = milliseconds * Self.rate / 1_000
    } else {
      let last = visits.map { Int($0.participant.start) + sound(of: $0).count }.max() ?? 0
      let latest = last + Self.rate / 2 + Int(2 * held * Double(Self.rate))
      guard (last...latest).contains(length) else {
        return "\(length) samples after an end at \(last)"
      }
    }
    var sum = Array(repeating: 0.0, count: length)
    for visit in visits {
      let start = Int(visit.participant.start)
      sum.add(sound(of: visit), at: start)
      let guest = guests[visit.participant.id]
      if visit.reason != nil, guest?.dies == nil { return "\(visit.participant.id) died" }
    }
    if let difference = firstDifference(played, sum) { return "playback: \(difference)" }
    if let player, player.missing > 0 { return "the device ran dry for \(player.missing)" }
    let record = voice.map { Array($0[..<length]) }
    if let record, let difference = firstDifference(publish.samples, record) {
      return "publish: \(difference)"
    }
    let both = record.map { [Double].sum($0, sum) } ?? sum
    if let difference = firstDifference(mixed.samples, both) { return "mixed: \(difference)" }
    for (key, sink) in hearing {
      let expected = heard(by: key, length)
      if let difference = firstDifference(sink.samples, expected) {
        return "playback of \(key): \(difference)"
      }
    }
    let missing = report?.sources.first { $0.id == .local }?.missingSamplesPerChannel ?? 0
    return missing == 0 ? nil : "silence of \(missing) samples in the local source's place"
  }

  /// Returns all that a source hears.
  ///
  /// - Parameter length: of the session, in samples.
  func heard(by key: SourceKey, _ length: Int) -> [Double] {
    var sum = key == .local ? nil : voice.map { Array($0[..<length]) }
    for visit in visits where visit.participant.key != key {
      sum = sum ?? Array(repeating: 0, count: length)
      sum?.add(sound(of: visit), at: Int(visit.participant.start))
    }
    return sum ?? Array(repeating: 0, count: length)
  }

  /// Returns the sound of a source: its samples, with silence in its gaps.
  private func sound(of visit: Visit) -> [Double] {
    var sound = Array(visit.samples.prefix(Int(visit.left?.samplesPerChannel ?? .max)))
    for gap in visit.gaps.sorted(by: { $0.position < $1.position }) {
      let place = min(sound.count, Int(gap.position - visit.participant.start))
      sound.insert(
        contentsOf: repeatElement(0, count: Int(gap.samplesPerChannel)), at: max(0, place))
    }
    return sound
  }

  /// The numbers of join events, leave events, and leave events with an error.
  var told: (joined: Int, left: Int, died: Int) {
    (visits.count, visits.count { $0.left != nil }, visits.count { $0.reason != nil })
  }

  /// The start of each source that joined, in samples per channel.
  var starts: [Int64] { visits.map(\.participant.start) }
}
