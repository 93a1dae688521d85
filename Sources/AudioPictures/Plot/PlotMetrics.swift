// SPDX-License-Identifier: Apache-2.0
/// The size of a picture and the distances in it, in pixels. A character of a terminal has ``CellCanvas/cellWidth`` ×
/// ``CellCanvas/cellHeight`` pixels.
struct PlotMetrics: Sendable {
  /// The rendering of texts.
  enum Text: Sendable {
    case outlines
    case cells(CellText.CharacterSet)
  }

  var width: Int
  /// nil = by the content.
  var height: Int?
  /// Whether the height grows if the channels need it.
  var grows = false
  /// The unit of the sides in messages, its size in pixels, and the range of a side.
  var unit = "pixels"
  var (unitWidth, unitHeight) = (1, 1)
  var sides = PlotOptions.sides

  var text = Text.outlines
  var textSize = 11.0
  var titleSize = 13.0
  /// The distance from one label to the one below it.
  var lineHeight = 12
  /// The base lines of the title, and of times below the lanes.
  var titleBase = 17
  var timeBase = 16
  /// The heights above the lanes, with a title and without.
  var titleHeight = 26
  var topMargin = 10
  /// The height below the lanes.
  var axisHeight = 24
  /// The width at both sides.
  var margin = 6
  /// The least distance of a label from the picture's side.
  var edge = 3
  /// The distance behind the names of channels.
  var nameDistance = 6
  /// The lengths of ticks: beside a lane, and below one.
  var tickLength = 4
  var tickHeight = 4
  /// The distance from a lane to its labels.
  var labelDistance = 8
  /// The distance from the bar of colours to its labels.
  var barLabelDistance = 8
  /// The distance from the lanes to the bar of colours, the width of the bar, and the margin without a bar.
  var barDistance = 10
  var barWidth = 12
  var rightMargin = 14
  /// The distances between texts in one line.
  var wordDistance = 14
  var factsDistance = 12
  /// The size of a colour's sample in front of its name, and the distance between them.
  var sampleWidth = 9
  var sampleDistance = 5

  var gap = 8
  var leastLaneHeight = 24
  var usualWaveform = 100
  var usualSpectrogram = 200
  /// The unit of a lane's height, in pixels.
  var laneStep = 1
  /// The size of a spectrogram's dot of one colour.
  var dotWidth = 1
  var dotHeight = 1

  /// A picture of pixels.
  init(width: Int, height: Int?) {
    self.width = width
    self.height = height
  }

  init(_ options: PlotOptions) {
    self.init(width: options.width, height: options.height)
    grows = true
  }

  /// A picture of characters.
  init(_ terminal: TerminalPicture) {
    let (cellWidth, cellHeight) = (CellCanvas.cellWidth, CellCanvas.cellHeight)
    self.init(width: terminal.columns * cellWidth, height: terminal.rows * cellHeight)
    grows = terminal.grows
    unit = "rows"
    unitWidth = cellWidth
    unitHeight = cellHeight
    sides = TerminalPicture.sides
    text = .cells(terminal.characters)
    lineHeight = cellHeight
    titleBase = cellHeight
    timeBase = 2 * cellHeight
    titleHeight = cellHeight
    topMargin = 0
    axisHeight = 2 * cellHeight
    (margin, edge, nameDistance) = (0, 0, cellWidth)
    tickLength = cellWidth
    tickHeight = cellHeight
    labelDistance = cellWidth
    barDistance = cellWidth
    barWidth = 2 * cellWidth
    barLabelDistance = 2 * cellWidth
    rightMargin = 2 * cellWidth
    (wordDistance, factsDistance) = (2 * cellWidth, 2 * cellWidth)
    sampleWidth = cellWidth
    sampleDistance = cellWidth
    gap = cellHeight
    leastLaneHeight = 2 * cellHeight
    laneStep = cellHeight
    (dotWidth, dotHeight) = terminal.cellStyle.dotSize
  }

  /// - Throws: `invalidParameter` if the size is out of range.
  func check() throws(AudioError) {
    try check(width: width)
    if let height { try check(height, unitHeight) }
  }

  /// - Throws: `invalidParameter` if the width is out of range.
  func check(width: Int) throws(AudioError) { try check(width, unitWidth) }

  private func check(_ side: Int, _ length: Int) throws(AudioError) {
    let count = side / length
    guard !sides.contains(count) else { return }
    throw AudioError(
      .invalidParameter, cannot: "draw with", "\(count)",
      because: unit == "pixels"
        ? "a picture has \(sides.lowerBound) to \(sides.upperBound) pixels a side"
        : "a picture has \(sides.lowerBound) to \(sides.upperBound) columns and rows")
  }

  /// The length of a text in pixels.
  func length(of text: String, size: Double) -> Double {
    switch self.text {
    case .outlines: Glyph.length(of: text, size: size)
    case .cells(let characters):
      Double(CellText(text, characters).columns * CellCanvas.cellWidth)
    }
  }

  /// The length of a label in pixels.
  func length(of label: String) -> Int {
    Int(length(of: label, size: textSize).rounded(.up))
  }

  /// The beginning of `text` that fits into `length` pixels, with … if the text is cut.
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
    // Labels one row apart must not share a row.
    let y =
      laneStep == 1
      ? ((1 - place) * Double(height - 1)).rounded()
      : ((1 - place) * Double(height)).rounded(.down)
    return min(height - 1, max(0, Int(y)))
  }
}
