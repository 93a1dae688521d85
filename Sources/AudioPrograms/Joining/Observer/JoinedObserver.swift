// SPDX-License-Identifier: Apache-2.0
/// A client that only observes: a stage in each stream that it observes. Session thread only.
final class JoinedObserver: StageObserver, TraitedObserver {
  private let sender: FrameSender

  /// - Parameter share: the client's grant; nil if samples are not counted.
  init(_ request: ObserveRequest, _ outbox: FrameOutbox, _ share: SampleShare? = nil) {
    sender = FrameSender(request, outbox, share)
  }

  var traits: ObserverTraits { .hasOwnShape }
  var positions: ObservationPositions { ObservationPositions(sender.request.position) }

  func parameters(at position: ObservationPosition) -> FrameParameters { sender.request.parameters }

  func holdBack(_ shape: FrameShape) -> Int { 0 }

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    JoinedObserverStage(setting, sender)
  }
}

/// A client that only observes, in one stream, which passes unchanged.
///
/// Nothing is converted while the client has too much unread. Later frames equal those of an unbroken conversion, bit
/// for bit: the conversion restarts at a sample of the stream that coincides with one of the frames, and the filter's
/// output from the silence before it is skipped.
private final class JoinedObserverStage<Sample: AudioSample>: ObservingStage {
  private let setting: StageSetting<Sample>
  private let sender: FrameSender
  /// Nil while the conversion is suspended.
  private var conversion: Chain<Sample>?
  /// Samples per channel of the conversion's output to skip before the next frame.
  private var surplus: Int64 = 0
  /// The start of the first frame after a suspension.
  private var resumption: Int64 = 0
  /// Samples per channel of the stream that have passed.
  private var passed: Int64 = 0
  /// The start of the next frame, in samples per channel at the client's rate.
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
  var isActive: Bool { setting.isActive }
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
    // A client that had too much unread has to read some of it first.
    guard sender.hasRoom(for: samplesPerCall, within: FrameOutbox.most / 2) else { return }
    let start = ConversionStart(atOrBehind: begin, from: inputFormat, to: format, setting.filters)
    // Otherwise the stream has not reached the start yet.
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
    sender.end(setting.stream.identity, format)
  }

  /// The start of the first frame whose samples all stand at or behind `place`.
  private func frame(atOrBehind place: Int64) -> Int64 {
    let least = max(place, position)
    return (least + frameLength - 1) / frameLength * frameLength
  }

  private func convert(_ input: Span<Sample>, _ conversion: Chain<Sample>) throws(AudioError) {
    conversion.input.append(input)
    try conversion.run()
    deliver(conversion)
  }

  /// Sends the complete frames; without room, drops the conversion with all its output.
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
      queue.readable.extracting(first: sampleCount), of: setting.stream.identity, format,
      at: nextPosition, isPartial: sampleCount < samplesPerCall)
    queue.consume(sampleCount)
    position += Int64(sampleCount / format.channelCount)
  }

  /// Counts the samples before `end` as lost.
  private func lose(upTo end: Int64) {
    guard end > position else { return }
    let length = end - position
    position = end
    sender.lose(
      frames: (length + frameLength - 1) / frameLength, samplesPerChannel: length,
      of: setting.stream.identity, format, upTo: nextPosition)
  }
}

/// A place in the middle of a stream at which a conversion can start. Its output equals that of a whole conversion, bit
/// for bit. In samples per channel.
private struct ConversionStart {
  /// The first input sample.
  let input: Int64
  /// The output sample at the place of the first input sample.
  let output: Int64
  /// The first output sample whose filter does not reach before the start.
  let exact: Int64

  /// - Parameter place: in the stream; 0 is its beginning, with silence before it.
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
