// SPDX-License-Identifier: Apache-2.0
/// A read-only observer that measures peak and RMS of every channel, at intervals and over the whole stream.
///
/// Its frames are `Double`, which holds every sample of a session in either precision.
public final class MeterObserver: UniformObserver {
  public typealias Sample = Double

  public let positions: ObservationPositions
  private let asked: FrameParameters
  private let interval: TimePosition
  private let receive: (LevelReading) -> Void
  private var meters: [StreamIdentity: Meter] = [:]

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames.
  ///   - interval: the time between readings, at least a sample; independent of the size of the frames.
  ///   - receive: takes every reading, on the session thread.
  public init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    interval: TimePosition = .time(.milliseconds(100)), receive: @escaping (LevelReading) -> Void
  ) {
    self.positions = positions
    asked = parameters
    self.interval = interval
    self.receive = receive
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  public func begin(_ stream: ObservedStream) throws(AudioError) {
    meters[stream.identity] = Meter(
      stream, interval: max(1, interval.samples(at: stream.format.sampleRate)))
  }

  public func observe(_ frame: inout AudioFrame<Double>, at position: ObservationPosition) -> Bool {
    let meter = meters[StreamIdentity(of: frame, at: position)]
    meter?.add(frame.samples.span, receive)
    return true
  }

  /// Gives the last interval, if it has a sample, and the overall reading.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    meters.removeValue(forKey: stream.identity)?.end(receive)
  }

  /// One stream's levels.
  private final class Meter {
    private let stream: ObservedStream
    private let interval: Int64
    private var current: [Level]
    private var overall: [Level]

    init(_ stream: ObservedStream, interval: Int64) {
      self.stream = stream
      self.interval = interval
      current = Array(repeating: Level(), count: stream.format.channelCount)
      overall = current
    }

    private var measured: Int64 { current[0].samples }

    func add(_ samples: Span<Double>, _ receive: (LevelReading) -> Void) {
      let channelCount = current.count
      var start = 0
      while start < samples.count {
        let left = interval - measured
        let count = Int(min(left, Int64((samples.count - start) / channelCount))) * channelCount
        Level.measure(samples.extracting(start..<start + count), into: &current)
        start += count
        if measured == interval { close(receive) }
      }
    }

    func end(_ receive: (LevelReading) -> Void) {
      if measured > 0 { close(receive) }
      receive(reading(.overall, overall, at: 0))
    }

    private func close(_ receive: (LevelReading) -> Void) {
      receive(reading(.interval, current, at: overall[0].samples))
      for channel in current.indices {
        overall[channel].add(current[channel])
        current[channel] = Level()
      }
    }

    private func reading(
      _ span: LevelReading.Span, _ levels: [Level], at position: Int64
    ) -> LevelReading {
      LevelReading(
        stream: stream, span: span, samplePosition: position,
        samplesPerChannel: levels[0].samples, channels: levels)
    }
  }
}

/// A reading of a ``MeterObserver``.
public struct LevelReading: Sendable {
  /// The part of the stream that a reading covers.
  @nonexhaustive
  public enum Span: Sendable, Hashable {
    /// One of the meter's intervals; the last one of a stream may be shorter.
    case interval
    /// The whole stream; comes once, at its end.
    case overall
  }

  public var stream: ObservedStream
  public var span: Span
  /// The beginning of the span, in samples per channel at the rate of the observer's frames.
  public var samplePosition: Int64
  /// The length of the span.
  public var samplesPerChannel: Int64
  /// One level for each channel.
  public var channels: [Level]
}

extension MeterObserver: TraitedObserver {
  package var traits: ObserverTraits { .hasOwnMode }
}
