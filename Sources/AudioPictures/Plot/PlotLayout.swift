// SPDX-License-Identifier: Apache-2.0
/// The places of all parts of a picture, in pixels.
struct PlotLayout: Sendable {
  /// The area of a channel's waveform or spectrogram.
  struct Lane: Sendable, Hashable {
    enum Kind: Sendable {
      case waveform
      case spectrogram
    }

    var kind: Kind
    var channel: Int
    var top: Int
    var height: Int

    var bottom: Int { top + height }
  }

  let metrics: PlotMetrics
  let width: Int
  let height: Int
  /// The lanes begin here and end before `right`.
  let left: Int
  let right: Int
  let lanes: [Lane]
  /// The place of the channels' names; nil for a single channel.
  let nameColumn: Int?
  let hasTitle: Bool

  var plotWidth: Int { right - left }
  /// The row below the last lane.
  var bottom: Int { lanes.last?.bottom ?? 0 }

  /// The rows of each spectrogram, in dots of one colour; nil without spectrograms.
  var rowCount: Int? {
    lanes.first { $0.kind == .spectrogram }.map { $0.height / metrics.dotHeight }
  }
  /// The columns of each spectrogram, in dots of one colour.
  var columnCount: Int { plotWidth / metrics.dotWidth }

  /// - Parameter metrics: nil = of a picture of pixels.
  /// - Throws: `invalidParameter` if the channels have no room.
  init(
    _ options: PlotOptions, _ format: StreamFormat, _ metrics: PlotMetrics? = nil
  ) throws(AudioError) {
    let metrics = metrics ?? PlotMetrics(options)
    self.metrics = metrics
    try metrics.check()
    try options.check()
    let channelCount = format.channelCount
    let (hasWaveform, hasSpectrogram) =
      (options.content != .spectrogram, options.content != .waveform)
    hasTitle = options.title != nil || hasWaveform

    let top = hasTitle ? metrics.titleHeight : metrics.topMargin
    let laneCount = channelCount * (hasWaveform && hasSpectrogram ? 2 : 1)
    let around = top + metrics.axisHeight + (laneCount - 1) * metrics.gap
    // In a picture with both, a spectrogram is twice as high as a waveform.
    let shares = channelCount * ((hasWaveform ? 1 : 0) + (hasSpectrogram ? 2 : 0))
    let least =
      around + (hasWaveform && hasSpectrogram ? shares : laneCount) * metrics.leastLaneHeight
    let usual =
      channelCount
      * ((hasWaveform ? metrics.usualWaveform : 0)
        + (hasSpectrogram ? metrics.usualSpectrogram : 0))
    let asked = metrics.height ?? min(metrics.sides.upperBound, around + usual)
    let height = metrics.grows ? max(asked, least) : asked
    guard height >= least else {
      throw AudioError(
        .invalidParameter, cannot: "draw \(channelCount) channels in a height of",
        "\(height / metrics.unitHeight)",
        because: "they need \(least / metrics.unitHeight) \(metrics.unit)",
        advice: "make the picture higher, or mix the channels")
    }
    let (waveform, spectrogram) = Self.heights(
      in: height - around, options.content, channelCount, metrics)
    var lanes: [Lane] = []
    var y = top
    for (kind, height) in [(Lane.Kind.waveform, waveform), (.spectrogram, spectrogram)] {
      guard kind == .waveform ? hasWaveform : hasSpectrogram else { continue }
      for channel in 0..<channelCount {
        lanes.append(Lane(kind: kind, channel: channel, top: y, height: height))
        y += height + metrics.gap
      }
    }
    self.lanes = lanes
    // Rows outside the lanes are not written to a terminal.
    self.height = metrics.laneStep == 1 ? height : y - metrics.gap + metrics.axisHeight

    func longest(_ labels: [String]) -> Int { labels.map { metrics.length(of: $0) }.max() ?? 0 }
    let names = channelCount > 1 ? longest(["\(channelCount)", "R"]) + metrics.nameDistance : 0
    nameColumn = channelCount > 1 ? metrics.margin : nil
    let ticks =
      (hasSpectrogram
        ? AxisTicks.frequencies(
          options.spectrogram.scale, to: Double(format.sampleRate) / 2, length: spectrogram,
          spacing: metrics.lineHeight
        ).map(\.label) : []) + (hasWaveform ? AxisTicks.widestAmplitudes(options) : [])
    left = metrics.margin + names + longest(ticks) + metrics.labelDistance
    // The levels of the sound are not known yet.
    let levels =
      options.fitsLevels
      ? AxisTicks.widestLevels
      : AxisTicks.levels(
        options.spectrogram.levels, length: spectrogram, spacing: metrics.lineHeight
      ).map(\.label)
    let bar =
      metrics.barDistance + metrics.barWidth + metrics.barLabelDistance
      + longest(levels) + metrics.margin
    let behind = hasSpectrogram ? bar : metrics.rightMargin
    width = if let axis = options.axisWidth { left + axis + behind } else { metrics.width }
    right = width - behind
    try metrics.check(width: width)
    guard plotWidth >= 16 else {
      throw AudioError(
        .invalidParameter, cannot: "draw in a width of", "\(width / metrics.unitWidth)",
        because: "the labels leave no room", advice: "make the picture wider")
    }
  }

  /// The heights of a waveform and a spectrogram, if the content has them.
  private static func heights(
    in room: Int, _ content: PlotOptions.Content, _ channelCount: Int, _ metrics: PlotMetrics
  ) -> (waveform: Int, spectrogram: Int) {
    let each = room / metrics.laneStep / channelCount
    guard content == .both else { return (each * metrics.laneStep, each * metrics.laneStep) }
    if metrics.laneStep == 1 { return (room / (3 * channelCount), room / (3 * channelCount) * 2) }
    // Terminal rows are scarce: none is left over, and a waveform has an odd number with one in the middle.
    let waveform = each / 6 * 2 + 1
    return (waveform * metrics.laneStep, (each - waveform) * metrics.laneStep)
  }
}
