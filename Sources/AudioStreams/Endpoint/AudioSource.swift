// SPDX-License-Identifier: Apache-2.0
/// The properties of a source that is initialised.
public struct SourceDescription: Sendable {
  public var format: StreamFormat
  /// The encoding of the samples at their origin. It decides the session's precision and the default encoding of its
  /// outputs.
  public var encoding: SampleEncoding
  /// The length in samples per channel; nil if it is not known beforehand.
  public var samplesPerChannel: Int64?
  /// The pace at which samples arrive.
  public var pace: Pace
  /// The longest delay of samples before silence stands in for them, for a live source without a clock.
  public var latency: Duration
  /// The precision that the samples need, if it exceeds that of their encoding: sums and products are rounded only
  /// once.
  public var precision: SamplePrecision?
  /// Whether samples can be read only once, though the source waits for its reader, as with a pipe. See
  /// ``isRepeatable``.
  private var isStream: Bool

  public init(
    format: StreamFormat, encoding: SampleEncoding, samplesPerChannel: Int64? = nil,
    pace: Pace = .unpaced, latency: Duration = .milliseconds(100),
    precision: SamplePrecision? = nil, isRepeatable: Bool = true
  ) {
    self.precision = precision
    isStream = !isRepeatable
    self.latency = latency
    self.format = format
    self.encoding = encoding
    self.samplesPerChannel = samplesPerChannel
    self.pace = pace
  }
}

extension SourceDescription {
  /// The precision of the encoding, or ``precision`` if that is wider.
  package var neededPrecision: SamplePrecision { max(encoding.precision, precision ?? .single) }

  /// Whether the samples arrive at a pace of their own: samples that are not read in time are lost.
  public var isLive: Bool { pace.isLive }

  /// Whether the samples can be read again, as with a file. A device and a pipe give theirs only once.
  ///
  /// A session keeps the samples of a source that is not repeatable even if it fails. If it is asked to finish, it
  /// reads such a source on to its end, unless that is live. The end has to come soon: the source sees the request in
  /// its ``Wakeup``.
  public var isRepeatable: Bool {
    get { !isStream && !isLive }
    set { isStream = !newValue }
  }
}

/// The result of ``AudioSource/read(into:)``.
public enum SourceStatus: Sendable {
  /// At least one sample was appended; more may follow. Answering this without a sample is an error, which ends the
  /// session.
  case ready
  /// No sample is available now; the source signals its ``Wakeup`` when one is. Live sources only.
  case pending
  /// The stream has ended and nothing was appended; every further call answers this, too.
  case ended
}

/// The origin of a stream: a file, a device, a generator, or a program's own samples.
///
/// One life cycle: `initialize` → `start` → `stop` → `dispose`, all on the session thread. If `initialize` throws,
/// `start` is never called. If `start` throws or was not called, `stop` is never called. `dispose` follows every
/// `initialize` exactly once, even one that throws. A session that fails early makes no call to a source that it has
/// not initialised.
///
/// One object serves one stream at a time, from `initialize` to `dispose`. A session that gets one that is in use, here or
/// in another session, throws `lifeCycle` and makes no call to it.
public protocol AudioSource: AnyObject {
  /// Whether `initialize` takes any format that is proposed. Such a source never decides the rate of a sum: it follows
  /// the others. False by default.
  var takesProposedFormat: Bool { get }

  /// Acquires the source's resources and settles its format.
  ///
  /// - Parameters:
  ///   - proposal: the format that the session prefers; nil if it prefers none.
  ///   - wakeup: signalled by a live source when `read` would no longer answer `pending`.
  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription

  /// Skips samples if the source can do so faster than by reading them. Called after `initialize`, before the first
  /// `read`. A source that wraps another passes the call on.
  ///
  /// - Parameter count: samples per channel, not negative; if fewer are left, it skips these.
  /// - Returns: whether it skipped them; false, with nothing changed, by default.
  func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool

  /// Reads the metadata of the source. Called between `initialize` and `start`. A source that wraps another passes on
  /// the parts that are still true.
  ///
  /// - Returns: nil by default: a device, a generator, samples of a program.
  func metadata() throws(AudioError) -> Metadata?

  /// Begins the flow of samples; does nothing by default.
  func start() throws(AudioError)

  /// Appends interleaved whole sample frames to `output`, up to its free capacity, which is always
  /// a multiple of the channel count.
  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus

  /// Called after silence stood in for a live source that had no samples: its next samples follow that silence. A
  /// source that wraps another passes the call on.
  ///
  /// - Parameter count: samples per channel.
  func silenceStoodIn(samplesPerChannel count: Int64)

  /// Ends the need for samples. A live source still gives the samples that it holds to further `read`s, then answers
  /// `ended`; no other source is read again.
  func stop()

  /// Releases everything.
  func dispose()
}

/// A live source that gives no samples while it is muted.
///
/// Between `start` and `stop` a session tells it when it is muted and when it is heard again, on the session thread.
/// Meanwhile silence stands in for it, which is not counted as missing; its next samples follow that silence.
public protocol MutedSource: AudioSource {
  /// Called when the source is no longer heard: further samples have no use.
  func mute()

  /// Called when the source is heard again.
  ///
  /// - Throws: an error if the source cannot go on. It has left then, or failed if the session needs it.
  func unmute() throws(AudioError)
}

/// A source whose `initialize` and `start` wait for others, such as a server.
///
/// A session that runs does not wait: it calls `initialize` when ``isOpening`` is false. A source that is no longer
/// wanted before that gets only `dispose`.
package protocol OpeningSource: AudioSource {
  /// Begins to open, on a thread of its own. Called before `initialize`, or not at all.
  ///
  /// - Parameter wakeup: signalled when ``isOpening`` becomes false.
  func beginOpening(_ wakeup: Wakeup)

  /// Whether `initialize` would still wait.
  var isOpening: Bool { get }
}

/// A source that puts silence into its own stream in place of missing samples, and can take samples back.
package protocol FillingSource: AudioSource {
  /// Returns the places filled since the last call: samples per channel from the beginning of the stream, counting the
  /// silence that stood in for the source.
  func takeFilled() -> [Range<Int64>]

  /// Returns the end of the samples taken back since the last call, counted like ``takeFilled()``; nil if there are none.
  /// Those that are still on the way into a sum are not heard.
  func takeWithdrawn() -> Int64?

  /// The most time that the source, beyond its latency, is read ahead of an open session; nil = only the room limits it.
  var lead: Duration? { get }
}

extension FillingSource {
  package func takeWithdrawn() -> Int64? { nil }
  package var lead: Duration? { nil }
}

extension AudioSource {
  public var takesProposedFormat: Bool { false }
  public func start() throws(AudioError) {}
  public func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool { false }
  public func metadata() throws(AudioError) -> Metadata? { nil }
  public func silenceStoodIn(samplesPerChannel count: Int64) {}

  /// The layout of the channels in the source's `format`; nil = the usual one, as always for mono and stereo. To be
  /// called between `initialize` and `start`.
  package func channelLayout(in format: StreamFormat) -> Metadata.ChannelLayout? {
    format.channelCount > 2 ? (try? metadata())??.channelLayout : nil
  }
}

/// The places at which a source put silence into its own stream: samples per channel from the beginning of the stream.
/// Session thread only.
package struct FilledRanges {
  /// In order; neighbours are one range.
  private var ranges: [Range<Int64>] = []

  package init() {}

  /// Adds a range that begins at the end of the last one or behind it.
  package mutating func add(_ range: Range<Int64>) {
    if range.isEmpty { return }
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Removes and returns the ranges before `end`, in samples per channel. A range that crosses `end` is cut there.
  package mutating func take(before end: Int64) -> [Range<Int64>] {
    var taken: [Range<Int64>] = []
    while let first = ranges.first, first.lowerBound < end {
      taken.append(first.lowerBound..<min(first.upperBound, end))
      if first.upperBound > end {
        ranges[0] = end..<first.upperBound
      } else {
        ranges.removeFirst()
      }
    }
    return taken
  }
}
