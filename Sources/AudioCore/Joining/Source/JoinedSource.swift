/// The stream of a client that joined, as the session reads it. Session thread only.
final class JoinedSource: AudioSource {
  private let link: SourceLink
  /// Samples per channel taken from the ring.
  private var position = 0
  /// Samples per channel of silence still to give.
  private var silence: Int64 = 0
  private var isStopped = false
  private let onDismissal: @Sendable () -> Void

  /// - Parameter onDismissal: called when the session wants no more of it.
  init(_ link: SourceLink, onDismissal: @escaping @Sendable () -> Void = {}) {
    self.link = link
    self.onDismissal = onDismissal
  }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    link.open(wakeup)
    return SourceDescription(
      format: link.format, encoding: link.layout.encoding, pace: .arrival)
  }

  func start() throws(AudioError) {}

  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    let channelCount = link.format.channelCount
    let before = output.count
    // Asked before the ring: what came before the end is seen then.
    let isFinished = isStopped || link.isFinished
    while output.freeCapacity >= channelCount {
      if silence > 0 {
        let count = min(Int(silence), output.freeCapacity / channelCount)
        output.append(repeating: 0, count: count * channelCount)
        silence -= Int64(count)
        link.give(silence: Int64(count))
        continue
      }
      // Samples first: the gaps before those seen here were added before them.
      let held = link.ring.filled()
      let gap = link.gaps.first
      if let gap, gap.position == position {
        if isStopped, gap.length > Int64(link.ring.capacity) { break }
        silence = gap.length
        link.gaps.removeFirst()
        continue
      }
      let count = min(held, gap.map { $0.position - position } ?? held)
      if count == 0 { break }
      take(count, into: &output)
    }
    if output.count > before { return .ready }
    return isFinished ? .ended : .pending
  }

  private func take<Sample: AudioSample>(_ count: Int, into output: inout OutputSpan<Sample>) {
    let held = unsafe link.ring.readable()
    let room = output.freeCapacity / link.format.channelCount
    let taken = min(count, room, held.count / link.sampleFrameSize)
    let bytes = unsafe RawSpan(_unsafeBytes: held[..<(taken * link.sampleFrameSize)])
    Sample.decode(bytes, as: link.layout, into: &output)
    link.ring.pop(taken)
    position += taken
  }

  func stop() {
    isStopped = true
    // Nobody waits for the end of a long silence.
    silence = min(silence, Int64(link.ring.capacity))
    dismiss()
  }

  func dispose() { dismiss() }

  private func dismiss() {
    link.dismiss()
    onDismissal()
  }
}
