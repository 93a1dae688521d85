// SPDX-License-Identifier: Apache-2.0
/// The block of audio that an observer receives in one call: interleaved samples, format and time.
///
/// A frame is borrowed for the length of the call; the compiler refuses to let it escape. ``copy()`` returns a frame
/// that may be kept, ``array`` only the samples.
///
/// A program's unit tests make frames of their own, and give them to an observer without a session:
///
/// ```swift
/// var samples: [Float] = [0.5, -0.5, 0.001, -0.001]
/// var frame = AudioFrame(samples.mutableSpan, format: format)
/// _ = gate.record(&frame)  // a RecordObserver
/// #expect(frame.array == [0.5, -0.5, 0, 0])
/// ```
public struct AudioFrame<Sample: FrameSample>: ~Copyable, ~Escapable {
  private var storage: MutableSpan<Sample>
  /// The rate and the channel count that the observer asked for.
  public let format: StreamFormat
  /// The position of the first sample, in samples per channel at `format.sampleRate`. It counts from the start of the
  /// session's sound: the first sample of its sums and of its local source. A source that begins or joins later has its
  /// first sample at that later position. The delay of observers and devices changes no position.
  public let samplePosition: Int64
  /// Whether this is the stream's last frame and shorter than the requested length.
  public let isPartial: Bool
  /// The source of the frame; nil for a sum of sources.
  public let source: SourceID?
  /// The group of that source, if any.
  public let group: SourceID?

  /// Interleaved samples, nominal range ±1.0 (`Int16`: −32768…32767). Writing to them edits the stream.
  ///
  /// Used in place: `frame.samples[0] = 0`, `edit(&frame.samples)`, and `frame.samples.span` to read
  /// them all. One sample of a channel is ``subscript(_:_:)``.
  public var samples: MutableSpan<Sample> {
    @_lifetime(borrow self) _read { yield storage }
    @_lifetime(&self) _modify { yield &storage }
  }

  @_lifetime(copy samples)
  package init(
    samples: consuming MutableSpan<Sample>, format: StreamFormat, samplePosition: Int64,
    isPartial: Bool, source: SourceID?, group: SourceID?
  ) {
    storage = samples
    self.format = format
    self.samplePosition = samplePosition
    self.isPartial = isPartial
    self.source = source
    self.group = group
  }

  /// Makes a frame of a program's own samples, for its tests: an observer's edits change these samples.
  ///
  /// - Parameters:
  ///   - samples: interleaved, whole sample frames of `format`; anything else ends the program.
  ///   - format: the rate and the channel count.
  ///   - samplePosition: the position of the first sample, in samples per channel.
  ///   - isPartial: whether it is the stream's last frame and shorter than the requested length.
  ///   - source: the source of the frame; nil = a sum of sources.
  ///   - group: the group of that source.
  @_lifetime(copy samples)
  public init(
    _ samples: consuming MutableSpan<Sample>, format: StreamFormat, samplePosition: Int64 = 0,
    isPartial: Bool = false, source: SourceID? = nil, group: SourceID? = nil
  ) {
    precondition(
      samples.count % format.channelCount == 0,
      "an audio frame has whole sample frames: a sample of every channel")
    self.init(
      samples: samples, format: format, samplePosition: samplePosition, isPartial: isPartial,
      source: source, group: group)
  }
}

extension AudioFrame {
  /// The source of the frame with its group; nil for a sum of sources.
  public var key: SourceKey? { source.map { SourceKey($0, in: group) } }
  /// Samples per second of each channel, in hertz.
  @inlinable
  public var sampleRate: Int { format.sampleRate }
  /// Interleaved channels.
  @inlinable
  public var channelCount: Int { format.channelCount }
  /// The length of the frame.
  @inlinable
  public var samplesPerChannel: Int { samples.count / format.channelCount }
  /// The size of one sample in memory.
  public var bytesPerSample: Int { MemoryLayout<Sample>.stride }
  /// The time of the first sample in milliseconds, rounded down.
  public var renderTime: Int64 {
    AudioTime.milliseconds(samplePosition, at: format.sampleRate)
  }

  // These accessors are compiled in the caller, which knows the type of the samples.

  /// The sample of a channel at an index of time, both from 0.
  ///
  /// - Parameters:
  ///   - channel: below ``channelCount``; anything else ends the program.
  ///   - index: below ``samplesPerChannel``; anything else ends the program.
  @_alwaysEmitIntoClient
  public subscript(channel: Int, index: Int) -> Sample {
    get { samples[place(channel, index)] }
    @_lifetime(self: copy self)
    set { samples[place(channel, index)] = newValue }
  }

  @_alwaysEmitIntoClient
  func place(_ channel: Int, _ index: Int) -> Int {
    precondition(channel >= 0 && channel < format.channelCount)
    return index * format.channelCount + channel
  }

  /// Calls `body` with every sample and its channel, from 0, in the order in which they lie: all channels of one time,
  /// then those of the next.
  @_alwaysEmitIntoClient
  public func forEach<Failure: Error>(
    _ body: (_ channel: Int, _ sample: Sample) throws(Failure) -> Void
  ) throws(Failure) {
    var channel = 0
    for index in 0..<samples.count {
      try body(channel, samples[index])
      channel += 1
      if channel == format.channelCount { channel = 0 }
    }
  }

  /// A copy of the samples, interleaved.
  public var array: [Sample] { unsafe storage.span.withUnsafeBufferPointer { unsafe Array($0) } }

  /// An owned frame with the same content, which may cross threads and never changes.
  public func copy() -> AudioFrameCopy<Sample> { copy(droppedBefore: 0) }

  /// Returns an owned frame that records how many frames before it were dropped.
  package func copy(droppedBefore count: Int) -> AudioFrameCopy<Sample> {
    AudioFrameCopy(
      array, format: format, samplePosition: samplePosition, isPartial: isPartial,
      from: source.map { SourceKey($0, in: group) }, droppedFrames: count)
  }
}

/// An audio frame that owns its samples, made by ``AudioFrame/copy()``.
public struct AudioFrameCopy<Sample: FrameSample>: Sendable {
  /// Interleaved samples.
  public let samples: [Sample]
  public let format: StreamFormat
  /// The position of the first sample, as in ``AudioFrame/samplePosition``.
  public let samplePosition: Int64
  /// Whether this is the stream's last frame and shorter than the requested length.
  public let isPartial: Bool
  public let source: SourceID?
  public let group: SourceID?
  /// In a ``FrameSequence``, the number of frames of its source directly before this one that did not fit the buffer.
  public let droppedFrames: Int

  /// - Parameters:
  ///   - samples: interleaved; whole samples of all channels.
  ///   - format: of `samples`.
  ///   - samplePosition: as in ``AudioFrame/samplePosition``.
  ///   - isPartial: whether this is the stream's last frame and shorter than the requested length.
  ///   - key: the source; nil for a sum of sources.
  ///   - droppedFrames: directly before this one.
  public init(
    _ samples: [Sample], format: StreamFormat, samplePosition: Int64 = 0, isPartial: Bool = false,
    from key: SourceKey? = nil, droppedFrames: Int = 0
  ) {
    self.samples = samples
    self.format = format
    self.samplePosition = samplePosition
    self.isPartial = isPartial
    (source, group) = (key?.id, key?.group)
    self.droppedFrames = droppedFrames
  }

  /// The source of the frame with its group; nil for a sum of sources.
  public var key: SourceKey? { source.map { SourceKey($0, in: group) } }
  /// The length of the frame.
  public var samplesPerChannel: Int { samples.count / format.channelCount }
  /// The time of the first sample in milliseconds, rounded down.
  public var renderTime: Int64 {
    AudioTime.milliseconds(samplePosition, at: format.sampleRate)
  }
}

/// Conversions between positions at different sample rates.
package enum AudioTime {
  /// ⌊position · rate / clock⌋: converts a position from the rate `clock` to `rate`, without overflow for any stream
  /// shorter than a million years.
  package static func rescaled(_ position: Int64, from clock: Int, to rate: Int) -> Int64 {
    let (whole, rest) = position.quotientAndRemainder(dividingBy: Int64(clock))
    return whole * Int64(rate) + rest * Int64(rate) / Int64(clock)
  }

  /// Converts a position like ``rescaled(_:from:to:)``, but rounds to the nearest, halves up.
  package static func nearest(_ position: Int64, from clock: Int, to rate: Int) -> Int64 {
    let (whole, rest) = position.quotientAndRemainder(dividingBy: Int64(clock))
    return whole * Int64(rate) + (rest * Int64(rate) + Int64(clock) / 2) / Int64(clock)
  }

  /// ⌊1000 · position / sampleRate⌋.
  package static func milliseconds(_ position: Int64, at sampleRate: Int) -> Int64 {
    rescaled(position, from: sampleRate, to: 1_000)
  }
}
