// SPDX-License-Identifier: Apache-2.0
/// In which shape an observer wants its frames at one position. What is unset follows the position's
/// native format, in frames of 10 ms.
public struct FrameParameters: Sendable, Hashable {
  /// In hertz, 1 kHz to 768 kHz.
  public var sampleRate: Int?
  /// 1 to 64.
  public var channelCount: Int?
  /// Where neither the session nor the observer says, read-only.
  public var mode: ObserverMode?
  /// Samples across all channels in one call: interval = samplesPerCall / (sampleRate × channelCount).
  public var samplesPerCall: Int?
  /// The time that one call covers, instead of ``samplesPerCall``: at least 10 ms, rounded up to whole samples per
  /// channel at the frame's rate. 100 ms are 4,410 samples per channel at 44.1 kHz.
  public var interval: Duration?

  /// - Parameters:
  ///   - sampleRate: in hertz, 1 kHz to 768 kHz.
  ///   - channelCount: 1 to 64.
  ///   - mode: read-only where neither the session nor the observer says.
  ///   - samplesPerCall: across all channels; instead of `interval`.
  ///   - interval: the time that one call covers; instead of `samplesPerCall`.
  public init(
    sampleRate: Int? = nil, channelCount: Int? = nil, mode: ObserverMode? = nil,
    samplesPerCall: Int? = nil, interval: Duration? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.mode = mode
    self.samplesPerCall = samplesPerCall
    self.interval = interval
  }
}

/// What an observer may do to the stream.
public enum ObserverMode: String, Sendable, Hashable, CaseIterable {
  /// It sees the audio; its edits never reach the stream.
  case readOnly = "read-only"
  /// What it leaves in the frame goes on.
  case readWrite = "read-write"
  /// It is handed silence, and what it writes replaces the stream.
  case writeOnly = "write-only"
}

extension FrameParameters {
  /// Everything native, in frames of 10 ms, and what is left in a frame goes on.
  public static let readWrite = FrameParameters(mode: .readWrite)

  /// These, and where something is unset what `others` say. The samples per call and the interval are one choice.
  package func completed(by others: FrameParameters) -> FrameParameters {
    let length = samplesPerCall == nil && interval == nil ? others : self
    return FrameParameters(
      sampleRate: sampleRate ?? others.sampleRate,
      channelCount: channelCount ?? others.channelCount, mode: mode ?? others.mode,
      samplesPerCall: length.samplesPerCall, interval: length.interval)
  }

  /// The smallest legal samples per call: 10 ms, rounded up to whole samples of every channel.
  public static func smallestSamplesPerCall(_ format: StreamFormat) -> Int {
    (format.sampleRate + 99) / 100 * format.channelCount
  }

  /// The format and frame size that these parameters come to at a position of format `native`.
  ///
  /// - Throws: `invalidParameter` for an illegal rate or channel count; for a samples per call that does not
  ///   divide by the channel count, naming the nearest that do; for a samples per call or an interval of less
  ///   than 10 ms, naming the smallest; and where both are given.
  func resolved(native: StreamFormat) throws(AudioError) -> FrameShape {
    let format = try native.with(sampleRate: sampleRate, channelCount: channelCount)
    switch (samplesPerCall, interval) {
    case (nil, nil):
      return FrameShape(format: format, samplesPerCall: Self.smallestSamplesPerCall(format))
    case (let samplesPerCall?, nil):
      try Self.check(samplesPerCall: samplesPerCall, format)
      return FrameShape(format: format, samplesPerCall: samplesPerCall)
    case (nil, let interval?):
      return FrameShape(
        format: format, samplesPerCall: try Self.samplesPerCall(lasting: interval, format))
    case (let samplesPerCall?, let interval?):
      throw AudioError(
        .invalidParameter, cannot: "use interval", "\(interval)",
        because: "\(samplesPerCall) samples per call say how long a frame is already",
        advice: "give one of the two")
    }
  }

  /// So many samples across all channels last `interval`, rounded up to whole samples of every channel.
  private static func samplesPerCall(
    lasting interval: Duration, _ format: StreamFormat
  ) throws(AudioError) -> Int {
    guard interval >= .milliseconds(10) else {
      throw AudioError(
        .invalidParameter, cannot: "use interval", "\(interval)",
        because: "it is less than 10 ms", advice: "the smallest is 10 ms")
    }
    return Int(interval.samples(at: format.sampleRate)) * format.channelCount
  }

  /// Holds a samples per call against the contract.
  ///
  /// - Throws: `invalidParameter`, naming the smallest legal value, or the nearest ones where only a part of a
  ///   sample of every channel is too much.
  public static func check(samplesPerCall: Int, _ format: StreamFormat) throws(AudioError) {
    let channelCount = format.channelCount
    let rest = samplesPerCall % channelCount
    let lasts = samplesPerCall.multipliedReportingOverflow(by: 100)
    let isLongEnough =
      samplesPerCall > 0
      && (lasts.overflow || lasts.partialValue >= format.sampleRate * channelCount)
    if rest == 0, isLongEnough { return }
    let smallest = smallestSamplesPerCall(format)
    guard isLongEnough else {
      throw AudioError(
        .invalidParameter, cannot: "use samples per call", "\(samplesPerCall)",
        because: "it is less than 10 ms at \(format)", advice: "the smallest is \(smallest)")
    }
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
