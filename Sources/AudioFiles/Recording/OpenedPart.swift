// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// The part of a recording that is being written.
final class OpenedPart {
  let sink: SoundFileSink
  let path: String
  /// The position of its first sample in the stream.
  var position: Int64
  /// The time of its first sample, in nanoseconds since 1970; nil if unknown.
  var time: Int64?
  /// The first samples per channel that the part before it has, too.
  var overlap: Int64 = 0
  /// The second in its name.
  let namedAt: Int
  /// Whether its file is kept.
  var isComplete = false
  private let folders: [Pathname]
  private(set) var samplesPerChannel: Int64 = 0
  /// A number of samples per channel known to fit.
  private var fitting: Int64 = 0
  private let channelCount: Int
  private let sampleRate: Int

  init(
    _ sink: SoundFileSink, _ path: String, at position: Int64, time: Int64?, namedAt: Int,
    folders: [Pathname]
  ) {
    self.sink = sink
    self.path = path
    self.position = position
    self.time = time
    self.namedAt = namedAt
    self.folders = folders
    channelCount = sink.format?.channelCount ?? 1
    sampleRate = sink.format?.sampleRate ?? 1
  }

  /// Releases the file. Removes the created folders, too, if the file was not kept.
  func dispose() {
    sink.dispose()
    if !isComplete { PartFolders.remove(folders) }
  }

  var isEmpty: Bool { samplesPerChannel == 0 }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    let status = try sink.write(samples)
    let count = Int64(samples.count / channelCount)
    samplesPerChannel += count
    fitting -= count
    return status
  }

  /// Puts the stream's marks within this part into its file. Drops earlier marks: their samples were left out.
  func take(_ marks: PendingMarks) {
    for mark in marks.take(before: position + samplesPerChannel, at: sampleRate) {
      let place = AudioTime.nearest(mark.position, from: mark.sampleRate, to: sampleRate)
      guard place >= position else { continue }
      sink.mark(place - position, at: sampleRate, label: mark.label)
    }
  }

  /// The number of further samples per channel known to fit; 0 if the file is full.
  func samplesPerChannelThatFit(in limit: Int64) throws(AudioError) -> Int64 {
    if fitting <= 0 { fitting = try sink.samplesPerChannelThatFit(in: limit) }
    return fitting
  }
}

/// The lengths of parts of one duration, in samples. Their ends are rounded, not their lengths, so that errors do not
/// add up.
struct PartDurations {
  private let duration: TimePosition
  private let sampleRate: Int
  /// The number of earlier parts of this duration.
  private var number = 0
  /// The length of the current part.
  private var length: Int64

  /// - Throws: `invalidParameter` if a part would have no sample.
  init(_ duration: TimePosition, sampleRate: Int) throws(AudioError) {
    self.duration = duration
    self.sampleRate = sampleRate
    length = try duration.length(at: sampleRate, as: "part length")
    guard length > 0 else {
      throw AudioError(
        .invalidParameter, cannot: "use part length", "\(duration)",
        because: "it is shorter than a sample")
    }
  }

  func remaining(after samplesPerChannel: Int64) -> Int64 { max(0, length - samplesPerChannel) }

  /// For the part after a complete one.
  var next: PartDurations {
    var next = self
    next.number += 1
    next.length = end(of: next.number) - end(of: number)
    return next
  }

  /// For the part after one that ended early.
  var restarted: PartDurations {
    var first = self
    first.number = 0
    first.length = end(of: 0)
    return first
  }

  /// The end of the part, counted from the beginning of the first.
  private func end(of number: Int) -> Int64 {
    switch duration {
    case .samples(let count): count * Int64(number + 1)
    case .time(let time): TimePosition.time(time * (number + 1)).samples(at: sampleRate)
    }
  }
}

extension SplittingSink {
  /// A limit at which a part ends.
  @nonexhaustive
  public enum Limit: Sendable, Hashable {
    /// After so much audio; n parts in a row are n times as long to the sample.
    case duration(TimePosition)
    /// Before the file, header included, has more bytes than this. Parts with a codec end a little earlier: samples
    /// that the encoder still holds could take as much room as uncompressed ones.
    case fileSize(Int64)
    /// In front of the samples at these positions of the stream, in samples per channel, in any order.
    case positions([Int64])
    /// At the end of an event of a ``TriggeredSink`` in front.
    case event
    /// At the next stretch of the wall clock, as ``PartNames/civilTime`` reads it. It needs a ``SplittingSink/clock``.
    case clock(ClockInterval)
  }

  /// A complete part.
  public struct Part: Sendable, Hashable {
    /// The path of its file.
    public var path: String
    /// The position of its first sample, in samples per channel from the start of the stream.
    public var position: Int64
    /// Its length in samples per channel.
    public var samplesPerChannel: Int64
    /// Its first samples per channel that the part before it has, too.
    public var overlap: Int64 = 0
    /// Its samples, over all channels, that the encoding could not hold.
    public var clippedSamples = 0
    /// The MD5 of its samples as ``SoundFileSink/sampleDigest``; nil unless it was asked for.
    public var digest: [UInt8]?
    /// The time of its first sample, in nanoseconds since 1970; nil if the sink has no ``SplittingSink/clock``.
    public var time: Int64?
  }

  /// Requests a new part from another thread or from a signal handler.
  public final class Control: Sendable {
    /// The time of the first request, in nanoseconds of the monotonic clock; 0 = no request.
    private let asked = Atomic(0)

    /// Begins without a request.
    public init() {}

    /// Lets the next samples begin a part, unless the present one is empty. Any thread; also async-signal-safe.
    public func requestPart() {
      _ = asked.compareExchange(
        expected: 0, desired: MonotonicTime.now.nanoseconds, ordering: .releasing)
    }

    /// Returns whether a part was requested before samples came, and clears that request.
    ///
    /// - Parameter age: how long ago they came.
    func takeRequest(before age: Duration) -> Bool {
      let time = asked.load(ordering: .acquiring)
      guard time != 0, MonotonicTime.now.nanoseconds - time >= age.inNanoseconds else {
        return false
      }
      asked.store(0, ordering: .releasing)
      return true
    }
  }
}
