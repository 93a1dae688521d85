// SPDX-License-Identifier: Apache-2.0
/// A device that ALSA knows by a name which does not move when cards come and go.
public struct AlsaDevice: Sendable, Hashable {
  /// What a device says to one direction.
  package enum Answer: Sendable, Hashable {
    /// It was opened; this is what it really takes.
    case offer(AlsaOffer)
    /// It is in use, by these processes where the system tells.
    case inUse(by: [DeviceUser])
    /// It could not be opened, and why: no permission, no such hardware.
    case unavailable(reason: String)
    /// It was not opened, because that might start a sound server.
    case notAsked
  }

  /// What to open it by, for example `hw:CARD=PCH,DEV=0`.
  public var name: String
  /// ALSA's or the card's own words, on one line; empty where there are none.
  public var description: String
  /// Whether it is what is used where no device is named.
  public var isDefault: Bool { name == "default" }
  /// nil where the device does not capture.
  package var capture: Answer?
  /// nil where the device does not play.
  package var playback: Answer?

  /// What the device says to `direction`.
  package func answer(to direction: DeviceDirection) -> Answer? {
    direction == .capture ? capture : playback
  }
}

/// The values that a device takes, each list taken by itself, ascending.
///
/// Names such as `default` and `plughw:…` take almost everything, for alsa-lib converts behind them.
package struct AlsaOffer: Sendable, Hashable {
  /// Of the rates in use for audio, in hertz.
  package var sampleRates: [Int]
  /// From 1 to 64.
  package var channelCounts: [Int]
  /// Each once, in the order of ``SampleEncoding``.
  package var encodings: [SampleEncoding]
}

/// A process that has a device open.
package struct DeviceUser: Sendable, Hashable {
  /// The number of the process.
  package var processID: Int
  /// As the system calls it; empty where it does not say.
  package var name: String

  /// - Parameters:
  ///   - processID: the number of the process.
  ///   - name: as the system calls it; may be empty.
  package init(processID: Int, name: String) {
    self.processID = processID
    self.name = name
  }
}

extension DeviceUser: CustomStringConvertible {
  /// For example `arecord (process 4711)`.
  package var description: String {
    name.isEmpty ? "process \(processID)" : "\(name) (process \(processID))"
  }
}
