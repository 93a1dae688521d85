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

  public init(
    sampleRate: Int? = nil, channelCount: Int? = nil, mode: ObserverMode? = nil,
    samplesPerCall: Int? = nil
  ) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.mode = mode
    self.samplesPerCall = samplesPerCall
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

  /// These, and where something is unset what `others` say.
  package func completed(by others: FrameParameters) -> FrameParameters {
    FrameParameters(
      sampleRate: sampleRate ?? others.sampleRate,
      channelCount: channelCount ?? others.channelCount, mode: mode ?? others.mode,
      samplesPerCall: samplesPerCall ?? others.samplesPerCall)
  }

  /// The smallest legal samples per call: 10 ms, rounded up to whole samples of every channel.
  public static func smallestSamplesPerCall(_ format: StreamFormat) -> Int {
    (format.sampleRate + 99) / 100 * format.channelCount
  }

  /// The format and frame size that these parameters come to at a position of format `native`.
  ///
  /// - Throws: `invalidParameter` for an illegal rate or channel count, and for a samples per call that
  ///   does not divide by the channel count or lasts less than 10 ms; the message names the smallest.
  func resolved(native: StreamFormat) throws(AudioError) -> FrameShape {
    let format = try native.with(sampleRate: sampleRate, channelCount: channelCount)
    let smallest = Self.smallestSamplesPerCall(format)
    guard let samplesPerCall else { return FrameShape(format: format, samplesPerCall: smallest) }
    try Self.check(samplesPerCall: samplesPerCall, format)
    return FrameShape(format: format, samplesPerCall: samplesPerCall)
  }

  /// Holds a samples per call against the contract.
  ///
  /// - Throws: `invalidParameter`, naming the smallest legal value.
  public static func check(samplesPerCall: Int, _ format: StreamFormat) throws(AudioError) {
    let isWhole = samplesPerCall % format.channelCount == 0
    let lasts = samplesPerCall.multipliedReportingOverflow(by: 100)
    let isLongEnough =
      samplesPerCall > 0
      && (lasts.overflow || lasts.partialValue >= format.sampleRate * format.channelCount)
    if isWhole, isLongEnough { return }
    let smallest = smallestSamplesPerCall(format)
    throw AudioError(
      .invalidParameter, cannot: "use samples per call", "\(samplesPerCall)",
      because: isLongEnough
        ? "it does not divide by \(format.channelCount) channels"
        : "it is less than 10 ms at \(format)",
      advice: "the smallest is \(smallest)")
  }
}

/// The settled shape of an observer's frames.
package struct FrameShape: Hashable {
  package var format: StreamFormat
  /// Samples across all channels.
  package var samplesPerCall: Int
}
