// SPDX-License-Identifier: Apache-2.0
/// A sink that a program reads from, at its own pace and on its own thread.
///
/// The ring between them holds back the session: the session waits while it is full, and each read wakes it. The ring
/// can still be read after `stop`, so a session does not wait for its reader to reach the end. For one session;
/// everything but the reader belongs to the session thread.
public final class PullSink: AudioSink {
  /// The options of a pull sink.
  public struct Options: Sendable {
    /// The sink's name in errors.
    public var name: String
    /// The precision of the samples in the ring; `double` makes the session compute in `Double`.
    public var precision: SamplePrecision
    /// The capacity of the ring in samples per channel; nil = one second.
    public var capacity: Int?
    /// Whether the reader is a clock, such as an audio callback. A session that is asked to finish early drops the
    /// samples that a live sink has not taken, but waits until any other sink has taken them.
    public var isLive: Bool

    public init(
      name: String = "pull sink", precision: SamplePrecision = .single, capacity: Int? = nil,
      isLive: Bool = true
    ) {
      self.name = name
      self.precision = precision
      self.capacity = capacity
      self.isLive = isLive
    }
  }

  /// Reads the sink's samples. Any thread.
  public let reader: PullReader
  private let format: StreamFormat?
  private let options: Options

  /// - Parameters:
  ///   - format: the format for the program; nil = the stream's own.
  ///   - options: the other settings.
  public convenience init(format: StreamFormat? = nil, options: Options = Options()) {
    self.init(format: format, options: options, reader: PullReader(name: options.name))
  }

  init(format: StreamFormat?, options: Options, reader: PullReader) {
    self.format = format
    self.options = options
    self.reader = reader
  }

  public var precision: SamplePrecision { options.precision }
  public var pace: Pace { options.isLive ? .arrival : .unpaced }
  public var room: Int { reader.link?.samples.ring.free() ?? 0 }

  /// - Throws: `lifeCycle` for a second call; `invalidParameter` for a ring of less than one sample.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    guard reader.link == nil else { throw .usedBefore(options.name) }
    let format = format ?? proposal
    let capacity = try format.ringCapacity(options.capacity, of: options.name)
    reader.open(
      PullLink(
        format: format, precision: options.precision, capacity: capacity, wakeup: wakeup))
    return format
  }

  /// - Throws: `lifeCycle` if `samples` are more than the room.
  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard reader.link?.write(samples) == true else {
      throw AudioError(
        .lifeCycle, cannot: "write to", options.name, because: "it has no room for so much")
    }
    return .accepted
  }

  public func stop(_ reason: StopReason) throws(AudioError) { reader.link?.end(reason) }

  public func dispose() { reader.link?.end(.abandoned) }
}
