// SPDX-License-Identifier: Apache-2.0
/// Writes the end of one chain to its sink.
final class Outlet<Sample: AudioSample> {
  private let life: SinkLife
  private let chain: Chain<Sample>
  /// Samples per channel written so far.
  private(set) var samplesPerChannel: Int64 = 0
  /// Whether nothing is to be written in this round: a device that has begun to play waits for nobody.
  var isHeld = false
  private(set) var isEnded = false

  /// - Parameter clock: the sink's, where it is followed.
  init(_ life: SinkLife, from chain: Chain<Sample>, clock: (any PacingClock)? = nil) {
    self.life = life
    self.chain = chain
    self.clock = clock
    handedOver = life.sink as? any HandedOverSink
    handedOver?.beginHandingOver()
  }

  /// What one turn came to.
  enum Turn {
    case idle
    case moved
    case readerGone
  }

  var place: SinkPlace { life.place }
  var format: StreamFormat { chain.format }
  /// Whether anything was written.
  var hasBegun: Bool { samplesPerChannel > 0 }
  /// Whether nothing more comes to be written than what waits.
  var hasAll: Bool { chain.isEnded }
  var isLive: Bool { life.sink.pace.isLive }

  /// The most room that the sink was seen to have.
  private var capacity = 0
  private let clock: (any PacingClock)?
  private let handedOver: (any HandedOverSink)?

  /// How many samples per channel have to be written by now, so that the device does not run dry: what
  /// keeps a quarter of its room filled, or of its buffer where its clock is followed. Nil where it does
  /// not matter.
  func demand(at now: MonotonicTime) -> Int64? {
    guard !isEnded, life.sink.room != .max else { return nil }
    let room = life.sink.room
    capacity = max(capacity, room)
    return clock?.demand(at: now) ?? samplesPerChannel + Int64(room - capacity * 3 / 4)
  }

  func start() throws(AudioError) { try life.start() }

  /// Writes what waits and what the sink has room for; ends the sink after the stream's end.
  func run() throws(AudioError) -> Turn {
    let queue = chain.output
    if isEnded {
      // Nobody takes this stream any more, but its other branches must not wait for it.
      queue.removeAll()
      return .idle
    }
    if isHeld, !chain.isEnded { return .idle }
    let channelCount = format.channelCount
    let count = min(queue.count / channelCount, queue.isEmpty ? 0 : life.sink.room) * channelCount
    if count > 0 {
      let status = try life.write(queue.readable.extracting(first: count))
      if status == .readerGone {
        try end(.abandoned)
        return .readerGone
      }
      queue.consume(count)
      samplesPerChannel += Int64(count / channelCount)
    }
    if chain.isEnded, queue.isEmpty {
      try end(.finished)
      return .moved
    }
    return count > 0 ? .moved : .idle
  }

  /// The session is about to wait.
  func handOver() { handedOver?.handOver() }

  func end(_ reason: StopReason) throws(AudioError) {
    isEnded = true
    try life.stop(reason)
  }
}
