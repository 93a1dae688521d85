// SPDX-License-Identifier: Apache-2.0
/// The samples of the playback sink on the clock of the local source, for one observer of record. Session thread only.
///
/// It gets all samples that the sink gets, and keeps them until the microphone has captured the same time: those in the ring
/// and the buffer of the playing device. Where nothing was played, it gives silence.
final class PlayedReference<Sample: AudioSample>: PlayedSamples {
  let format: StreamFormat
  /// The position of its first sample among those of the sink, in samples per channel.
  var begin: Int64 = 0
  private let observer: RegisteredObserver
  private let recordHasEnded: () -> Bool
  /// Nil if both ends have no device: then their samples of equal times have equal positions.
  private let ends: FollowedEnds?
  /// The record's stage, which waits for the samples of files.
  weak var record: SidechainStage<Sample>?
  private let sinkRate: Int
  /// Nil if both ends have one clock and one rate: then every sample stays as it is.
  private let resampler: AsynchronousResampler<Sample>?
  private var follower = ReferenceFollower()
  /// The samples that the sink got and the resampler did not.
  private let waiting = SampleQueue<Sample>()
  /// The samples for the record, from ``position`` on.
  private let made = SampleQueue<Sample>()
  private var position: Int64
  /// The sink's samples per channel so far, from ``begin`` on.
  private var given: Int64 = 0
  /// The sink's samples per channel that never reach the resampler, and those of them that are still to be dropped.
  private var dropped: Int64 = 0
  private var toDrop: Int64 = 0
  /// The samples per channel of silence still to be made.
  private var silence = 0
  private var isPlaced = false
  private var hasEnded = false

  /// - Parameters:
  ///   - read: the samples per channel that the session has read of the source.
  ///   - sink: the playback sink.
  ///   - position: of the first frame, in samples per channel.
  /// - Throws: `invalidParameter` without a sink, and if only one of the ends is a device.
  init(
    _ planned: PlannedObserver, from source: SourceLife, read: SampleCount, to sink: SinkLife?,
    at position: Int64, quality: ResamplerQuality,
    recordHasEnded: @escaping () -> Bool
  ) throws(AudioError) {
    guard let sink, let played = sink.format else {
      throw Self.refusal("the session has no playback sink, whose samples it needs")
    }
    let (captures, plays) = (source.description.pace, sink.sink.pace)
    if let from = captures.clock, let fromTiming = from.timing, let to = plays.clock,
      let toTiming = to.timing
    {
      ends = FollowedEnds(
        from: from, fromTiming, to: to, toTiming, read: read, before: SampleCount())
    } else if !captures.isLive, !plays.isLive {
      ends = nil
    } else {
      throw Self.refusal(
        captures.clock == nil
          ? "the local source has no device's clock" : "the playback sink is no device")
    }
    let rate = planned.shape.format.sampleRate
    format = try StreamFormat(sampleRate: rate, channelCount: played.channelCount)
    observer = planned.observer
    self.recordHasEnded = recordHasEnded
    sinkRate = played.sampleRate
    resampler =
      ends == nil && rate == played.sampleRate
      ? nil : try AsynchronousResampler(from: played, sampleRate: rate, quality: quality)
    self.position = position
  }

  private static func refusal(_ reason: String) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "compare", "record with the loudspeaker", because: reason,
      advice: "capture from a device and play to a device, or take files for both")
  }

  var isWanted: Bool { observer.hold.isActive && !recordHasEnded() }
  /// Whether it follows clocks. If not, the record waits for it.
  var isFollowing: Bool { ends != nil }
  /// Whether the record waits for it, which may hold much back for a conversion of its own.
  var isAwaited: Bool { record?.isStarved ?? false }
  /// Whether the sink has to wait for the record, so that files do not fill the memory.
  var isFull: Bool { !isFollowing && !isAwaited && waiting.count > 2 * BlockSize.samples }

  /// The end of the record that it suffices for, in samples per channel at a rate; nil if it suffices for all.
  var progress: (samples: Int64, clock: Int)? {
    if hasEnded { return nil }
    let ahead = resampler.map { $0.latency + 1 } ?? 0
    return (max(0, begin + given - Int64(ahead)), sinkRate)
  }

  /// Takes the samples that the sink got.
  func append(_ samples: Span<Sample>) {
    waiting.append(samples)
    given += Int64(samples.count / format.channelCount)
    // A microphone that is away takes none.
    let excess = waiting.count / format.channelCount - 10 * sinkRate
    if isFollowing, excess > 0 { drop(excess) }
  }

  /// The sink gets no more samples.
  func end() { hasEnded = true }

  private func drop(_ count: Int) {
    waiting.consume(count * format.channelCount)
    dropped += Int64(count)
  }

  func take(at position: Int64, _ count: Int, into output: inout OutputSpan<Float>) {
    let (width, made) = (format.channelCount, made)
    if position != self.position {
      // The observer was left out of some frames.
      made.removeAll()
      (self.position, isPlaced) = (position, false)
      follower.lose()
    }
    follow()
    while made.count < count * width { make(count - made.count / width) }
    Sample.present(made.readable.extracting(first: count * width), in: &output)
    made.consume(count * width)
    self.position += Int64(count)
  }

  /// Makes at most about `count` samples per channel, at least one.
  private func make(_ count: Int) {
    let (width, waiting) = (format.channelCount, waiting)
    if silence > 0 || !isPlaced {
      let silent = isPlaced ? min(silence, count) : count
      made.appendSilence(silent * width)
      silence = max(0, silence - silent)
      return
    }
    let late = Int(min(toDrop, Int64(waiting.count / width)))
    drop(late)
    toDrop -= Int64(late)
    // Few samples at a time, since the next ones may get another ratio.
    let fed = min(waiting.count / width, 32)
    if fed == 0, hasEnded, !isFollowing {
      waiting.appendSilence(32 * width)
      given += 32
    } else if fed == 0 {
      // The device has nothing to play.
      isPlaced = false
      follower.lose()
    } else {
      let samples = waiting.readable.extracting(first: fed * width)
      if let resampler { resampler.process(samples, into: made) } else { made.append(samples) }
      waiting.consume(fed * width)
    }
  }

  /// Sets the place and the ratio by the positions of both devices.
  private func follow() {
    let next =
      Double(position + Int64(made.count / format.channelCount + silence))
      / Double(format.sampleRate)
    let taken = given - dropped - Int64(waiting.count / format.channelCount)
    let input = resampler?.inputPosition ?? Double(taken)
    let place = (Double(begin + dropped + toDrop) + input) / Double(sinkRate)
    guard let ends else {
      if !isPlaced { move(by: next - place) }
      isPlaced = true
      return
    }
    guard let now = ends.latest() else { return }
    move(by: follower.follow(lateness: next + now.played - now.captured - place, at: now))
    isPlaced = follower.isPlaced
    resampler?.correction = follower.correction
  }

  /// Moves the place of the next sample, in seconds.
  private func move(by seconds: Double) {
    if seconds == 0 { return }
    guard let resampler else {
      let count = Int((seconds * Double(sinkRate)).rounded())
      if count > 0 { toDrop += Int64(count) } else { silence -= count }
      return
    }
    if seconds > 0 {
      let inputs = seconds * Double(sinkRate)
      toDrop += Int64(inputs)
      resampler.skip(inputs - inputs.rounded(.down))
    } else {
      let outputs = -seconds * Double(format.sampleRate)
      silence += Int(outputs.rounded(.up))
      resampler.skip((outputs.rounded(.up) - outputs) * resampler.step)
    }
  }
}
