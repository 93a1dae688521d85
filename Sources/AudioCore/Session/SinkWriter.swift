// SPDX-License-Identifier: Apache-2.0
/// Writes the end of one chain to its sink.
final class SinkWriter<Sample: AudioSample> {
  private let life: SinkLife
  private let chain: Chain<Sample>
  private let handover: (any HandoverSink)?
  /// The samples per channel written so far.
  private(set) var samplesPerChannel: Int64 = 0
  /// Whether to skip writing in this round, since a device that has begun to play never waits.
  var isHeld = false
  private(set) var isEnded = false

  /// The observers' references, which get all samples that the sink gets.
  private var references: [PlayedReference<Sample>] = []

  /// The samples per channel that the sink gets at most.
  private let limit: Int64

  /// - Parameters:
  ///   - clock: the sink's clock if it is followed.
  ///   - limit: the samples per channel that the sink gets at most; nil = all.
  init(
    _ life: SinkLife, from chain: Chain<Sample>, clock: (any PacingClock)? = nil,
    atMost limit: Int64? = nil
  ) {
    self.limit = limit ?? .max
    self.life = life
    self.chain = chain
    self.clock = clock
    handover = life.sink.handover
    handover?.beginHandingOver()
  }

  enum Turn {
    case idle
    case moved
    case readerGone
  }

  var place: SinkPlace { life.place }
  var format: StreamFormat { chain.format }
  var hasBegun: Bool { samplesPerChannel > 0 }
  /// Whether the chain has ended: only its queue is left to write.
  var hasAll: Bool { chain.isEnded }
  var isLive: Bool { life.sink.pace.isLive }

  /// The largest room of the sink so far.
  private var capacity = 0
  private let clock: (any PacingClock)?

  /// Returns the samples per channel to be written by now so the device does not underrun: they keep a quarter of its
  /// room filled, or of its buffer if its clock is followed. Nil if there is no such demand.
  func demand(at now: MonotonicTime) -> Int64? {
    guard !isEnded, life.sink.room != .max else { return nil }
    let room = life.sink.room
    capacity = max(capacity, room)
    return clock?.demand(at: now) ?? samplesPerChannel + Int64(room - capacity * 3 / 4)
  }

  func start() throws(AudioError) { try life.start() }

  /// Gives the samples from now on to `reference`, too.
  func add(_ reference: PlayedReference<Sample>) { references.append(reference) }

  /// Writes the queued samples that the sink has room for; ends the sink after the stream's end.
  func run() throws(AudioError) -> Turn {
    let queue = chain.output
    if isEnded {
      // The sink has ended, but the stream's other branches must not wait for it.
      queue.removeAll()
      return .idle
    }
    if isHeld, !chain.isEnded { return .idle }
    references.removeAll { !$0.isWanted }
    if references.contains(where: \.isFull) { return .idle }
    let channelCount = format.channelCount
    let left = Int(limit - samplesPerChannel)
    if queue.count / channelCount > left { queue.removeLast(queue.count - left * channelCount) }
    let count = min(queue.count / channelCount, queue.isEmpty ? 0 : life.sink.room) * channelCount
    if count > 0 {
      let status = try life.write(queue.readable.extracting(first: count))
      if status == .readerGone {
        try end(.abandoned)
        return .readerGone
      }
      for reference in references { reference.append(queue.readable.extracting(first: count)) }
      queue.consume(count)
      samplesPerChannel += Int64(count / channelCount)
    }
    if chain.isEnded, queue.isEmpty {
      try end(.finished)
      return .moved
    }
    return count > 0 ? .moved : .idle
  }

  /// Hands over the samples before the session waits.
  func handOver() { handover?.handOver() }

  func end(_ reason: StopReason) throws(AudioError) {
    isEnded = true
    for reference in references { reference.end() }
    references = []
    try life.stop(reason)
  }
}
