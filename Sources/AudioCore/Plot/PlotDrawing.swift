/// Draws what was measured.
struct PlotDrawing {
  private let options: PlotOptions
  private let measurement: PlotMeasurement
  private let theme: PlotTheme

  init(_ options: PlotOptions, _ measurement: PlotMeasurement) {
    self.options = options
    self.measurement = measurement
    theme = PlotTheme(options.theme)
  }

  private var layout: PlotLayout { measurement.layout }

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
    let base = 17
    var right = layout.right
    if measurement.envelope != nil {
      for (name, colour) in [("RMS", theme.rms), ("peak", theme.peak)] {
        let length = Int(Glyph.length(of: name, size: PlotLayout.textSize).rounded(.up))
        surface.text(name, x: right, base: base, .right, size: PlotLayout.textSize, theme.faint)
        surface.fill(
          PixelRectangle(x: right - length - 14, y: base - 8, width: 9, height: 8), colour)
        right -= length + 28
      }
    }
    guard let title = options.title else { return }
    let (rate, channels) = (measurement.format.sampleRate, measurement.format.channelCount)
    let facts =
      "\(AxisTicks.frequency(Double(rate))), "
      + (channels == 1 ? "1 channel" : "\(channels) channels")
    let factsLength = Glyph.length(of: facts, size: PlotLayout.textSize)
    let room = Double(right - layout.left) - factsLength - 14
    let shown = Glyph.fitted(title, size: PlotLayout.titleSize, into: room)
    surface.text(
      shown, x: layout.left, base: base, .left, size: PlotLayout.titleSize, theme.text)
    guard room > 0 else { return }
    let end = layout.left + Int(Glyph.length(of: shown, size: PlotLayout.titleSize).rounded(.up))
    surface.text(
      facts, x: end + 12, base: base, .left, size: PlotLayout.textSize, theme.faint)
  }

  private func drawName(of lane: PlotLayout.Lane, on surface: inout some DrawingSurface) {
    guard let x = layout.nameColumn else { return }
    let isStereo = measurement.format.channelCount == 2
    let name = isStereo ? ["L", "R"][lane.channel] : "\(lane.channel + 1)"
    surface.text(
      name, x: x, base: lane.top + lane.height / 2 + 4, .left, size: PlotLayout.textSize,
      theme.text)
  }

  private func drawLabels(
    _ ticks: [AxisTick], of lane: PlotLayout.Lane, on surface: inout some DrawingSurface
  ) {
    for tick in ticks {
      let y = row(tick.place, in: lane)
      surface.fill(
        PixelRectangle(x: layout.left - PlotLayout.tick, y: y, width: PlotLayout.tick, height: 1),
        theme.faint)
      surface.text(
        tick.label, x: layout.left - 2 * PlotLayout.tick, base: base(y, in: lane.top..<lane.bottom),
        .right, size: PlotLayout.textSize, theme.faint)
    }
  }

  /// The pixel row of a place on the axis of a lane.
  private func row(_ place: Double, in lane: PlotLayout.Lane) -> Int {
    let y = Double(lane.top) + (1 - place) * Double(lane.height - 1)
    return min(lane.bottom - 1, max(lane.top, Int(y.rounded())))
  }

  /// The base line of a label for a pixel row: its middle is there, as far as it then stays within.
  private func base(_ y: Int, in rows: Range<Int>) -> Int {
    min(rows.upperBound - 1, max(rows.lowerBound + 8, y + 4))
  }

  private func drawTimes(on surface: inout some DrawingSurface) {
    let rate = Double(measurement.format.sampleRate)
    let start = Double(options.start.samples(at: measurement.format.sampleRate)) / rate
    let ticks = AxisTicks.times(
      from: start, Double(measurement.length) / rate, length: layout.plotWidth
    ) { Glyph.length(of: $0, size: PlotLayout.textSize) }
    for tick in ticks {
      let x = min(
        layout.right - 1,
        layout.left + Int((tick.place * Double(layout.plotWidth)).rounded()))
      surface.fill(
        PixelRectangle(x: x, y: layout.bottom, width: 1, height: PlotLayout.tick), theme.faint)
      let half = Int((Glyph.length(of: tick.label, size: PlotLayout.textSize) / 2).rounded(.up))
      let middle = min(layout.width - 3 - half, max(3 + half, x))
      surface.text(
        tick.label, x: middle, base: layout.bottom + 16, .centre, size: PlotLayout.textSize,
        theme.faint)
    }
  }

  // MARK: Lanes

  private func drawWaveform(_ lane: PlotLayout.Lane, on surface: inout some DrawingSurface) {
    guard let envelope = measurement.envelope else { return }
    surface.fill(
      PixelRectangle(x: layout.left, y: lane.top, width: layout.plotWidth, height: lane.height),
      theme.lane)
    let limit = (0..<envelope.channelCount).reduce(1.0) { limit, channel in
      let whole = envelope.whole(channel)
      return max(limit, Double(whole.highest), Double(-whole.lowest))
    }
    let ticks = AxisTicks.amplitudes(
      to: limit, length: lane.height, spacing: PlotLayout.lineHeight)
    for tick in ticks where tick.place > 0 && tick.place < 1 {
      surface.fill(
        PixelRectangle(
          x: layout.left, y: row(tick.place, in: lane), width: layout.plotWidth, height: 1),
        theme.grid)
    }
    drawLabels(ticks, of: lane, on: &surface)
    let columns = (0..<layout.plotWidth).map {
      envelope.column(lane.channel, at: $0, of: layout.plotWidth)
    }
    func y(_ amplitude: Double) -> Double {
      Double(lane.top) + (1 - amplitude / limit) / 2 * Double(lane.height)
    }
    surface.columns(
      from: layout.left,
      columns.map { $0.count == 0 ? nil : y(Double($0.highest))...y(Double($0.lowest)) }, theme.peak
    )
    surface.columns(
      from: layout.left,
      columns.map { column in
        // Nothing is drawn beyond the extremes, as of a constant.
        let (low, high) = (Double(column.lowest), Double(column.highest))
        let rms = column.rms
        let (top, bottom) = (min(rms, high), max(-rms, low))
        return column.count == 0 || top <= bottom ? nil : y(top)...y(bottom)
      }, theme.rms)
  }

  private func drawSpectrogram(
    _ lane: PlotLayout.Lane, on surface: inout some DrawingSurface
  ) throws(AudioError) {
    guard let spectrogram = measurement.spectrogram else { return }
    let (low, high) =
      (options.spectrogram.levels.lowerBound, options.spectrogram.levels.upperBound)
    var pixels = [Colour](
      repeating: ColourMap[0], count: layout.plotWidth * lane.height)
    for column in 0..<layout.plotWidth {
      let levels = spectrogram.levels(lane.channel, at: column, of: layout.plotWidth)
      for (row, level) in levels.enumerated() {
        pixels[(lane.height - 1 - row) * layout.plotWidth + column] =
          ColourMap[(level - Float(low)) / Float(high - low)]
      }
    }
    try surface.image(
      PixelRectangle(x: layout.left, y: lane.top, width: layout.plotWidth, height: lane.height),
      pixels)
    drawLabels(
      AxisTicks.frequencies(
        options.spectrogram.scale, to: Double(spectrogram.sampleRate) / 2, length: lane.height,
        spacing: PlotLayout.lineHeight), of: lane, on: &surface)
  }

  /// One for all spectrograms, as high as they are together.
  private func drawColourBar(on surface: inout some DrawingSurface) throws(AudioError) {
    let lanes = layout.lanes.filter { $0.kind == .spectrogram }
    guard let first = lanes.first, let last = lanes.last else { return }
    var bar = first
    bar.height = last.bottom - first.top
    let x = layout.right + 10
    var pixels: [Colour] = []
    for row in 0..<bar.height {
      let value = 1 - Float(row) / Float(max(1, bar.height - 1))
      pixels += Array(repeating: ColourMap[value], count: PlotLayout.barWidth)
    }
    try surface.image(
      PixelRectangle(x: x, y: bar.top, width: PlotLayout.barWidth, height: bar.height), pixels)
    let right = x + PlotLayout.barWidth
    for tick in AxisTicks.levels(
      options.spectrogram.levels, length: bar.height, spacing: PlotLayout.lineHeight)
    {
      let y = row(tick.place, in: bar)
      surface.fill(
        PixelRectangle(x: right, y: y, width: PlotLayout.tick, height: 1), theme.faint)
      surface.text(
        tick.label, x: right + 2 * PlotLayout.tick, base: base(y, in: bar.top..<bar.bottom), .left,
        size: PlotLayout.textSize, theme.faint)
    }
  }
}
