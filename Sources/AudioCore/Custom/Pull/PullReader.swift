// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Reads a session's audio at the program's own pace.
///
/// Every member may be used on any thread, but only one thread may read at a time: a second one gets an error.
/// ``read(into:)`` does not wait, takes no lock and allocates only an error's text, so it suits an audio callback.
public final class PullReader: Sendable {
  private let name: String
  private let reading = ExclusiveUse()
  private let reference = AtomicLazyReference<PullLink>()

  init(name: String) { self.name = name }

  /// The format of the samples; nil before the sink is initialised.
  public var format: StreamFormat? { link?.samples.format }

  /// The samples per channel that can be read now.
  public var available: Int { link?.samples.ring.filled() ?? 0 }

  /// The counts so far.
  public var statistics: PullStatistics { link?.statistics ?? PullStatistics() }

  /// Fills `samples` with the available samples, and the rest with silence.
  ///
  /// Silence within the stream counts as an underrun; silence before the first sample or after the last one does not.
  ///
  /// - Parameter samples: interleaved whole sample frames in the channel count of ``format``.
  /// - Throws: `lifeCycle` before the sink is initialised and while another thread reads;
  ///   `invalidParameter` for part of a sample frame.
  public func read<Sample: FrameSample>(
    into samples: inout MutableSpan<Sample>
  ) throws(AudioError) -> PullRead {
    let link = try enter()
    defer { reading.leave() }
    let channelCount = link.samples.format.channelCount
    guard samples.count % channelCount == 0 else {
      throw refusal(
        .invalidParameter,
        "\(samples.count) samples are not whole sample frames of \(channelCount) channels",
        "read a multiple of \(channelCount)")
    }
    // The state is read before the ring, so all samples before the end are visible.
    let state = link.state
    var read = 0
    unsafe samples.withUnsafeMutableBufferPointer { buffer in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      read = link.read(into: &output)
      output.append(repeating: 0, count: output.freeCapacity)
      _ = unsafe output.finalize(for: buffer)
    }
    let silence = samples.count / channelCount - read
    if silence > 0, state == .running { link.countUnderrun(silence) }
    return PullRead(
      samplesPerChannel: read, silence: silence,
      state: link.samples.ring.filled() > 0 ? .running : state)
  }

  /// Waits until samples are available or the stream has ended. Not for a thread with deadlines.
  ///
  /// - Parameter limit: the longest wait; nil = no limit.
  /// - Returns: false if the time ran out, and at once before the sink is initialised.
  public func wait(atMost limit: Duration? = nil) -> Bool {
    guard let link else { return false }
    return link.progress.wait(atMost: limit) {
      link.samples.ring.filled() > 0 || link.state != .running
    }
  }

  var link: PullLink? { reference.load() }

  /// Sets the link. Session thread only; the first link stays.
  func open(_ link: PullLink) { _ = reference.storeIfNil(link) }

  private func enter() throws(AudioError) -> PullLink {
    guard let link else { throw refusal(.lifeCycle, "it is not initialised yet", nil) }
    guard reading.enter() else {
      throw refusal(
        .lifeCycle, "another thread is reading", "read from one thread at a time")
    }
    return link
  }

  private func refusal(
    _ kind: AudioError.Kind, _ reason: String, _ advice: String?
  ) -> AudioError {
    AudioError(kind, cannot: "read from", name, because: reason, advice: advice)
  }
}

extension PullReader {
  /// Reads the available samples, without silence, into a new array. Not for a thread with deadlines.
  ///
  /// - Parameters:
  ///   - type: the sample type.
  ///   - limit: the maximum, in samples per channel.
  /// - Returns: interleaved samples; empty if none are available.
  /// - Throws: the errors of ``read(into:)``.
  public func readAvailable<Sample: FrameSample>(
    as type: Sample.Type = Float.self, atMost limit: Int = .max
  ) throws(AudioError) -> [Sample] {
    let count = min(available, limit) * (format?.channelCount ?? 1)
    var samples = [Sample](repeating: 0, count: count)
    var span = samples.mutableSpan
    _ = try read(into: &span)
    return samples
  }

  /// Whether all samples were read and no more will come.
  public var isEnded: Bool {
    guard let link else { return false }
    return link.state != .running && link.samples.ring.filled() == 0
  }
}

/// The result of a call of ``PullReader/read(into:)``. Lengths are in samples per channel.
public struct PullRead: Sendable, Hashable {
  /// Whether more can come.
  public enum State: Sendable, Hashable {
    /// More will come.
    case running
    /// The session has delivered all samples, and all of them are read.
    case ended
    /// The session failed or was stopped, and its delivered samples are read.
    case abandoned
  }

  /// The session's samples at the beginning of the buffer.
  public var samplesPerChannel: Int
  /// The silence after them, up to the end of the buffer.
  public var silence: Int
  /// Whether more can come after this call.
  public var state: State

  public init(samplesPerChannel: Int, silence: Int, state: State) {
    self.samplesPerChannel = samplesPerChannel
    self.silence = silence
    self.state = state
  }
}

/// The counts of a pull sink so far. All counts of samples are in samples per channel.
public struct PullStatistics: Sendable, Hashable {
  /// The samples read by the program.
  public var readSamplesPerChannel: Int64 = 0
  /// The reads that found fewer samples than they had room for, after the first sample and before the end.
  public var underruns = 0
  /// The silence that these reads got instead.
  public var filledSamplesPerChannel: Int64 = 0
  /// The samples dropped because the program read too slowly and the session does not wait for it. Always 0 at a
  /// ``PullSink``.
  public var droppedSamplesPerChannel: Int64 = 0
}
