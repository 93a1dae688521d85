// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// Shows what the meters of a session read: on a terminal one line that is refreshed, and at the end of
/// each stream its overall levels. Main thread only.
final class MeterDisplay {
  private let console: Console
  private let width: Int?
  /// The latest reading of each stream, in the order of their first.
  private var current: [(name: String, text: String)] = []

  /// - Parameter width: columns of the terminal; what does not fit is cut off.
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
  /// The position, and before mixing also who it is.
  fileprivate var name: String {
    let position = stream.position
    return position == .beforeMixing ? "\(position.rawValue) \(stream.name)" : position.rawValue
  }

  /// `peak -3.0 -3.1 dBFS, RMS -9.0 -9.2 dBFS`, one number a channel; silence is `-inf`, and what is not a number `nan`.
  fileprivate var text: String {
    let peaks = channels.map { $0.peakDecibels.decimal(1) }.joined(separator: " ")
    let means = channels.map { $0.rmsDecibels.decimal(1) }.joined(separator: " ")
    let clipped = channels.reduce(0) { $0 + $1.clippedSamples }
    let none = channels.reduce(0) { $0 + $1.notANumberSamples }
    return "peak \(peaks) dBFS, RMS \(means) dBFS" + (clipped > 0 ? ", \(clipped) clipped" : "")
      + (none > 0 ? ", \(none) not a number" : "")
  }
}
