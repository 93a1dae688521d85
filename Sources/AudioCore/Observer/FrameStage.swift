// SPDX-License-Identifier: Apache-2.0
/// One observer in one stream: converts to the observer's format, cuts frames, calls the observer, and passes the
/// samples that its mode allows.
///
/// Without a rate conversion no sample is lost, added or reordered; the last frame may be short.
///
/// - `FrameType`: the sample type of the observer's frames.
/// - `Sample`: the sample type of the stream.
final class FrameStage<FrameType: FrameSample, Sample: AudioSample>: ObservingStage {
  var inputFormat: StreamFormat { setting.inputFormat }
  var outputFormat: StreamFormat { setting.outputFormat }

  private let receive: (any AudioObserver, inout AudioFrame<FrameType>) -> Bool
  private let setting: StageSetting<Sample>
  // The parts of the setting that every frame needs. In the setting, whose type is generic, each look at them would
  // cost a look-up of that type.
  private let mode: ObserverMode
  private let shape: FrameShape
  private let source: SourceID?
  private let group: SourceID?
  private let position: ObservationPosition
  private let registration: ObserverRegistration
  private let hold: ObserverHold
  private let isLive: Bool
  private let control: SessionControl
  private let conversion: Chain<Sample>
  private let frame = FrameBuffer<FrameType>()
  /// The unchanged frame of a read-only observer.
  private let original = FrameBuffer<FrameType>()
  /// The samples handed to an observer with a latency that have not gone on.
  private let delayed: SampleQueue<Sample>?
  /// The samples across all channels still to drop in front of the stream's first one.
  private var early: Int
  private var samplePosition: Int64
  /// Samples per channel that went on.
  private var passed: Int64 = 0
  /// The observer's remaining time at the end of a live session.
  private var timeLeft = Duration.seconds(1)

  /// - Parameter receive: the observer's callback for this stream.
  init<Observer>(
    _ setting: StageSetting<Sample>,
    _ receive: @escaping (Observer, inout AudioFrame<FrameType>) -> Bool
  ) throws(AudioError) {
    self.receive = { observer, frame in
      guard let observer = observer as? Observer else { return false }
      return receive(observer, &frame)
    }
    self.setting = setting
    mode = setting.mode
    shape = setting.shape
    source = setting.stream.source
    group = setting.stream.group
    position = setting.stream.position
    registration = setting.stream.registration
    hold = setting.hold
    isLive = setting.stream.isLive
    control = setting.stream.control
    samplePosition = setting.firstPosition
    delayed = setting.planned.latency > 0 ? SampleQueue() : nil
    early = setting.planned.latency * setting.shape.format.channelCount
    conversion = Chain(format: setting.inputFormat, setting.inputLayout)
    try conversion.convert(to: setting.shape.format, with: setting.filters)
  }

  private var hasEnded = false
  /// The error of the observer's `end`; it ends the session when the stages are ended.
  private var failure: AudioError?

  var isActive: Bool { hold.isActive }
  var nextPosition: Int64 { samplePosition }
  var outputPosition: Int64 {
    mode == .readOnly ? samplePosition : setting.firstPosition + passed
  }

  func begin() throws(AudioError) {
    try hold.call { (observer) throws(AudioError) in try observer.begin(setting.stream) }
  }

  func end(_ reason: StopReason) throws(AudioError) {
    tellEnd(reason)
    guard let failure else { return }
    self.failure = nil
    throw failure
  }

  private func tellEnd(_ reason: StopReason) {
    if hasEnded { return }
    hasEnded = true
    do {
      try hold.call { (observer) throws(AudioError) in try observer.end(setting.stream, reason) }
    } catch {
      failure = error
    }
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    if mode == .readOnly { output.append(input) }
    conversion.input.append(input)
    try conversion.run()
    while conversion.output.count >= shape.samplesPerCall {
      deliver(shape.samplesPerCall, into: output)
    }
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    try conversion.end()
    if samplePosition > setting.firstPosition || !conversion.output.isEmpty {
      // Flushes the samples that the observer holds back.
      conversion.output.appendSilence(setting.planned.latency * shape.format.channelCount)
    }
    while conversion.output.count >= shape.samplesPerCall {
      deliver(shape.samplesPerCall, into: output)
    }
    if !conversion.output.isEmpty { deliver(conversion.output.count, into: output) }
    tellEnd(.finished)
  }

  private func deliver(_ sampleCount: Int, into output: SampleQueue<Sample>) {
    let queue = conversion.output
    fill(frame, sampleCount)
    let begin = MonotonicTime.now
    let isLeftOut = isOutOfTime
    let answer =
      isLeftOut ? nil : hold.call { call($0, isPartial: sampleCount < shape.samplesPerCall) }
    let time = MonotonicTime.now.elapsed(since: begin)
    if isFinishing {
      let samplesPerChannel = sampleCount / shape.format.channelCount
      timeLeft += .samples(samplesPerChannel, at: shape.format.sampleRate) - time
    }
    if mode != .readOnly {
      letGoOn(
        sampleCount, isEdited: answer == true, isHeard: answer != nil || isLeftOut, into: output)
    }
    if let answer { account(answer, sampleCount, time) }
    if isLeftOut { registration.add({ $0.missedCalls += 1 }, at: position) }
    queue.consume(sampleCount)
    samplePosition += Int64(sampleCount / shape.format.channelCount)
  }

  /// - Parameters:
  ///   - isEdited: whether the content of the frame goes on.
  /// - isHeard: whether the observer is still in the stream.
  private func letGoOn(
    _ sampleCount: Int, isEdited: Bool, isHeard: Bool, into output: SampleQueue<Sample>
  ) {
    let queue = conversion.output
    delayed?.append(queue.readable.extracting(first: sampleCount))
    let skipped = min(early, sampleCount)
    early -= skipped
    let count = sampleCount - skipped
    if isEdited {
      let edited = frame
      output.append(atMost: count) {
        Sample.accept(edited.readable.extracting(skipped..<sampleCount), into: &$0)
      }
    } else if mode == .writeOnly, isHeard {
      output.appendSilence(count)
    } else {
      let originals = delayed ?? queue
      output.append(originals.readable.extracting(first: count))
    }
    delayed?.consume(count)
    passed += Int64(count / shape.format.channelCount)
  }

  /// Whether a live session is asked to end and only the samples already taken are left.
  private var isFinishing: Bool {
    isLive && control.request == .finish
  }

  /// Whether the observer has used up its time at the end of a live session: the duration of the rest of the stream,
  /// and a second more for an observer that is slow only now and then.
  private var isOutOfTime: Bool { isFinishing && timeLeft < .zero }

  private func fill(_ buffer: FrameBuffer<FrameType>, _ sampleCount: Int) {
    buffer.refill(atMost: sampleCount) { output in
      if mode == .writeOnly {
        output.append(repeating: 0, count: sampleCount)
      } else {
        let queue = conversion.output
        Sample.present(queue.readable.extracting(first: sampleCount), in: &output)
      }
    }
  }

  private func call(_ observer: any AudioObserver, isPartial: Bool) -> Bool {
    let buffer = frame
    var audioFrame = AudioFrame(
      samples: buffer.samples, format: shape.format, samplePosition: samplePosition,
      isPartial: isPartial, source: source, group: group)
    return receive(observer, &audioFrame)
  }

  private func account(_ answer: Bool, _ sampleCount: Int, _ time: Duration) {
    let samplesPerChannel = Int64(sampleCount / shape.format.channelCount)
    var isDiscarded = !answer && mode != .readOnly
    if mode == .readOnly {
      fill(original, sampleCount)
      isDiscarded = !frame.isIdentical(to: original)
    }
    // samples / rate < time, without dividing
    let isLate =
      isLive && Duration.seconds(samplesPerChannel) < time * shape.format.sampleRate
    registration.add(
      { statistics in
        statistics.addCall(samplesPerChannel, lasting: time)
        if isLate { statistics.lateCalls += 1 }
        if isDiscarded { statistics.discardedEdits += 1 }
      }, at: position)
  }
}
