// SPDX-License-Identifier: Apache-2.0
/// Takes one source down while another one sounds: music under a voice.
///
/// It is shown both sources before mixing and changes one of them. A frame of the voice is *active* where a sample of
/// it reaches the threshold. While it is, and for the hold time behind it, the level of the music goes to the depth, in
/// a straight line of decibels that takes the attack time for all of it; then back, in the release time. A frame, of
/// 10 ms where nothing else is asked for, counts from its beginning: the music is held back until it is known.
///
/// ```swift
/// let duck = DuckObserver("2", under: "1", by: -12)
/// try session.register(duck, from: "1")
/// try session.register(duck, from: "2")
/// ```
///
/// The result depends on neither the blocks in which the sources are read nor their rates: places in both are compared
/// as time since the start of the session. A session with such an observer computes in double precision.
public final class DuckObserver: GenericObserver {
  /// The source that goes down.
  public let ducked: SourceKey
  /// The source that it goes down under.
  public let key: SourceKey
  private let threshold: Double
  private let asked: FrameParameters
  private var curve: DuckingCurve
  /// Of a frame.
  private var factors: [Double] = []

  /// - Parameters:
  ///   - ducked: the source that goes down.
  ///   - key: another source, under which it does.
  ///   - decibels: how far, relative to its own level; negative.
  ///   - times: how fast.
  ///   - threshold: from which level on a sample of the key counts, in dBFS.
  ///   - parameters: the shape of the frames of both; the mode is read-write unless they say otherwise.
  public init(
    _ ducked: SourceKey, under key: SourceKey, by decibels: Double,
    times: DuckingTimes = DuckingTimes(), threshold: Double = -40,
    parameters: FrameParameters = .readWrite
  ) {
    self.ducked = ducked
    self.key = key
    self.threshold = Decibels.factor(threshold)
    asked = parameters
    curve = DuckingCurve(depth: decibels, times)
  }

  public var positions: ObservationPositions { .beforeMixing }
  public var neededPrecision: SamplePrecision { .double }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }

  public func leader(of source: SourceKey) -> SourceKey? { source == ducked ? key : nil }

  public func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    let rate = Double(frame.sampleRate)
    let end = Double(frame.samplePosition + Int64(frame.samplesPerChannel)) / rate
    if frame.key == key {
      // Where the key has nothing before it begins, it is silent.
      curve.advance(to: Double(frame.samplePosition) / rate, isActive: false)
      let isActive = Sample.firstIndex(in: frame.samples.span, atLeast: threshold) != nil
      curve.advance(to: end, isActive: isActive)
    } else if frame.key == ducked {
      // Behind the key's end, too.
      curve.advance(to: end, isActive: false)
      scale(&frame)
    }
    return true
  }

  private func scale<Sample: AudioSample>(_ frame: inout AudioFrame<Sample>) {
    let (first, length) = (frame.samplePosition, frame.samplesPerChannel)
    let (rate, width) = (Double(frame.sampleRate), frame.channelCount)
    if curve.isFlat(from: Double(first) / rate, to: Double(first + Int64(length)) / rate) { return }
    curve.fill(&factors, from: first, length, at: rate)
    Sample.scale(&frame.samples, frames: width, by: factors)
  }
}

/// How fast a ``DuckObserver`` takes a source down and up again.
public struct DuckingTimes: Sendable, Hashable {
  /// From the full level to the depth.
  public var attack: Duration
  /// How long it stays there behind the last active frame.
  public var hold: Duration
  /// From the depth to the full level.
  public var release: Duration

  public init(
    attack: Duration = .milliseconds(100), hold: Duration = .milliseconds(500),
    release: Duration = .milliseconds(1_000)
  ) {
    self.attack = attack
    self.hold = hold
    self.release = release
  }
}
