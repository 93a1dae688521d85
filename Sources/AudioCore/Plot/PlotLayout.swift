/// Where everything stands in a picture, in pixels.
struct PlotLayout: Sendable {
  /// A stretch of a channel: its waveform or its spectrogram.
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

  static let textSize = 11.0
  static let titleSize = 13.0
  /// From one label to the one below it.
  static let lineHeight = 12
  private static let leastLaneHeight = 24
  private static let gap = 8
  /// Of a tick, and from there to its label.
  static let tick = 4
  static let barWidth = 12

  let width: Int
  let height: Int
  /// The lanes begin here and end before `right`.
  let left: Int
  let right: Int
  let lanes: [Lane]
  /// Where the names of channels stand; nil where there is one channel only.
  let nameColumn: Int?
  let hasTitle: Bool

  var plotWidth: Int { right - left }
  /// Below the last lane.
  var bottom: Int { lanes.last?.bottom ?? 0 }

  /// The height of the spectrograms; all have the same.
  var rowCount: Int? { lanes.first { $0.kind == .spectrogram }?.height }

  /// - Throws: `invalidParameter` where the channels have no room.
  init(_ options: PlotOptions, _ format: StreamFormat) throws(AudioError) {
    try options.check()
    let channelCount = format.channelCount
    let (hasWaveform, hasSpectrogram) =
      (options.content != .spectrogram, options.content != .waveform)
    hasTitle = options.title != nil || hasWaveform
    width = options.width

    let top = hasTitle ? 26 : 10
    let below = 24
    let laneCount = channelCount * (hasWaveform && hasSpectrogram ? 2 : 1)
    let gaps = (laneCount - 1) * Self.gap
    let usual = channelCount * ((hasWaveform ? 100 : 0) + (hasSpectrogram ? 200 : 0))
    height = options.height ?? min(PlotOptions.sides.upperBound, top + usual + gaps + below)
    let room = height - top - below - gaps
    // A spectrogram is twice as high as a waveform, where both are there.
    let shares = channelCount * ((hasWaveform ? 1 : 0) + (hasSpectrogram ? 2 : 0))
    let (waveform, spectrogram) =
      hasWaveform && hasSpectrogram
      ? (room / shares, room / shares * 2) : (room / channelCount, room / channelCount)
    guard room > 0, !hasWaveform || waveform >= Self.leastLaneHeight,
      !hasSpectrogram || spectrogram >= Self.leastLaneHeight
    else {
      let least = hasWaveform && hasSpectrogram ? shares : laneCount
      throw AudioError(
        .invalidParameter, cannot: "draw \(channelCount) channels in a height of", "\(height)",
        because: "they need \(top + below + gaps + least * Self.leastLaneHeight) pixels",
        advice: "make the picture higher, or mix the channels")
    }
    var lanes: [Lane] = []
    var y = top
    for (kind, height) in [(Lane.Kind.waveform, waveform), (.spectrogram, spectrogram)] {
      guard kind == .waveform ? hasWaveform : hasSpectrogram else { continue }
      for channel in 0..<channelCount {
        lanes.append(Lane(kind: kind, channel: channel, top: y, height: height))
        y += height + Self.gap
      }
    }
    self.lanes = lanes

    func longest(_ labels: [String]) -> Int {
      Int((labels.map { Glyph.length(of: $0, size: Self.textSize) }.max() ?? 0).rounded(.up))
    }
    let names = channelCount > 1 ? longest(["\(channelCount)", "R"]) + 6 : 0
    nameColumn = channelCount > 1 ? 6 : nil
    let ticks =
      (hasSpectrogram
        ? AxisTicks.frequencies(
          options.spectrogram.scale, to: Double(format.sampleRate) / 2, length: spectrogram,
          spacing: Self.lineHeight
        ).map(\.label) : []) + (hasWaveform ? ["\u{2212}12 dBFS", "\u{2212}∞ dBFS"] : [])
    left = 6 + names + longest(ticks) + 2 * Self.tick
    let levels = AxisTicks.levels(
      options.spectrogram.levels, length: spectrogram, spacing: Self.lineHeight)
    let bar = 10 + Self.barWidth + 2 * Self.tick + longest(levels.map(\.label)) + 6
    right = width - (hasSpectrogram ? bar : 14)
    guard plotWidth >= 16 else {
      throw AudioError(
        .invalidParameter, cannot: "draw in a width of", "\(width)",
        because: "the labels leave no room", advice: "make the picture wider")
    }
  }
}
