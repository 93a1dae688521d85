// SPDX-License-Identifier: Apache-2.0
/// Lowers one source while another one sounds: music under a voice.
///
/// The observer sees both sources before mixing and changes one of them. A frame of the voice is *active* if one of its
/// samples reaches the threshold. During active frames and the hold time behind them, the level of the music falls to
/// the depth, in a straight line of decibels; the whole way takes the attack time. Then it rises again, in the release
/// time. A frame counts from its beginning: the music waits until it is known. The default frame is 10 ms.
///
/// ```swift
/// let duck = DuckObserver("2", under: "1", by: -12)
/// try session.register(duck, from: "1")
/// try session.register(duck, from: "2")
/// ```
///
/// The result depends neither on the block sizes nor on the rates of the sources: the observer compares their positions
/// as time since the start of the session. The session computes in double precision.
public final class DuckObserver: GenericObserver {
  /// The source that is lowered.
  public let ducked: SourceKey
  /// The source that lowers the other.
  public let key: SourceKey
  private let threshold: Double
  private let asked: FrameParameters
  private var curve: DuckingCurve
  /// The factors of one frame.
  private var factors: [Double] = []

  /// - Parameters:
  ///   - ducked: the source to lower.
  ///   - key: another source, which lowers it.
  ///   - decibels: the depth relative to the source's own level; negative.
  ///   - times: the attack, hold and release times.
  ///   - threshold: the least level of an active sample of the key, in dBFS.
  ///   - parameters: the shape of the frames of both, read-write unless they set a mode.
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
      // The key is silent before it begins.
      curve.advance(to: Double(frame.samplePosition) / rate, isActive: false)
      let isActive = Sample.firstIndex(in: frame.samples.span, atLeast: threshold) != nil
      curve.advance(to: end, isActive: isActive)
    } else if frame.key == ducked {
      // The key is silent behind its end, too.
      curve.advance(to: end, isActive: false)
      scale(&frame)
    }
    return true
  }

  private func scale<Sample: AudioSample>(_ frame: inout AudioFrame<Sample>) {
    let (first, length) = (frame.samplePosition, frame.samplesPerChannel)
    let rate = Double(frame.sampleRate)
    let width = frame.channelCount
    if curve.isFlat(from: Double(first) / rate, to: Double(first + Int64(length)) / rate) { return }
    curve.fill(&factors, from: first, length, at: rate)
    Sample.scale(&frame.samples, frames: width, by: factors)
  }
}

/// The times in which a ``DuckObserver`` lowers a source and raises it again.
public struct DuckingTimes: Sendable, Hashable {
  /// The time from the full level to the depth.
  public var attack: Duration
  /// The time at the depth behind the last active frame.
  public var hold: Duration
  /// The time from the depth to the full level.
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
