// SPDX-License-Identifier: Apache-2.0
internal import AudioPictures
internal import AudioCore

/// The options that say what a picture shows, and how it looks.
enum PictureOptions {
  static let show = Option(
    "show", .choice(name: "what", PlotOptions.Content.allCases),
    default: PlotOptions.Content.both.rawValue, group: .picture,
    help: "What to draw of each channel: its waveform, its spectrogram, or both.")
  static let width = Option(
    "width", .pictureSide, default: "800, or the terminal's", group: .picture,
    help: "Width of the picture; with --terminal, in columns.")
  static let height = Option(
    "height", .pictureSide, default: "by what is in it", group: .picture,
    help: "Height of the picture; with --terminal, in rows.")
  static let theme = Option(
    "theme", .choice(name: "theme", PlotOptions.Theme.allCases),
    default: PlotOptions.Theme.dark.rawValue, group: .picture, help: "Dark or light.")
  static let title = Option(
    "title", .title, default: "the source's name", group: .picture,
    help: "What stands above the picture.")
  static let channels = Option(
    "channels", short: "c", .channelCount, default: "the source's", group: .picture,
    help: "Channels to draw: 1 mixes all of them in one.")
  static let window = Option(
    "window", .choice(name: "window", SpectrumWindow.allCases),
    default: SpectrumWindow.hann.rawValue, group: .picture,
    help: "Window of the spectra: \(SpectrumWindow.allCases.map(\.rawValue).joinedAsAlternatives).")
  static let size = Option(
    "fft-size", .transformSize, default: "2048", group: .picture,
    help:
      "Samples in a spectrum, a power of two: more tell frequencies apart, fewer tell times apart.")
  static let scale = Option(
    "frequency-scale", .choice(name: "scale", FrequencyScale.allCases),
    default: FrequencyScale.linear.rawValue, group: .picture,
    help: "How frequencies lie on their axis: linear, log or mel.")
  static let levels = Option(
    "levels", .levels, default: "-120,0", group: .picture,
    help: "Levels at both ends of the colours; a sine of full scale has 0 dBFS.")

  static let samplesPerPixel = Option(
    "samples-per-pixel", .samplesPerPixel, default: "256", group: .peaks,
    help: "How many samples of a channel a pair of peaks is of.")
  static let bits = Option(
    "bits", .peakBits, default: "16", group: .peaks, help: "Bits of a peak: 8 or 16.")
  static let splitsChannels = Flag(
    "split-channels", group: .peaks, help: "Peaks of each channel, instead of those of their mean.")

  static let parameters: [any Declared] =
    [channels, show, width, height, theme, title, window, size, scale, levels]
    + [samplesPerPixel, bits, splitsChannels]

  /// - Throws: where an option says something of a picture and peaks are written, or the other way round.
  ///
  /// - Parameter kind: nil = a terminal's.
  static func requireUse(
    _ arguments: ParsedArguments, for kind: PictureKind?
  ) throws(UsageError) {
    let isPicture = kind != .dat && kind != .json
    let stray = parameters.first {
      arguments.has($0) && $0.declaration.group == (isPicture ? .peaks : .picture)
    }
    guard let stray else { return }
    throw UsageError(
      "'\(stray.declaration.label)' is for \(isPicture ? "peaks" : "pictures"); what is written is"
        + " \(kind?.rawValue ?? "a picture")")
  }

  /// - Throws: for a length that is not one of `range`.
  static func side(
    _ arguments: ParsedArguments, _ option: Option<Int>, in range: ClosedRange<Int>,
    called what: String
  ) throws(UsageError) -> Int? {
    guard let length = try arguments.value(of: option) else { return nil }
    guard range.contains(length) else {
      throw UsageError(
        invalid: "\(length)", for: option.declaration,
        because: "\(what) is a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return length
  }

  /// - Parameters:
  ///   - name: of the source.
  ///   - edits: what is drawn of it.
  static func options(
    _ arguments: ParsedArguments, of name: String, _ edits: EditRequest
  ) throws(UsageError) -> PlotOptions {
    var options = try looks(arguments, of: name, edits)
    let (sides, what) = (PlotOptions.sides, "a side of a picture")
    if let width = try side(arguments, width, in: sides, called: what) { options.width = width }
    options.height = try side(arguments, height, in: sides, called: what)
    return options
  }

  /// All but the size.
  ///
  /// - Parameters:
  ///   - name: of the source.
  ///   - edits: what is drawn of it.
  static func looks(
    _ arguments: ParsedArguments, of name: String, _ edits: EditRequest
  ) throws(UsageError) -> PlotOptions {
    var options = PlotOptions()
    if let content = try arguments.value(of: show) { options.content = content }
    if let theme = try arguments.value(of: theme) { options.theme = theme }
    let title = try arguments.value(of: title) ?? name
    options.title = title.isEmpty ? nil : title
    if let window = try arguments.value(of: window) { options.spectrogram.window = window }
    if let size = try arguments.value(of: size) { options.spectrogram.size = size }
    if let scale = try arguments.value(of: scale) { options.spectrogram.scale = scale }
    if let levels = try arguments.value(of: levels) { options.spectrogram.levels = levels }
    if case .fromStart(let start) = edits.start { options.start = start }
    return options
  }

  static func terminal(
    _ arguments: ParsedArguments, _ style: TerminalPicture.Style
  ) throws(UsageError) -> TerminalRequest {
    let sides = TerminalPicture.sides
    return TerminalRequest(
      style: style,
      columns: try side(
        arguments, width, in: sides, called: "with --terminal, the number of columns"),
      rows: try side(arguments, height, in: sides, called: "with --terminal, the number of rows"))
  }

  static func peaks(
    _ arguments: ParsedArguments, _ container: PeakFormat.Container
  ) throws(UsageError) -> PeakFormat {
    var format = PeakFormat(container)
    if let bits = try arguments.value(of: bits) { format.resolution = bits }
    if let length = try arguments.value(of: samplesPerPixel) { format.samplesPerPixel = length }
    format.splitsChannels = arguments.has(splitsChannels)
    return format
  }
}

extension ValueSyntax<String> {
  /// Any text, also none.
  fileprivate static let title = ValueSyntax(name: "text") { text in text }
}
