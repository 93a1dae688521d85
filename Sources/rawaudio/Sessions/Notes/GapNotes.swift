// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// The notes on gaps in the journal of a service: at most one a minute for each device, with the number of the others.
struct GapNotes {
  /// In milliseconds.
  private static let interval: Int64 = 60_000

  private struct Device {
    var toldAt: Int64
    /// The gaps since then, and their known samples per channel.
    var untold = 0
    var lostSamples: Int64 = 0
  }

  private var devices: [String: Device] = [:]

  /// Takes a gap, and returns the note on it; nil if it is counted.
  mutating func take(_ gap: LocatedGap, of name: String, at now: Int64) -> String? {
    if devices[name] != nil {
      devices[name]?.untold += 1
      devices[name]?.lostSamples += gap.gap.lostSamples ?? 0
      return nil
    }
    devices[name] = Device(toldAt: now)
    return "device '\(name)': \(gap.text)"
  }

  /// The notes on counted gaps whose minute is over, or on all.
  mutating func due(at now: Int64, all: Bool = false) -> [String] {
    var notes: [String] = []
    for (name, device) in devices.sorted(by: { $0.key < $1.key })
    where all || now - device.toldAt >= Self.interval {
      devices[name] = nil
      guard device.untold > 0 else { continue }
      if !all { devices[name] = Device(toldAt: now) }
      let times = device.untold.counted("more gap")
      notes.append(
        "device '\(name)': \(times) since the last line, \(device.lostSamples.counted("sample"))")
    }
    return notes
  }
}
