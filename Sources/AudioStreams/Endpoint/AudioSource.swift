// SPDX-License-Identifier: Apache-2.0
/// What a source says of itself once it is initialised.
public struct SourceDescription: Sendable {
  public var format: StreamFormat
  /// How the samples are stored where they come from; decides the session's precision and the default
  /// encoding of its outputs.
  public var encoding: SampleEncoding
  /// The length in samples per channel, where it is known beforehand.
  public var samplesPerChannel: Int64?
  /// What decides when samples arrive.
  public var pace: Pace
  /// By how much the samples of a live source without a clock may come late before silence stands in for them.
  public var latency: Duration
  /// The precision that the samples need, where that is more than their encoding's: sums and products that are to be
  /// rounded only once.
  public var precision: SamplePrecision?
  /// Whether the samples are gone once they are read, though the source waits for its reader: those of a pipe. See
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
  /// That of its encoding, or the wider one that was asked for.
  package var neededPrecision: SamplePrecision { max(encoding.precision, precision ?? .single) }

  /// Whether the samples arrive at a pace of their own: what was not taken in time cannot be had again.
  public var isLive: Bool { pace.isLive }

  /// Whether the samples can be had again, as those of a file can. Those of a device and of a pipe cannot.
  ///
  /// A session keeps what such a source gave, whatever fails. If it is asked to finish, it reads a source that is not
  /// live on to its end, which has to come soon: the source sees the request in its ``Wakeup``.
  public var isRepeatable: Bool {
    get { !isStream && !isLive }
    set { isStream = !newValue }
  }
}

/// What a call of ``AudioSource/read(into:)`` found.
public enum SourceStatus: Sendable {
  /// At least one sample was appended; more may follow. To answer this and append nothing is an error,
  /// which ends the session.
  case ready
  /// Nothing is there now; the source signals its ``Wakeup`` when that changes. Live sources only.
  case pending
  /// The stream has ended and nothing was appended; every further call says so too.
  case ended
}

/// Where a stream comes from: a file, a device, a generator, or a program's own samples.
///
/// One life cycle: `initialize` → `start` → `stop` → `dispose`, all on the session thread. Where
/// `initialize` throws, `start` is never called; where `start` was not called or throws, neither is
/// `stop`. `dispose` follows every `initialize` exactly once, also one that throws. Whatever a session
/// that fails early never initialises, it never calls.
public protocol AudioSource: AnyObject {
  /// Whether `initialize` takes whatever format is proposed. Such a source never decides the rate of a
  /// sum: it follows the others. False where nothing is said.
  var takesProposedFormat: Bool { get }

  /// Acquires what the source needs and settles its format.
  ///
  /// - Parameters:
  ///   - proposal: the format the session would like, where it has a wish.
  ///   - wakeup: signalled by a live source when `read` would no longer answer `pending`.
  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription

  /// Passes over samples where the source can do so faster than by reading them. After `initialize`, before
  /// the first `read`. A source that wraps another hands it on.
  ///
  /// - Parameter count: samples per channel, not negative; where fewer are left, all of these.
  /// - Returns: whether it did; false where nothing is said, and then nothing has changed.
  func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool

  /// What the source carries beside its samples, read when this is called. Between `initialize` and `start`. A source
  /// that wraps another hands on what is still true.
  ///
  /// - Returns: nil where nothing is said: a device, a generator, samples of a program.
  func metadata() throws(AudioError) -> Metadata?

  /// Samples begin to flow.
  func start() throws(AudioError)

  /// Appends interleaved whole sample frames to `output`, up to its free capacity, which is always
  /// a multiple of the channel count.
  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus

  /// Told where a live source had nothing and silence stood in: what it gives next stands behind that. A source
  /// that wraps another hands it on.
  ///
  /// - Parameter count: samples per channel.
  func silenceStoodIn(samplesPerChannel count: Int64)

  /// No further sample is wanted. A live source still gives what it holds to further `read`s and then
  /// answers `ended`; from any other nothing more is read.
  func stop()

  /// Releases everything.
  func dispose()
}

/// A live source that gives nothing while it is muted.
///
/// Between `start` and `stop` a session tells it when it is muted and when it is heard again, on the session thread.
/// Meanwhile silence stands in for it, which is not counted as missing; what it gives then stands behind that.
public protocol MutedSource: AudioSource {
  /// It is not heard: there is no use for further samples.
  func mute()

  /// It is heard again.
  ///
  /// - Throws: what keeps it from going on; the source has left then, or failed where the session needs it.
  func unmute() throws(AudioError)
}

/// A source that puts silence into its own stream, in the place of what it has not.
package protocol FillingSource: AudioSource {
  /// Where it did so since the last call: samples per channel, from the beginning of the stream, with the silence that
  /// stood in for it.
  func takeFilled() -> [Range<Int64>]
}

extension AudioSource {
  public var takesProposedFormat: Bool { false }
  public func skip(samplesPerChannel count: Int64) throws(AudioError) -> Bool { false }
  public func metadata() throws(AudioError) -> Metadata? { nil }
  public func silenceStoodIn(samplesPerChannel count: Int64) {}
}
