// SPDX-License-Identifier: Apache-2.0
/// Draws a measurement.
struct PlotDrawing {
  private let options: PlotOptions
  private let measurement: PlotMeasurement
  private let theme: PlotTheme

  /// - Parameter theme: nil = of the options.
  init(_ options: PlotOptions, _ measurement: PlotMeasurement, _ theme: PlotTheme? = nil) {
    self.options = options
    self.measurement = measurement
    self.theme = theme ?? PlotTheme(options.theme)
    levels = options.fitsLevels ? measurement.fittedLevels : options.spectrogram.levels
  }

  /// The levels at both ends of the colours.
  private let levels: ClosedRange<Double>

  private var layout: PlotLayout { measurement.layout }
  private var metrics: PlotMetrics { layout.metrics }

  func raster() throws(AudioError) -> Raster {
    var raster = Raster(width: layout.width, height: layout.height, theme.background)
    try draw(on: &raster)
    return raster
  }

  func document() throws(AudioError) -> SVGDocument {
    var document = SVGDocument(
      width: layout.width, height: layout.height, title: options.title ?? "sound",
      theme.background)
    try draw(on: &document)
    return document
  }

  /// The measurement as a picture of characters.
  func cells(_ style: CellStyle) throws(AudioError) -> CellCanvas {
    let drawing =
      style.isColoured ? self : PlotDrawing(options, measurement, .grey)
    var canvas = CellCanvas(
      columns: layout.width / CellCanvas.cellWidth, rows: layout.height / CellCanvas.cellHeight,
      style, drawing.theme.background)
    try drawing.draw(on: &canvas)
    return canvas
  }

  func draw(on surface: inout some DrawingSurface) throws(AudioError) {
    drawTitle(on: &surface)
    for lane in layout.lanes {
      switch lane.kind {
      case .waveform: drawWaveform(lane, on: &surface)
      case .spectrogram: try drawSpectrogram(lane, on: &surface)
      }
      drawName(of: lane, on: &surface)
    }
    try drawColourBar(on: &surface)
    drawTimes(on: &surface)
  }

  // MARK: Around the lanes

  private func drawTitle(on surface: inout some DrawingSurface) {
    guard layout.hasTitle else { return }
    let base = metrics.titleBase
    var right = layout.right
    if measurement.envelope != nil {
      let sample = metrics.sampleWidth + metrics.sampleDistance
      for (name, colour) in [("RMS", theme.rms), ("peak", theme.peak)] {
        let length = metrics.length(of: name)
        surface.text(name, x: right, base: base, .right, size: metrics.textSize, theme.faint)
        surface.fill(
          PixelRectangle(
            x: right - length - sample, y: base - 8, width: metrics.sampleWidth, height: 8), colour)
        right -= length + sample + metrics.wordDistance
      }
    }
    guard let title = options.title else { return }
    let (rate, channels) = (measurement.format.sampleRate, measurement.format.channelCount)
    let facts =
      "\(AxisTicks.frequency(Double(rate))), "
      + (channels == 1 ? "1 channel" : "\(channels) channels")
    let room =
      Double(right - layout.left) - metrics.length(of: facts, size: metrics.textSize)
      - Double(metrics.wordDistance)
    let shown = metrics.fitted(title, size: metrics.titleSize, into: room)
    surface.text(
      shown, x: layout.left, base: base, .left, size: metrics.titleSize, theme.text)
    guard room > 0 else { return }
    let end = layout.left + Int(metrics.length(of: shown, size: metrics.titleSize).rounded(.up))
    surface.text(
      facts, x: end + metrics.factsDistance, base: base, .left, size: metrics.textSize,
      theme.faint)
  }

  private func drawName(of lane: PlotLayout.Lane, on surface: inout some DrawingSurface) {
    guard let x = layout.nameColumn else { return }
    let isStereo = measurement.format.channelCount == 2
    let name = isStereo ? ["L", "R"][lane.channel] : "\(lane.channel + 1)"
    surface.text(
      name, x: x, base: lane.top + lane.height / 2 + 4, .left, size: metrics.textSize,
      theme.text)
  }

  private func drawLabels(
    _ ticks: [AxisTick], of lane: PlotLayout.Lane, on surface: inout some DrawingSurface
  ) {
    for tick in ticks {
      let y = row(tick.place, in: lane)
      surface.line(
        PixelRectangle(
          x: layout.left - metrics.tickLength, y: y, width: metrics.tickLength, height: 1),
        theme.faint)
      surface.text(
        tick.label, x: layout.left - metrics.labelDistance,
        base: base(y, in: lane.top..<lane.bottom), .right, size: metrics.textSize, theme.faint)
    }
  }

  /// The pixel row of a place on the axis of a lane.
  private func row(_ place: Double, in lane: PlotLayout.Lane) -> Int {
    lane.top + metrics.row(place, height: lane.height)
  }

  /// The base line of a label. Its middle is in a pixel row, unless the label would exceed `rows`.
  private func base(_ y: Int, in rows: Range<Int>) -> Int {
    min(rows.upperBound - 1, max(rows.lowerBound + 8, y + 4))
  }

  private func drawTimes(on surface: inout some DrawingSurface) {
    let rate = Double(measurement.format.sampleRate)
    let start = Double(options.start.samples(at: measurement.format.sampleRate)) / rate
    let ticks = AxisTicks.times(
      from: start + (options.timeOfDay ?? 0), Double(measurement.length) / rate,
      isClock: options.timeOfDay != nil, length: layout.plotWidth, distance: metrics.wordDistance
    ) { metrics.length(of: $0, size: metrics.textSize) }
    for tick in ticks {
      let x = min(
        layout.right - 1,
        layout.left + Int((tick.place * Double(layout.plotWidth)).rounded()))
      surface.line(
        PixelRectangle(x: x, y: layout.bottom, width: 1, height: metrics.tickHeight), theme.faint)
      let half = Int((metrics.length(of: tick.label, size: metrics.textSize) / 2).rounded(.up))
      let middle = min(layout.width - metrics.edge - half, max(metrics.edge + half, x))
      surface.text(
        tick.label, x: middle, base: layout.bottom + metrics.timeBase, .centre,
        size: metrics.textSize, theme.faint)
    }
  }

  // MARK: Lanes

  private func drawWaveform(_ lane: PlotLayout.Lane, on surface: inout some DrawingSurface) {
    guard let envelope = measurement.envelope else { return }
    surface.fill(
      PixelRectangle(x: layout.left, y: lane.top, width: layout.plotWidth, height: lane.height),
      theme.lane)
    let peak = (0..<envelope.channelCount).reduce(0.0) { peak, channel in
      let whole = envelope.whole(channel)
      return max(peak, Double(whole.highest), Double(-whole.lowest))
    }
    let axis = WaveformAxis(options, peak: peak)
    let ticks = AxisTicks.amplitudes(axis, length: lane.height, spacing: metrics.lineHeight)
    for tick in ticks where tick.place > 0 && tick.place < 1 {
      surface.line(
        PixelRectangle(
          x: layout.left, y: row(tick.place, in: lane), width: layout.plotWidth, height: 1),
        theme.grid)
    }
    drawLabels(ticks, of: lane, on: &surface)
    let columns = (0..<layout.plotWidth).map {
      envelope.column(lane.channel, at: $0, of: layout.plotWidth)
    }
    func y(_ amplitude: Double) -> Double {
      Double(lane.top) + (1 - axis.place(of: amplitude)) * Double(lane.height)
    }
    surface.columns(
      from: layout.left,
      columns.map { $0.count == 0 ? nil : y(Double($0.highest))...y(Double($0.lowest)) }, theme.peak
    )
    surface.columns(
      from: layout.left,
      columns.map { column in
        // Nothing is drawn beyond the extremes: the RMS of a constant would be.
        let (low, high) = (Double(column.lowest), Double(column.highest))
        let rms = column.rms
        let top = min(rms, high)
        let bottom = max(-rms, low)
        return column.count == 0 || top <= bottom ? nil : y(top)...y(bottom)
      }, theme.rms)
  }

  private func drawSpectrogram(
    _ lane: PlotLayout.Lane, on surface: inout some DrawingSurface
  ) throws(AudioError) {
    guard let spectrogram = measurement.spectrogram else { return }
    let (low, high) = (levels.lowerBound, levels.upperBound)
    var pixels = [Colour](
      repeating: theme.colour(of: 0), count: layout.plotWidth * lane.height)
    for column in 0..<layout.columnCount {
      let levels = spectrogram.levels(lane.channel, at: column, of: layout.columnCount)
      for (row, level) in levels.enumerated() {
        let colour = theme.colour(of: (level - Float(low)) / Float(high - low))
        // A dot of one colour is one or several pixels.
        for y in row * metrics.dotHeight..<(row + 1) * metrics.dotHeight {
          for x in column * metrics.dotWidth..<(column + 1) * metrics.dotWidth {
            pixels[(lane.height - 1 - y) * layout.plotWidth + x] = colour
          }
        }
      }
    }
    try surface.image(
      PixelRectangle(x: layout.left, y: lane.top, width: layout.plotWidth, height: lane.height),
      pixels)
    drawLabels(
      AxisTicks.frequencies(
        options.spectrogram.scale, to: Double(spectrogram.sampleRate) / 2, length: lane.height,
        spacing: metrics.lineHeight), of: lane, on: &surface)
  }

  /// Draws one bar for all spectrograms, as high as they are together.
  private func drawColourBar(on surface: inout some DrawingSurface) throws(AudioError) {
    let lanes = layout.lanes.filter { $0.kind == .spectrogram }
    guard let first = lanes.first, let last = lanes.last else { return }
    var bar = first
    bar.height = last.bottom - first.top
    let x = layout.right + metrics.barDistance
    var pixels: [Colour] = []
    for row in 0..<bar.height {
      let dot = row / metrics.dotHeight
      let value = 1 - Float(dot) / Float(max(1, bar.height / metrics.dotHeight - 1))
      pixels += Array(repeating: theme.colour(of: value), count: metrics.barWidth)
    }
    try surface.image(
      PixelRectangle(x: x, y: bar.top, width: metrics.barWidth, height: bar.height), pixels)
    let right = x + metrics.barWidth
    for tick in AxisTicks.levels(levels, length: bar.height, spacing: metrics.lineHeight) {
      let y = row(tick.place, in: bar)
      surface.line(
        PixelRectangle(x: right, y: y, width: metrics.tickLength, height: 1), theme.faint)
      surface.text(
        tick.label, x: right + metrics.barLabelDistance, base: base(y, in: bar.top..<bar.bottom),
        .left, size: metrics.textSize, theme.faint)
    }
  }
}

/// The data of a picture, measured from passing samples in memory that depends only on the picture.
struct PlotMeasurement {
  let format: StreamFormat
  let layout: PlotLayout
  private(set) var envelope: Envelope?
  private(set) var spectrogram: Spectrogram?

  /// - Parameter metrics: nil = of a picture of pixels.
  /// - Throws: `invalidParameter` if the picture cannot be drawn.
  init(
    _ options: PlotOptions, _ format: StreamFormat, _ metrics: PlotMetrics? = nil
  ) throws(AudioError) {
    self.format = format
    layout = try PlotLayout(options, format, metrics)
    if options.content != .spectrogram {
      envelope = Envelope(channelCount: format.channelCount, places: layout.plotWidth)
    }
    if let rowCount = layout.rowCount {
      let asked = options.spectrogram
      spectrogram = Spectrogram(
        channelCount: format.channelCount, sampleRate: format.sampleRate,
        places: layout.columnCount, rowCount: rowCount, size: asked.size, asked.window, asked.scale)
    }
  }

  /// The number of samples per channel so far.
  var length: Int64 { envelope?.length ?? spectrogram?.length ?? 0 }

  mutating func append<Sample: AudioSample>(_ samples: Span<Sample>) {
    envelope?.append(samples)
    spectrogram?.append(samples)
  }

  /// The range of colours that fits all spectrograms.
  var fittedLevels: ClosedRange<Double> {
    var fitted = FittedLevels()
    guard let spectrogram else { return fitted.range }
    for channel in 0..<format.channelCount {
      for column in 0..<layout.columnCount {
        fitted.add(spectrogram.levels(channel, at: column, of: layout.columnCount))
      }
    }
    return fitted.range
  }

  /// Completes the measurement after the last sample.
  mutating func finish() { spectrogram?.finish() }
}
