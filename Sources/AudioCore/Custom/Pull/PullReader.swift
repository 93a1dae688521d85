internal import Synchronization

/// Reads a session's audio at the program's own pace.
///
/// Every member may be used on any thread, but only one thread may read at a time: a second one gets an
/// error. ``read(into:)`` neither waits nor takes a lock nor allocates, except for an error's text, and
/// so is fit for an audio callback.
public final class PullReader: Sendable {
  private let name: String
  private let reading = ExclusiveUse()
  private let reference = AtomicLazyReference<PullChannel>()

  init(name: String) { self.name = name }

  /// The format of the samples that are read; nil before the sink is initialised.
  public var format: StreamFormat? { channel?.samples.format }

  /// How many samples per channel can be read now.
  public var available: Int { channel?.samples.ring.filled() ?? 0 }

  /// What happened so far.
  public var statistics: PullStatistics { channel?.statistics ?? PullStatistics() }

  /// Fills `samples` with what is there, and the rest with silence.
  ///
  /// Silence within the stream is an underrun and counted; before the first sample and after the last
  /// it is not.
  ///
  /// - Parameter samples: interleaved whole sample frames in the channel count of ``format``.
  /// - Throws: `lifeCycle` before the sink is initialised and while another thread reads;
  ///   `invalidParameter` for part of a sample frame.
  public func read<Sample: FrameSample>(
    into samples: inout MutableSpan<Sample>
  ) throws(AudioError) -> PullRead {
    let channel = try enter()
    defer { reading.leave() }
    let channelCount = channel.samples.format.channelCount
    guard samples.count % channelCount == 0 else {
      throw refusal(
        .invalidParameter,
        "\(samples.count) samples are not whole sample frames of \(channelCount) channels",
        "read a multiple of \(channelCount)")
    }
    // Before the ring: what was written before the end is seen then.
    let state = channel.state
    var read = 0
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      read = channel.read(into: &output)
      output.append(repeating: 0, count: output.freeCapacity)
      _ = unsafe output.finalize(for: buffer)
    }
    let silence = samples.count / channelCount - read
    if silence > 0, state == .running { channel.countUnderrun(silence) }
    return PullRead(
      samplesPerChannel: read, silence: silence,
      state: channel.samples.ring.filled() > 0 ? .running : state)
  }

  /// Waits until samples are there or the stream has ended. Not for a thread with deadlines.
  ///
  /// - Parameter milliseconds: the longest wait; nil = until then.
  /// - Returns: false where the time ran out, and at once before the sink is initialised.
  public func wait(milliseconds: Int? = nil) -> Bool {
    guard let channel else { return false }
    return channel.progress.wait(milliseconds: milliseconds) {
      channel.samples.ring.filled() > 0 || channel.state != .running
    }
  }

  var channel: PullChannel? { reference.load() }

  /// Session thread only; the first channel stays.
  func open(_ channel: PullChannel) { _ = reference.storeIfNil(channel) }

  private func enter() throws(AudioError) -> PullChannel {
    guard let channel else { throw refusal(.lifeCycle, "it is not initialised yet", nil) }
    guard reading.enter() else {
      throw refusal(
        .lifeCycle, "another thread is reading", "read from one thread at a time")
    }
    return channel
  }

  private func refusal(
    _ kind: AudioError.Kind, _ reason: String, _ advice: String?
  ) -> AudioError {
    AudioError(kind, cannot: "read from", name, because: reason, advice: advice)
  }
}

extension PullReader {
  /// Reads what is there and no silence, into a new array. Not for a thread with deadlines.
  ///
  /// - Parameters:
  ///   - type: of the samples.
  ///   - limit: the most to read, in samples per channel.
  /// - Returns: interleaved samples; empty where nothing is there.
  /// - Throws: as ``read(into:)``.
  public func readAvailable<Sample: FrameSample>(
    as type: Sample.Type = Float.self, atMost limit: Int = .max
  ) throws(AudioError) -> [Sample] {
    let count = min(available, limit) * (format?.channelCount ?? 1)
    var samples = [Sample](repeating: 0, count: count)
    var span = samples.mutableSpan
    _ = try read(into: &span)
    return samples
  }

  /// Whether everything was read and no more comes.
  public var isEnded: Bool {
    guard let channel else { return false }
    return channel.state != .running && channel.samples.ring.filled() == 0
  }
}
