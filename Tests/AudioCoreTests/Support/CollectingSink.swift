// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// A sink that keeps what it gets and records its life; it can ask for a format, be narrow and fail.
final class CollectingSink: AudioSink {
  enum Call: Equatable {
    case initialize
    case start
    case finish
    case abandon
    case dispose
  }

  private(set) var samples: [Double] = []
  private(set) var format: StreamFormat?
  private(set) var calls: [Call] = []
  var wanted: StreamFormat?
  var precision: SamplePrecision
  var isLive = false
  var pace: Pace { isLive ? .arrival : .unpaced }
  /// Samples per channel taken in each call.
  var room = Int.max
  var failures: [Call: AudioError] = [:]
  /// After this many samples the reader is gone.
  var readerLeavesAfter: Int?
  /// After this many samples writing fails.
  var writeFailsAfter: Int?

  init(precision: SamplePrecision = .single) { self.precision = precision }

  func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    try record(.initialize)
    format = wanted ?? proposal
    return wanted ?? proposal
  }

  func start() throws(AudioError) { try record(.start) }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    if let writeFailsAfter, self.samples.count >= writeFailsAfter { throw .diskFull }
    if let readerLeavesAfter, self.samples.count >= readerLeavesAfter { return .readerGone }
    self.samples.append(samples)
    return .accepted
  }

  func stop(_ reason: StopReason) throws(AudioError) {
    try record(reason == .finished ? .finish : .abandon)
  }

  func dispose() { calls.append(.dispose) }

  private func record(_ call: Call) throws(AudioError) {
    calls.append(call)
    if let error = failures[call] { throw error }
  }
}

extension AudioError {
  /// A failure to recognise in expectations.
  static let diskFull = AudioError(
    .inputOutput, cannot: "write to", "disk", because: "no space left on device")
}
