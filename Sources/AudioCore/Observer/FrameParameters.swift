// SPDX-License-Identifier: Apache-2.0
/// The shape of an observer's frames at one position. An unset parameter follows the position's native format, with
/// frames of 10 ms.
public struct FrameParameters: Sendable, Hashable {
  /// The sample rate in hertz, 1 kHz to 768 kHz.
  public var sampleRate: Int?
  /// The channel count, 1 to 64.
  public var channelCount: Int?
  /// The mode; read-only if neither the session nor the observer sets it.
  public var mode: ObserverMode?
  /// The samples across all channels in one call: interval = samplesPerCall / (sampleRate × channelCount).
  public var samplesPerCall: Int?
  /// The samples of each channel in one call, instead of ``samplesPerCall``.
  public var samplesPerChannel: Int?
  /// The duration of one call's samples, instead of ``samplesPerCall``: at least 10 ms, rounded up to whole samples per
  /// channel at the frame's rate. 100 ms are 4,410 samples per channel at 44.1 kHz.
  public var interval: Duration?

  /// - Parameters:
  ///   - sampleRate: in hertz, 1 kHz to 768 kHz.
  ///   - channelCount: 1 to 64.
  ///   - mode: read-only if neither the session nor the observer sets it.
  ///   - samplesPerCall: samples across all channels.
  ///   - samplesPerChannel: samples of each channel; instead of `samplesPerCall`.
  ///   - interval: the duration of one call's samples; instead of both.
  public init(
    sampleRate: Int? = nil, channelCount: Int? = nil, mode: ObserverMode? = nil,
    samplesPerCall: Int? = nil, samplesPerChannel: Int? = nil, interval: Duration? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.mode = mode
    self.samplesPerCall = samplesPerCall
    self.samplesPerChannel = samplesPerChannel
    self.interval = interval
  }
}

/// The effect of an observer on its stream.
public enum ObserverMode: String, Sendable, Hashable, CaseIterable {
  /// The observer sees the audio; its edits never reach the stream.
  case readOnly = "read-only"
  /// The content of the frame after the call replaces the stream.
  case readWrite = "read-write"
  /// The observer gets silence, and its samples replace the stream.
  case writeOnly = "write-only"
}

extension FrameParameters {
  /// The native format in frames of 10 ms, with mode read-write.
  public static let readWrite = FrameParameters(mode: .readWrite)

  /// Returns these parameters, with the unset ones taken from `others`. Samples per call, samples per channel and interval
  /// count as one parameter.
  package func completed(by others: FrameParameters) -> FrameParameters {
    let isSet = samplesPerCall != nil || samplesPerChannel != nil || interval != nil
    let length = isSet ? self : others
    return FrameParameters(
      sampleRate: sampleRate ?? others.sampleRate,
      channelCount: channelCount ?? others.channelCount, mode: mode ?? others.mode,
      samplesPerCall: length.samplesPerCall, samplesPerChannel: length.samplesPerChannel,
      interval: length.interval)
  }

  /// Returns the smallest legal samples per call: 10 ms, rounded up to whole samples of every channel.
  public static func smallestSamplesPerCall(_ format: StreamFormat) -> Int {
    (format.sampleRate + 99) / 100 * format.channelCount
  }

  /// Returns the format and frame size of these parameters at a position of format `native`.
  ///
  /// - Throws: `invalidParameter` for an illegal rate or channel count; for samples per call that are no multiple of
  ///   the channel count, naming the nearest multiples; for samples per call or an interval of less than 10 ms, naming
  ///   the smallest; for a length of more samples than an `Int` counts; and if two lengths are given.
  func resolved(native: StreamFormat) throws(AudioError) -> FrameShape {
    let format = try native.with(sampleRate: sampleRate, channelCount: channelCount)
    switch (samplesPerCall, samplesPerChannel, interval) {
    case (nil, nil, nil):
      return FrameShape(format: format, samplesPerCall: Self.smallestSamplesPerCall(format))
    case (let samplesPerCall?, nil, nil):
      try Self.check(samplesPerCall: samplesPerCall, format)
      return FrameShape(format: format, samplesPerCall: samplesPerCall)
    case (nil, let samplesPerChannel?, nil):
      let samplesPerCall = try Self.samplesPerCall(
        samplesPerChannel, format, "samples per channel", "\(samplesPerChannel)")
      try Self.check(samplesPerCall: samplesPerCall, format)
      return FrameShape(format: format, samplesPerCall: samplesPerCall)
    case (nil, nil, let interval?):
      return FrameShape(
        format: format, samplesPerCall: try Self.samplesPerCall(lasting: interval, format))
    default:
      let lengths = [
        samplesPerCall.map { "\($0) samples per call" },
        samplesPerChannel.map { "\($0) samples per channel" }, interval.map { "\($0)" },
      ].compactMap(\.self)
      throw AudioError(
        .invalidParameter, cannot: "use", lengths.joined(separator: " and "),
        because: "each says how long a frame is", advice: "give one of them")
    }
  }

  /// Returns the samples across all channels in `interval`, rounded up to whole samples of every channel.
  private static func samplesPerCall(
    lasting interval: Duration, _ format: StreamFormat
  ) throws(AudioError) -> Int {
    try AudioError.require(
      interval >= .milliseconds(10), "interval", "\(interval)", because: "it is less than 10 ms",
      advice: "the smallest is 10 ms")
    return try samplesPerCall(
      Int(interval.samples(at: format.sampleRate)), format, "interval", "\(interval)")
  }

  private static func samplesPerCall(
    _ samplesPerChannel: Int, _ format: StreamFormat, _ name: String, _ value: String
  ) throws(AudioError) -> Int {
    let (count, overflow) = samplesPerChannel.multipliedReportingOverflow(by: format.channelCount)
    try AudioError.require(
      !overflow, name, value, because: "no frame has so many samples at \(format)",
      advice: "the most are \(Int.max / format.channelCount) samples per channel")
    return count
  }

  /// Checks samples per call: at least 10 ms, and a multiple of the channel count.
  ///
  /// - Throws: `invalidParameter`, naming the smallest legal value, or the nearest ones if only the multiple is wrong.
  public static func check(samplesPerCall: Int, _ format: StreamFormat) throws(AudioError) {
    let channelCount = format.channelCount
    let rest = samplesPerCall % channelCount
    let lasts = samplesPerCall.multipliedReportingOverflow(by: 100)
    let isLongEnough =
      samplesPerCall > 0
      && (lasts.overflow || lasts.partialValue >= format.sampleRate * channelCount)
    if rest == 0, isLongEnough { return }
    let smallest = smallestSamplesPerCall(format)
    try AudioError.require(
      isLongEnough, "samples per call", "\(samplesPerCall)",
      because: "it is less than 10 ms at \(format)", advice: "the smallest is \(smallest)")
    let below = samplesPerCall - rest
    let above = below.addingReportingOverflow(channelCount)
    let nearest = [below >= smallest ? below : nil, above.overflow ? nil : above.partialValue]
      .compactMap(\.self)
    throw AudioError(
      .invalidParameter, cannot: "use samples per call", "\(samplesPerCall)",
      because: "it does not divide by \(channelCount) channels",
      advice: nearest.map(String.init).joined(separator: " and ")
        + (nearest.count == 1 ? " does" : " do"))
  }
}

/// The settled shape of an observer's frames.
package struct FrameShape: Hashable {
  package var format: StreamFormat
  /// Samples across all channels.
  package var samplesPerCall: Int
}
