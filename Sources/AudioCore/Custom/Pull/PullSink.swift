// SPDX-License-Identifier: Apache-2.0
/// A sink that a program reads from, at its own pace and on a thread of its own.
///
/// The ring between them holds back the session: while it is full the session waits, and each read wakes
/// it. After `stop` what the ring holds can still be read, so a session does not wait for its reader to
/// come to the end. For one session; everything but the reader belongs to the session thread.
public final class PullSink: AudioSink {
  /// What there is to choose about a pull sink.
  public struct Options: Sendable {
    /// In messages.
    public var name: String
    /// In which precision samples wait to be read; `double` makes the session compute in `Double`.
    public var precision: SamplePrecision
    /// How many samples per channel the ring holds; nil = one second.
    public var capacity: Int?
    /// Whether the reader is a clock, such as an audio callback. A session that is asked to finish
    /// early drops what a live sink has not taken, and for one that is not live waits until it has.
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

  /// Reads what reaches this sink. Any thread.
  public let reader: PullReader
  private let format: StreamFormat?
  private let options: Options

  /// - Parameters:
  ///   - format: what the program wants to read; nil = the stream's own format.
  ///   - options: everything else.
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

  /// - Throws: `lifeCycle` the second time; `invalidParameter` for a ring of less than one sample.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    guard reader.link == nil else {
      throw AudioError(
        .lifeCycle, cannot: "initialize", options.name, because: "it was used before",
        advice: "make a new one for each session")
    }
    let format = format ?? proposal
    let capacity = options.capacity ?? format.sampleRate
    guard capacity > 0 else {
      throw AudioError(
        .invalidParameter, cannot: "initialize", options.name,
        because: "its ring holds \(capacity) samples", advice: "1 is the least")
    }
    reader.open(
      PullLink(
        format: format, precision: options.precision, capacity: capacity, wakeup: wakeup))
    return format
  }

  public func start() throws(AudioError) {}

  /// - Throws: `lifeCycle` where `samples` are more than there is room for.
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
