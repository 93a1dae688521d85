// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

extension SplittingSink {
  /// A limit at which a part ends.
  public enum Limit: Sendable, Hashable {
    /// After so much audio; n parts in a row are n times as long to the sample.
    case duration(TimePosition)
    /// Before the file, header included, has more bytes than this. Parts with a codec end a little earlier: samples
    /// that the encoder still holds could take as much room as uncompressed ones.
    case fileSize(Int64)
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
