// SPDX-License-Identifier: Apache-2.0
/// A source that was added and is not heard yet.
final class Arrival<Sample: AudioSample> {
  let life: SourceLife
  /// What was read of it.
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
final class Guest<Sample: AudioSample> {
  let stream: RunningStream<Sample>
  let life: SourceLife
  /// Whether it came while the session ran.
  private let hasJoined: Bool
  private var known: Participant

  init(
    _ stream: RunningStream<Sample>, _ life: SourceLife, _ status: Participant, hasJoined: Bool
  ) {
    self.stream = stream
    self.life = life
    self.hasJoined = hasJoined
    known = status
  }

  var id: SourceID { life.entry.id }

  var status: Participant {
    get {
      var status = known
      status.samplesPerChannel = stream.intake?.samplesPerChannel ?? 0
      status.missingSamplesPerChannel = stream.intake?.missingSamplesPerChannel ?? 0
      return status
    }
    set { known = newValue }
  }

  /// The start of the stream, at the source's rate.
  var startOfSource: Int64 {
    let (samples, clock) = stream.route.start
    return AudioTime.nearest(samples, from: clock, to: known.format.sampleRate)
  }

  /// Whether it leaves at its end: the others stay in the report of a session that ends with them.
  func mayLeave(isOpen: Bool) -> Bool { id != .local && (hasJoined || isOpen) }

  func applyGain() throws(AudioError) {
    let isAsItCame = !known.isMuted && known.gain == life.entry.mixing.gain
    if isAsItCame, stream.gain == nil { return }
    var entry = life.entry.mixing
    entry.gain = known.isMuted ? 0 : known.gain
    try stream.set(entry)
  }
}

extension Participant {
  /// A source as it was added; nothing of it was heard yet.
  init(_ life: SourceLife, start: Int64) {
    self.init(
      id: life.entry.id, group: life.entry.group, format: life.description.format, start: start,
      gain: life.entry.mixing.gain)
  }
}
