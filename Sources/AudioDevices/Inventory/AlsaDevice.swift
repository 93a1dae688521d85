// SPDX-License-Identifier: Apache-2.0
/// A device with an ALSA name that does not change when cards come and go.
public struct AlsaDevice: Sendable, Hashable {
  /// The result of asking a device for one direction.
  package enum Answer: Sendable, Hashable {
    /// It was opened; these are the values that it really takes.
    case offer(AlsaOffer)
    /// It is in use; the processes if the system tells them.
    case inUse(by: [DeviceUser])
    /// It could not be opened, for a reason such as no permission or no such hardware.
    case unavailable(reason: String)
    /// It was not opened, because opening it might start a sound server.
    case notAsked
  }

  /// The name to open, for example `hw:CARD=PCH,DEV=0`.
  public var name: String
  /// ALSA's or the card's description, on one line; may be empty.
  public var description: String
  /// Whether it is used if no device is named.
  public var isDefault: Bool { name == "default" }
  /// nil if the device does not capture.
  package var capture: Answer?
  /// nil if the device does not play.
  package var playback: Answer?

  /// The device's answer for `direction`.
  package func answer(to direction: DeviceDirection) -> Answer? {
    direction == .capture ? capture : playback
  }
}

/// The values that a device takes, each list on its own, ascending.
///
/// Names such as `default` and `plughw:…` take almost everything, for alsa-lib converts behind them.
package struct AlsaOffer: Sendable, Hashable {
  /// Of the usual audio rates, in hertz.
  package var sampleRates: [Int]
  /// From 1 to 64.
  package var channelCounts: [Int]
  /// Each once, in the order of ``SampleEncoding``.
  package var encodings: [SampleEncoding]
}

extension [Int] {
  /// The runs of neighbours in ascending numbers: 1…3 and 8…8 in `[1, 2, 3, 8]`.
  package var runs: [ClosedRange<Int>] {
    reduce(into: []) { runs, number in
      if let last = runs.last, last.upperBound + 1 == number {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
  }
}

/// A process that has a device open.
package struct DeviceUser: Sendable, Hashable {
  /// The number of the process.
  package var processID: Int
  /// The system's name of the process; empty if unknown.
  package var name: String
}

extension DeviceUser: CustomStringConvertible {
  /// For example `arecord (process 4711)`.
  package var description: String {
    name.isEmpty ? "process \(processID)" : "\(name) (process \(processID))"
  }
}
