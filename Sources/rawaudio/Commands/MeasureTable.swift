// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The text output of `measure`: a page for one file, a row each for many.
struct MeasureTable {
  private static let columns: [(measure: Measure, heading: String, width: Int)] = [
    (.loudness, "loudness", 9), (.loudnessRange, "range", 6), (.maxMomentary, "momentary", 10),
    (.maxShortTerm, "short-term", 11), (.truePeak, "true peak", 10), (.samplePeak, "peak", 7),
    (.rms, "RMS", 7), (.crestFactor, "crest", 6), (.clippedRuns, "clipped", 8),
  ]

  /// The two lines above the rows: names and units.
  static var heading: String {
    let names = columns.map { $0.heading.right($0.width) }.joined()
    let units = columns.map { column in
      let unit = column.measure == .clippedRuns ? "runs" : column.measure.unit
      return unit.right(column.width)
    }
    return "\(names)  file\n\(units.joined())\n"
  }

  static func row(_ path: String, _ sound: SoundMeasurement) -> String {
    let cells = columns.map { column in
      cell(column.measure.value(in: sound), column.measure).right(column.width)
    }
    return "\(cells.joined())  \(path.printable)\n"
  }

  static func page(
    _ path: String, _ sound: SoundMeasurement, _ levels: MeasuredLevels?
  ) -> String {
    var page = "\(path.printable)\n"
    for measure in Measure.allCases {
      let value = cell(measure.value(in: sound), measure)
      page += "  \(measure.heading.left(28))\(value.right(12))\n"
    }
    let channels = sound.channels
    page += "  \("channel".left(28))"
    page += channels.indices.map { "\($0 + 1)".right(12) }.joined() + "\n"
    func add(_ measure: Measure, _ value: (SoundMeasurement.Channel) -> Double?) {
      page += "  \(measure.heading.left(28))"
      page += channels.map { cell(value($0), measure).right(12) }.joined() + "\n"
    }
    add(.truePeak, \.truePeak)
    add(.samplePeak, \.samplePeak)
    add(.rms, \.rms)
    add(.crestFactor, \.crestFactor)
    add(.clippedRuns) { Double($0.clippedRuns) }
    add(.offset, \.dcOffset)
    add(.bits) { $0.effectiveBits.map(Double.init) }
    add(.bandwidth, \.bandwidth)
    add(.notFinite) { Double($0.notFiniteSamples) }
    for (index, channel) in channels.enumerated() {
      if channel.isDead { page += "  channel \(index + 1) is dead\n" }
      if let twin = channel.identicalChannel {
        page += "  channel \(index + 1) is identical to channel \(twin + 1)\n"
      }
    }
    for (name, values) in levels?.rows ?? [] {
      page += "  \(name.left(28))" + values.map { $0.right(12) }.joined() + "\n"
    }
    return page
  }

  private static func cell(_ value: Double?, _ measure: Measure) -> String {
    value.map { measure.text($0) } ?? "-"
  }
}

extension Measure {
  /// Its name with its unit.
  fileprivate var heading: String {
    let name = String(rawValue.map { $0 == "-" ? " " : $0 })
    return unit.isEmpty ? name : "\(name) (\(unit))"
  }
}

extension String {
  fileprivate func right(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  fileprivate func left(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
