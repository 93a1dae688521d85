// SPDX-License-Identifier: Apache-2.0
/// A length of time in the options of devices.
@nonexhaustive
public enum DeviceLength: Sendable, Hashable {
  /// This many samples per channel at the device's rate.
  case samplesPerChannel(Int)
  /// This long at any rate.
  case time(Duration)

  /// The length in samples per channel, rounded to the nearest, at least 1.
  package func samplesPerChannel(at sampleRate: Int) -> Int {
    switch self {
    case .samplesPerChannel(let count): max(count, 1)
    case .time(let time): max(Int(TimePosition.time(time).samples(at: sampleRate)), 1)
    }
  }
}
