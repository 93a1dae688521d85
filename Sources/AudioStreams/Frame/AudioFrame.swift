// SPDX-License-Identifier: Apache-2.0
/// The block of audio that an observer receives in one call: interleaved samples, format and time.
///
/// A frame is borrowed for the length of the call; the compiler refuses to let it escape. ``copy()``
/// gives one that may be kept.
public struct AudioFrame<Sample: FrameSample>: ~Copyable, ~Escapable {
  private var storage: MutableSpan<Sample>
  /// The rate and the channel count that the observer asked for.
  public let format: StreamFormat
  /// Where the first sample stands, in samples per channel at `format.sampleRate`, counted from the start of the
  /// session's sound, which is the first sample of its sums and of its local source: a source that begins later, or joins,
  /// begins there. What observers and devices hold back takes time and changes no position.
  public let samplePosition: Int64
  /// Whether this is the stream's last frame and shorter than was asked for.
  public let isPartial: Bool
  /// Who the frame comes from; nil where it is a sum of sources.
  public let source: SourceID?
  /// The group of that source, where it has one.
  public let group: SourceID?

  /// Interleaved samples, nominal range ±1.0 (`Int16`: −32768…32767). Writing here is the edit.
  ///
  /// Used in place: `frame.samples[0] = 0`, `edit(&frame.samples)`, and `frame.samples.span` to read
  /// them all.
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
}

extension AudioFrame {
  /// Who the frame comes from, with the group; nil where it is a sum of sources.
  public var key: SourceKey? { source.map { SourceKey($0, in: group) } }
  /// Samples per second of each channel, in hertz.
  @inlinable
  public var sampleRate: Int { format.sampleRate }
  /// Interleaved channels.
  @inlinable
  public var channelCount: Int { format.channelCount }
  /// The length of the frame.
  public var samplesPerChannel: Int { storage.count / format.channelCount }
  /// The size of one sample in memory.
  public var bytesPerSample: Int { MemoryLayout<Sample>.stride }
  /// The time of the first sample in milliseconds, rounded down.
  public var renderTime: Int64 {
    AudioTime.milliseconds(samplePosition, at: format.sampleRate)
  }

  /// An owned frame with the same content, which may cross threads and never changes.
  public func copy() -> AudioFrameCopy<Sample> { copy(droppedBefore: 0) }

  /// The same, saying how many frames before it were dropped.
  package func copy(droppedBefore count: Int) -> AudioFrameCopy<Sample> {
    let owned = unsafe storage.span.withUnsafeBufferPointer { unsafe Array($0) }
    return AudioFrameCopy(
      samples: owned, format: format, samplePosition: samplePosition, isPartial: isPartial,
      source: source, group: group, droppedFrames: count)
  }
}

/// An audio frame that owns its samples: what ``AudioFrame/copy()`` gives.
public struct AudioFrameCopy<Sample: FrameSample>: Sendable {
  /// Interleaved samples.
  public let samples: [Sample]
  public let format: StreamFormat
  /// Where the first sample stands, as ``AudioFrame/samplePosition`` says.
  public let samplePosition: Int64
  /// Whether this is the stream's last frame and shorter than was asked for.
  public let isPartial: Bool
  public let source: SourceID?
  public let group: SourceID?
  /// In a ``FrameSequence``, how many frames between the one before and this did not fit the buffer.
  public let droppedFrames: Int

  /// Who the frame comes from, with the group; nil where it is a sum of sources.
  public var key: SourceKey? { source.map { SourceKey($0, in: group) } }
  /// The length of the frame.
  public var samplesPerChannel: Int { samples.count / format.channelCount }
  /// The time of the first sample in milliseconds, rounded down.
  public var renderTime: Int64 {
    AudioTime.milliseconds(samplePosition, at: format.sampleRate)
  }
}

/// Time as streams count it: in samples of one rate or another.
package enum AudioTime {
  /// ⌊position · rate / clock⌋: where a position that is counted at `clock` stands at `rate`, without
  /// overflow for any stream shorter than a million years.
  package static func rescaled(_ position: Int64, from clock: Int, to rate: Int) -> Int64 {
    let (whole, rest) = position.quotientAndRemainder(dividingBy: Int64(clock))
    return whole * Int64(rate) + rest * Int64(rate) / Int64(clock)
  }

  /// The same to the nearest, halves up.
  package static func nearest(_ position: Int64, from clock: Int, to rate: Int) -> Int64 {
    let (whole, rest) = position.quotientAndRemainder(dividingBy: Int64(clock))
    return whole * Int64(rate) + (rest * Int64(rate) + Int64(clock) / 2) / Int64(clock)
  }

  /// ⌊1000 · position / sampleRate⌋.
  package static func milliseconds(_ position: Int64, at sampleRate: Int) -> Int64 {
    rescaled(position, from: sampleRate, to: 1_000)
  }
}
