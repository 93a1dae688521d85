// SPDX-License-Identifier: Apache-2.0
/// A source that was added and still waits for others.
struct Opening {
  let entry: SourceEntry
  let source: any OpeningSource
  let claim: EndpointClaim
  /// Requests that came meanwhile.
  var tasks: [LiveTask] = []
}

/// A source that was added and is not heard yet.
final class Arrival<Sample: AudioSample> {
  let life: SourceLife
  /// The samples read so far.
  let first: Chain<Sample>
  var status: Participant
  var isOver = false

  init(_ life: SourceLife) {
    self.life = life
    first = Chain(format: life.description.format, blockSize: BlockSize.smallest)
    status = Participant(life, start: 0)
  }

  func read() throws(AudioError) -> SourceStatus {
    try first.read(from: life.entry.source, atMost: .max)
  }
}

/// A source that is heard.
final class LiveParticipant<Sample: AudioSample> {
  let stream: RunningStream<Sample>
  let life: SourceLife
  /// Whether the source joined the running session.
  private let hasJoined: Bool
  private var known: Participant
  /// The clock since the source was muted, if its stream enters no sum with a clock, and the part of that time that is
  /// in the stream, in samples per channel.
  private var mute: (clock: MachineClock, passed: Int64)?

  init(
    _ stream: RunningStream<Sample>, _ life: SourceLife, _ status: Participant, hasJoined: Bool
  ) {
    self.stream = stream
    self.life = life
    self.hasJoined = hasJoined
    known = status
  }

  var id: SourceKey { life.entry.key }

  var status: Participant {
    get {
      var status = known
      status.samplesPerChannel = stream.sourceReader?.samplesPerChannel ?? 0
      status.missingSamplesPerChannel = stream.sourceReader?.missingSamplesPerChannel ?? 0
      return status
    }
    set { known = newValue }
  }

  /// The start of the stream, at the source's rate.
  var startOfSource: Int64 {
    let (samples, clock) = stream.route.start
    return AudioTime.nearest(samples, from: clock, to: known.format.sampleRate)
  }

  /// Whether the source leaves at its end. The others stay in the report of a session that ends with them.
  func mayLeave(isOpen: Bool) -> Bool { id != .local && (hasJoined || isOpen) }

  /// Mutes the source, or unmutes it.
  func set(_ new: Mute, at now: MonotonicTime) throws(AudioError) {
    let isOther = known.isMuted != new.isMuted
    known.mute = new
    stream.sourceReader?.isSilenced = new.isEverywhere
    guard isOther else { return }
    try applyGain()
    try fillMute(at: now)
    try stream.sourceReader?.setMuted(new.isMuted)
    let isAlone = new.isMuted && stream.takerOfSum == nil && life.entry.source.muted != nil
    mute = isAlone ? (MachineClock(sampleRate: known.format.sampleRate), 0) : nil
    try fillMute(at: now)
  }

  /// Appends silence to a muted source's stream without a sum, up to the present less the source's latency.
  func fillMute(at now: MonotonicTime) throws(AudioError) {
    guard let sourceReader = stream.sourceReader, var (clock, passed) = mute else { return }
    let due = clock.advance(to: now, isRunning: true)
    let lack = due - passed - sourceReader.latency.samples(at: known.format.sampleRate)
    // Samples sent before the mute are read first.
    if lack > 0, sourceReader.isDry {
      try sourceReader.yieldSilence(lack)
      passed += lack
    }
    mute = (clock, passed)
  }

  func applyGain() throws(AudioError) {
    let isAsItCame = !known.isMuted && known.gain == life.entry.mixing.gain
    if isAsItCame, stream.gain == nil { return }
    var entry = life.entry.mixing
    entry.gain = known.isMuted ? 0 : known.gain
    try stream.set(entry)
  }
}

extension Participant {
  /// The state of a source before its first sample is heard.
  init(_ life: SourceLife, start: Int64) {
    self.init(
      key: life.entry.key, isShared: life.entry.isShared, format: life.description.format,
      start: start, gain: life.entry.mixing.gain)
  }
}
