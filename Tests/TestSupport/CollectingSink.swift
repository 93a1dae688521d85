// SPDX-License-Identifier: Apache-2.0
/// A sink that keeps its samples and records its life; it can request a format, take few samples and fail.
package final class CollectingSink: AudioSink {
  package enum Call: Equatable {
    case initialize
    case start
    case finish
    case abandon
    case dispose
  }

  package private(set) var samples: [Double] = []
  package private(set) var format: StreamFormat?
  package private(set) var calls: [Call] = []
  package var wanted: StreamFormat?
  package var precision: SamplePrecision
  package var isLive = false
  package var pace: Pace { isLive ? .arrival : .unpaced }
  /// The samples per channel taken in each call.
  package var room = Int.max
  package var failures: [Call: AudioError] = [:]
  /// The number of samples after which the reader is gone.
  package var readerLeavesAfter: Int?
  /// The number of samples after which writing fails.
  package var writeFailsAfter: Int?

  package init(precision: SamplePrecision = .single) { self.precision = precision }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    try record(.initialize)
    format = wanted ?? proposal
    return wanted ?? proposal
  }

  package func start() throws(AudioError) { try record(.start) }

  package func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus
  {
    if let writeFailsAfter, self.samples.count >= writeFailsAfter { throw .diskFull }
    if let readerLeavesAfter, self.samples.count >= readerLeavesAfter { return .readerGone }
    self.samples.append(samples)
    return .accepted
  }

  package func stop(_ reason: StopReason) throws(AudioError) {
    try record(reason == .finished ? .finish : .abandon)
  }

  package func dispose() { calls.append(.dispose) }

  private func record(_ call: Call) throws(AudioError) {
    calls.append(call)
    if let error = failures[call] { throw error }
  }
}

extension AudioError {
  /// A recognisable failure for expectations.
  package static let diskFull = AudioError(
    .inputOutput, cannot: "write to", "disk", because: "no space left on device")
}
