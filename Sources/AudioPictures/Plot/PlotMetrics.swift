// SPDX-License-Identifier: Apache-2.0
/// How large a picture is and which distances there are in it, in pixels. A character of a terminal counts as
/// ``CellCanvas/cellWidth`` × ``CellCanvas/cellHeight`` of them.
struct PlotMetrics: Sendable {
  /// What a text is made of.
  enum Text: Sendable {
    case outlines
    case cells(CellText.Repertoire)
  }

  var width: Int
  /// Nil = by what is in it.
  var height: Int?
  /// Whether it becomes higher where the channels need more.
  var grows = false
  /// What sides are told in, their lengths in pixels, and how many there may be.
  var unit = "pixels"
  var (unitWidth, unitHeight) = (1, 1)
  var sides = PlotOptions.sides

  var text = Text.outlines
  var textSize = 11.0
  var titleSize = 13.0
  /// From one label to the one below it.
  var lineHeight = 12
  /// The base lines of the title, and of times below the lanes.
  var titleBase = 17
  var timeBase = 16
  /// Above the lanes, with a title and without.
  var titleHeight = 26
  var topMargin = 10
  /// Below the lanes.
  var axisHeight = 24
  /// At both sides.
  var margin = 6
  /// What a label of an end may not come closer to than this.
  var edge = 3
  /// Behind the names of channels.
  var nameDistance = 6
  /// Of marks at the axes: beside a lane, and below one.
  var tickLength = 4
  var tickHeight = 4
  /// From a lane to its labels.
  var labelDistance = 8
  /// From the bar of colours to its labels.
  var barLabelDistance = 8
  /// From the lanes to the bar of colours; and to the edge, where there is none.
  var barDistance = 10
  var barWidth = 12
  var rightMargin = 14
  /// Between what stands in one line.
  var wordDistance = 14
  var factsDistance = 12
  /// Of a sample of a colour in front of its name.
  var sampleWidth = 9
  var sampleDistance = 5

  var gap = 8
  var leastLaneHeight = 24
  var usualWaveform = 100
  var usualSpectrogram = 200
  /// Lanes are so many pixels high, or a multiple of it.
  var laneStep = 1
  /// Of spectrograms: what has one colour.
  var dotWidth = 1
  var dotHeight = 1

  /// A picture of pixels.
  init(width: Int, height: Int?) {
    self.width = width
    self.height = height
  }

  init(_ options: PlotOptions) { self.init(width: options.width, height: options.height) }

  /// A picture of characters.
  init(_ terminal: TerminalPicture) {
    let (cellWidth, cellHeight) = (CellCanvas.cellWidth, CellCanvas.cellHeight)
    self.init(width: terminal.columns * cellWidth, height: terminal.rows * cellHeight)
    grows = terminal.grows
    unit = "rows"
    (unitWidth, unitHeight, sides) = (cellWidth, cellHeight, TerminalPicture.sides)
    text = .cells(terminal.repertoire)
    (lineHeight, titleBase, timeBase) = (cellHeight, cellHeight, 2 * cellHeight)
    (titleHeight, topMargin, axisHeight) = (cellHeight, 0, 2 * cellHeight)
    (margin, edge, nameDistance) = (0, 0, cellWidth)
    (tickLength, tickHeight, labelDistance) = (cellWidth, cellHeight, cellWidth)
    (barDistance, barWidth, barLabelDistance) = (cellWidth, 2 * cellWidth, 2 * cellWidth)
    rightMargin = 2 * cellWidth
    (wordDistance, factsDistance) = (2 * cellWidth, 2 * cellWidth)
    (sampleWidth, sampleDistance) = (cellWidth, cellWidth)
    (gap, leastLaneHeight, laneStep) = (cellHeight, 2 * cellHeight, cellHeight)
    (dotWidth, dotHeight) = terminal.cellStyle.dotSize
  }

  /// - Throws: `invalidParameter` for a size that no picture has.
  func check() throws(AudioError) {
    for (side, length) in [(width, unitWidth), (height ?? width, unitHeight)] {
      let count = side / length
      guard !sides.contains(count) else { continue }
      throw AudioError(
        .invalidParameter, cannot: "draw with", "\(count)",
        because: unit == "pixels"
          ? "a picture has \(sides.lowerBound) to \(sides.upperBound) pixels a side"
          : "a picture has \(sides.lowerBound) to \(sides.upperBound) columns and rows")
    }
  }

  /// How long a text is, in pixels.
  func length(of text: String, size: Double) -> Double {
    switch self.text {
    case .outlines: Glyph.length(of: text, size: size)
    case .cells(let repertoire):
      Double(CellText(text, repertoire).columns * CellCanvas.cellWidth)
    }
  }

  /// Likewise of labels.
  func length(of label: String) -> Int {
    Int(length(of: label, size: textSize).rounded(.up))
  }

  /// As much of `text` as fits into `length` pixels, with … where something is missing.
  func fitted(_ text: String, size: Double, into length: Double) -> String {
    if self.length(of: text, size: size) <= length { return text }
    var short = text
    while !short.isEmpty, self.length(of: short + "…", size: size) > length { short.removeLast() }
    return short.isEmpty ? "" : short + "…"
  }

  /// The pixel row of a place on an axis that is `height` pixels high.
  ///
  /// - Parameter place: 0 at the bottom, 1 at the top.
  func row(_ place: Double, height: Int) -> Int {
    // Labels that are a line apart have to come into lines of their own.
    let y =
      laneStep == 1
      ? ((1 - place) * Double(height - 1)).rounded()
      : ((1 - place) * Double(height)).rounded(.down)
    return min(height - 1, max(0, Int(y)))
  }
}
