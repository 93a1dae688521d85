// SPDX-License-Identifier: Apache-2.0
extension AudioError {
  /// The error of a gap in a capture that must have none.
  static func gap(_ gap: DeviceGap, in device: String, sampleRate: Int) -> AudioError {
    let lost =
      gap.lostSamplesPerChannel.map { "; \($0) samples per channel were lost\(gap.accuracy)" } ?? ""
    return AudioError(
      .inputOutput, cannot: "capture without a gap from", device,
      because: "\(gap.cause.event), after \(gap.position) samples per channel\(lost)")
  }
}

extension AudioError {
  /// The error of a live end that was lost.
  ///
  /// - Parameters:
  ///   - reason: a clause.
  ///   - samples: samples per channel that were captured or heard.
  ///   - uncertainty: of `samples`, either way.
  package static func lost(
    _ device: String, _ direction: DeviceDirection, because reason: String, after samples: Int64,
    uncertainty: Int64 = 0
  ) -> AudioError {
    switch direction {
    case .capture:
      AudioError(
        .deviceLost, cannot: "go on capturing from", device,
        because: "\(reason), after \(samples) samples per channel")
    case .playback:
      AudioError(
        .deviceLost, cannot: "go on playing on", device,
        because: "\(reason), after \(samples) samples per channel were heard"
          + (uncertainty > 0 ? " (estimated ±\(uncertainty))" : ""))
    }
  }
}

extension DeviceGap {
  /// The accuracy of an estimate, for example ` (estimated ±48)`; empty for a count.
  package var accuracy: String { isEstimated ? " (estimated ±\(uncertainty))" : "" }
}

extension DeviceGap.Cause {
  /// The name for programs, and a noun and a clause about the device for people.
  private var words: (name: String, noun: String, event: String) {
    switch self {
    case .xrun: ("xrun", "overrun", "its buffer overran")
    case .suspend: ("suspend", "suspend", "the system slept")
    case .ringOverflow: ("overflow", "full ring", "the samples were not taken in time")
    case .fault: ("fault", "restart", "it failed and had to be started again")
    case .deviceLost: ("lost", "lost device", "it was lost for a while")
    case .cycle: ("cycle", "missed cycle", "cycles of its server were missed")
    case .network: ("network", "network gap", "packets did not come")
    }
  }

  package var name: String { words.name }
  package var noun: String { words.noun }
  fileprivate var event: String { words.event }
}
