// SPDX-License-Identifier: Apache-2.0
/// A client that observes without changing anything: a stage in each stream that it observes. Session thread only.
final class JoinedObserver: StageObserver, OwnShapeObserver {
  private let sender: FrameSender

  /// - Parameter share: what the client was granted; nil where that is not counted.
  init(_ request: ObserveRequest, _ outbox: FrameOutbox, _ share: SampleShare? = nil) {
    sender = FrameSender(request, outbox, share)
  }

  var positions: ObservationPositions { ObservationPositions(sender.request.position) }

  func parameters(at position: ObservationPosition) -> FrameParameters { sender.request.parameters }

  func holdBack(_ shape: FrameShape) -> Int { 0 }

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    JoinedObserverStage(setting, sender)
  }
}

/// A client that observes, in one stream, which passes as it is.
///
/// Nothing is converted while the client has too much unread. It goes on with frames that it would have had, bit for
/// bit: the conversion begins again where a sample of the stream and one of the frames coincide, and what its filter
/// makes of the silence before that is left out.
private final class JoinedObserverStage<Sample: AudioSample>: ObservingStage {
  private let setting: StageSetting<Sample>
  private let sender: FrameSender
  /// Nil while nothing is converted.
  private var conversion: Chain<Sample>?
  /// Samples per channel that the conversion gives before the next frame.
  private var surplus: Int64 = 0
  /// Where the frame begins with which it goes on.
  private var resumption: Int64 = 0
  /// Samples per channel of the stream that have passed.
  private var passed: Int64 = 0
  /// Where the next frame begins, in samples per channel at the client's rate.
  private var position: Int64 = 0
  /// Whether the client gets the stream.
  private var isGranted = false
  private var hasEnded = false

  init(_ setting: StageSetting<Sample>, _ sender: FrameSender) {
    self.setting = setting
    self.sender = sender
  }

  var inputFormat: StreamFormat { setting.inputFormat }
  var outputFormat: StreamFormat { setting.outputFormat }
  var isActive: Bool { setting.observer.hold.isActive }
  var nextPosition: Int64 { setting.firstPosition + position }

  private var format: StreamFormat { setting.shape.format }
  private var samplesPerCall: Int { setting.shape.samplesPerCall }
  /// The length of a frame, in samples per channel.
  private var frameLength: Int64 { Int64(samplesPerCall / format.channelCount) }

  func begin() { isGranted = sender.begin(setting.stream) }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    output.append(input)
    guard isGranted, isActive else { return }
    let begin = passed
    passed += Int64(input.count / inputFormat.channelCount)
    if let conversion { return try convert(input, conversion) }
    guard sender.hasRoomAgain(for: samplesPerCall) else { return }
    let start = ConversionStart(atOrBehind: begin, from: inputFormat, to: format, setting.filters)
    // Otherwise the stream has not come there.
    guard start.input < passed else { return }
    resumption = frame(atOrBehind: start.exact)
    surplus = resumption - start.output
    if surplus == 0 { lose(upTo: resumption) }
    let made = Chain<Sample>(format: inputFormat, setting.inputLayout)
    try made.convert(to: format, with: setting.filters)
    conversion = made
    let skipped = Int(start.input - begin) * inputFormat.channelCount
    try convert(input.extracting(droppingFirst: skipped), made)
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    guard isGranted, isActive else { return tellEnd() }
    if let conversion {
      try conversion.end()
      deliver(conversion)
    }
    if let rest = conversion?.output, surplus == 0, !rest.isEmpty,
      sender.hasRoom(for: rest.count)
    {
      send(rest.count, of: rest)
    }
    let ratio = ResamplingRatio(from: inputFormat.sampleRate, to: format.sampleRate)
    lose(upTo: ratio.outputLength(of: passed))
    tellEnd()
  }

  func end(_ reason: StopReason) { tellEnd() }

  private func tellEnd() {
    if hasEnded || !isGranted { return }
    hasEnded = true
    sender.end(setting.identity, format)
  }

  /// Where the first frame begins whose samples all stand at `place` or behind it.
  private func frame(atOrBehind place: Int64) -> Int64 {
    let least = max(place, position)
    return (least + frameLength - 1) / frameLength * frameLength
  }

  private func convert(_ input: Span<Sample>, _ conversion: Chain<Sample>) throws(AudioError) {
    conversion.input.append(input)
    try conversion.run()
    deliver(conversion)
  }

  /// Sends the frames that are complete; where there is no room it lets go of all that is converted.
  private func deliver(_ conversion: Chain<Sample>) {
    let queue = conversion.output
    if surplus > 0 {
      let count = min(surplus, Int64(queue.count / format.channelCount))
      queue.consume(Int(count) * format.channelCount)
      surplus -= count
      if surplus > 0 { return }
      lose(upTo: resumption)
    }
    while queue.count >= samplesPerCall {
      guard sender.hasRoom(for: samplesPerCall) else {
        self.conversion = nil
        return
      }
      send(samplesPerCall, of: queue)
    }
  }

  private func send(_ sampleCount: Int, of queue: SampleQueue<Sample>) {
    _ = sender.send(
      queue.readable.extracting(first: sampleCount), of: setting.identity, format,
      at: nextPosition, isPartial: sampleCount < samplesPerCall)
    queue.consume(sampleCount)
    position += Int64(sampleCount / format.channelCount)
  }

  /// The client does not get what stands before `end`.
  private func lose(upTo end: Int64) {
    guard end > position else { return }
    let length = end - position
    position = end
    sender.lose(
      frames: (length + frameLength - 1) / frameLength, samplesPerChannel: length,
      of: setting.identity, format, upTo: nextPosition)
  }
}

/// Where a conversion can begin in the middle of a stream so that it gives what one from the beginning would, bit for
/// bit. In samples per channel.
private struct ConversionStart {
  /// The first sample of the stream that it is given.
  let input: Int64
  /// The sample of its output that stands there.
  let output: Int64
  /// The first one of its output whose filter does not reach over the beginning.
  let exact: Int64

  /// - Parameter place: in the stream; 0 is its beginning, before which there is silence.
  init<Sample: AudioSample>(
    atOrBehind place: Int64, from: StreamFormat, to: StreamFormat,
    _ filters: ResamplerFilters<Sample>
  ) {
    let ratio = ResamplingRatio(from: from.sampleRate, to: to.sampleRate)
    // Outputs are computed by periods, each of which begins with an input sample.
    let period = ResamplingPeriod(ratio)
    let (step, outputs) = (
      Int64(period?.inputCount ?? ratio.step), Int64(period?.outputCount ?? ratio.phaseCount)
    )
    let number = (place + step - 1) / step
    input = number * step
    output = number * outputs
    guard input > 0, ratio.step != ratio.phaseCount else {
      exact = output
      return
    }
    let taps = filters.filter(from: from.sampleRate, to: to.sampleRate).taps
    exact = output + ratio.outputLength(of: Int64(taps)) + 1
  }
}
