// SPDX-License-Identifier: Apache-2.0
/// A read-write observer of record that removes the echo of the loudspeaker from the microphone.
///
/// Its reference is the sound that the session's playback sink plays, on the microphone's clock. Both are devices, or both
/// are none, such as files. It computes with the canceller of libspeexdsp in 16-bit integers, so the stream has that
/// precision behind it:
///
/// ```swift
/// let echo = try EchoObserver()
/// try session.register(echo)
/// ```
///
/// Frames have 10 ms, at the rate of the microphone unless `parameters` name another. Session thread only.
public final class EchoObserver: AudioObserver {
  private let tail: Duration
  private let suppressesResidual: Bool
  private let asked: FrameParameters
  private var running: EchoStream?

  /// The success so far; nil before the first frame.
  public private(set) var attenuation: EchoAttenuation?
  /// Called on the session thread when the canceller has converged, and at the end of the stream if the loudspeaker was
  /// heard.
  public var onChange: ((EchoAttenuation) -> Void)?

  /// The range of `tail`.
  public static let tails: ClosedRange<Duration> = .milliseconds(20)...(.seconds(1))

  /// - Parameters:
  ///   - tail: the longest time from the loudspeaker's sound to its last echo, with the converters' delays; in ``tails``.
  ///   - suppressesResidual: whether to attenuate the rest that a linear filter leaves, too; it adds 10 ms of latency.
  ///   - parameters: the shape of the frames, read-write unless they set a mode.
  /// - Throws: `invalidParameter` for a tail out of range, and for the mode write-only.
  public init(
    tail: Duration = .milliseconds(200), suppressesResidual: Bool = false,
    parameters: FrameParameters = .readWrite
  ) throws(AudioError) {
    try AudioError.require(
      Self.tails.contains(tail), "tail", "\(tail)", because: "it must be 20 ms to 1 s")
    try AudioError.require(
      parameters.mode != .writeOnly, "mode", "write-only",
      because: "echo is removed from the microphone's samples")
    self.tail = tail
    self.suppressesResidual = suppressesResidual
    asked = parameters
  }

  public var positions: ObservationPositions { .record }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }

  public func latency(at position: ObservationPosition, in format: StreamFormat) -> Int {
    suppressesResidual ? FrameParameters.smallestSamplesPerCall(format) / format.channelCount : 0
  }

  /// Makes the canceller.
  ///
  /// - Throws: `unsupported` without libspeexdsp; `invalidParameter` for other frames than those of 10 ms, and for residual
  ///   echo of several microphone channels.
  public func begin(_ stream: ObservedStream) throws(AudioError) {
    let format = stream.format
    let smallest = FrameParameters.smallestSamplesPerCall(format)
    try AudioError.require(
      stream.samplesPerCall == smallest, "samples per call", "\(stream.samplesPerCall)",
      because: "echo is cancelled in frames of 10 ms", advice: "\(smallest) are such a frame")
    try AudioError.require(
      !suppressesResidual || format.channelCount == 1, "residual echo", "on",
      because: "it is for one channel, not \(format.channelCount)",
      advice: "ask for one, as 'record,channels=1,residual=on:echo' does")
    running = try EchoStream(
      format, played: stream.playedFormat?.channelCount ?? 1, tail: tail, suppressesResidual)
    attenuation = running?.meter.attenuation
  }

  public func end(_ stream: ObservedStream, _ reason: StopReason) {
    running = nil
    guard var last = attenuation, last.playedSamplesPerChannel > 0 else { return }
    last.isFinal = true
    attenuation = last
    onChange?(last)
  }
}

extension EchoObserver: ReferencedObserver {
  package func record(_ frame: inout AudioFrame<Float>, played: Span<Float>) -> Bool {
    guard let running else { return false }
    let before = attenuation?.convergedAt
    let position = frame.samplePosition + Int64(frame.samplesPerChannel)
    running.cancel(&frame.samples, played, upTo: position)
    attenuation = running.meter.attenuation
    if before == nil, let attenuation, attenuation.convergedAt != nil { onChange?(attenuation) }
    return true
  }
}

/// The canceller of one stream. Session thread only.
private final class EchoStream {
  private(set) var meter: EchoMeter
  private let canceller: EchoCanceller
  private var near: [Int16]
  private var played: [Int16]
  private var output: [Int16]
  private var missed: MissedFrames

  init(
    _ format: StreamFormat, played playedCount: Int, tail: Duration, _ suppressesResidual: Bool
  ) throws(AudioError) {
    let length = (format.sampleRate + 99) / 100
    let tail = Int(tail.samples(at: format.sampleRate))
    canceller = try EchoCanceller(
      frameLength: length, tail: tail, sampleRate: format.sampleRate, near: format.channelCount,
      played: playedCount, suppressesResidual: suppressesResidual)
    near = Array(repeating: 0, count: length * format.channelCount)
    output = near
    played = Array(repeating: 0, count: length * playedCount)
    missed = MissedFrames(
      count: (tail + length - 1) / length, played: played.count, near: near.count)
    meter = EchoMeter(frameLength: length, tail: tail, sampleRate: format.sampleRate)
  }

  /// - Parameters:
  ///   - samples: a frame, of which the last one may be shorter.
  ///   - position: its end, in samples per channel.
  func cancel(
    _ samples: inout MutableSpan<Float>, _ reference: Span<Float>, upTo position: Int64
  ) {
    Self.round(samples.span, to: &near)
    Self.round(reference, to: &played)
    if !missed.takes(near, played) {
      missed.makeGood(by: canceller, into: &output)
      canceller.cancel(near, played, into: &output)
    }
    if missed.isSilent {
      // Zeros stay zeros, not the echo that should have been there.
      for index in output.indices { output[index] = 0 }
    }
    let expected = expected
    canceller.suppress(&output)
    meter.add(
      before: Self.energy(near), behind: Self.energy(output),
      played: Self.energy(played) / Double(played.count), expected: expected, at: position)
    for index in samples.indices { samples[index] = Float(output[index]) / 32_768 }
  }

  /// The energy of the echo that was just taken out, and its product with the output.
  private var expected: (energy: Double, product: Double) {
    var (energy, product) = (Int64(0), Int64(0))
    for (before, behind) in zip(near, output) {
      let echo = Int64(before) - Int64(behind)
      energy += echo * echo
      product += echo * Int64(behind)
    }
    return (Double(energy) / 0x1p30, Double(product) / 0x1p30)
  }

  /// Rounds to 16 bits, saturates, and fills up with zeros.
  private static func round(_ samples: Span<Float>, to integers: inout [Int16]) {
    for index in integers.indices {
      let sample = index < samples.count ? samples[index] * 32_768 : 0
      let bounded = min(max(sample, -32_768), 32_767)
      integers[index] = bounded.isNaN ? 0 : Int16(bounded.rounded())
    }
  }

  /// The sum of the squares of samples of ±1.
  private static func energy(_ integers: [Int16]) -> Double {
    let sum = integers.reduce(into: Int64(0)) { $0 += Int64($1) * Int64($1) }
    return Double(sum) / 0x1p30
  }
}
