// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Shows the readings of a session's meters: on a terminal one refreshed line, and the overall levels at the end of
/// each stream. Main thread only.
final class MeterDisplay {
  private let console: Console
  private let width: Int?
  /// The latest reading of each stream, in the order of the first readings.
  private var current: [(name: String, text: String)] = []

  /// - Parameter width: the columns of the terminal. Longer lines are cut off.
  init(_ console: Console, width: Int? = StandardStream.error.terminalWidth) {
    self.console = console
    self.width = width
  }

  func show(_ reading: LevelReading) {
    switch reading.span {
    case .overall:
      current.removeAll { $0.name == reading.name }
      console.result("\(reading.name): \(reading.text)")
    case .interval where console.showsStatus:
      update(reading.name, reading.text)
      let line = current.map { "\($0.name): \($0.text)" }.joined(separator: "  ")
      console.showStatus(width.map { String(line.prefix(max(0, $0 - 1))) } ?? line)
    case .interval: break
    }
  }

  private func update(_ name: String, _ text: String) {
    if let index = current.firstIndex(where: { $0.name == name }) {
      current[index].text = text
    } else {
      current.append((name, text))
    }
  }
}

extension LevelReading {
  /// The position, before mixing with the stream's name.
  fileprivate var name: String {
    let position = stream.position
    return position == .beforeMixing ? "\(position.rawValue) \(stream.name)" : position.rawValue
  }

  /// `peak -3.0 -3.1 dBFS, RMS -9.0 -9.2 dBFS`, one number per channel. Silence is `-inf`, NaN is `nan`.
  fileprivate var text: String {
    let peaks = channels.map { $0.peakDecibels.decimal(1) }.joined(separator: " ")
    let means = channels.map { $0.rmsDecibels.decimal(1) }.joined(separator: " ")
    let clipped = channels.reduce(0) { $0 + $1.clippedSamples }
    let none = channels.reduce(0) { $0 + $1.notANumberSamples }
    return "peak \(peaks) dBFS, RMS \(means) dBFS" + (clipped > 0 ? ", \(clipped) clipped" : "")
      + (none > 0 ? ", \(none) not a number" : "")
  }
}
