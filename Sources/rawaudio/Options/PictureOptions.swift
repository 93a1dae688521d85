// SPDX-License-Identifier: Apache-2.0
internal import AudioPictures
internal import AudioCore

/// The options for the content and the look of a picture.
struct PictureOptions {
  @Option(
    "channels", short: "c", .channelCount, default: "the source's", group: .picture,
    help: "Channels to draw: 1 mixes all of them in one.")
  var channelCount: Int?
  @Option(
    "show", .choice(name: "what"),
    default: "both", group: .picture,
    help: "What to draw of each channel: its waveform, its spectrogram, or both.")
  private var content: PlotOptions.Content
  @Option(
    "width", .pictureSide, default: "800, or the terminal's", group: .picture,
    help: "Width of the picture; with --terminal, in columns.")
  private var width: Int?
  @Option(
    "pixels-per-second", .pixelsPerSecond, default: "as many as fill the width", group: .output,
    help: "Width of a second, which decides that of the picture; of peaks, the pairs in a second.")
  private(set) var pixelsPerSecond: Double?
  @Option(
    "height", .pictureSide, default: "by its content", group: .picture,
    help: "Height of the picture, more if the channels need it; with --terminal, in rows.")
  private var height: Int?
  @Option(
    "theme", .choice(name: "theme"),
    default: "dark", group: .picture, help: "Dark or light.")
  private var theme: PlotOptions.Theme
  @Option(
    "title", .text(name: "text"), default: "the source's name", group: .picture,
    help: "The text above the picture.")
  private var title: String?
  @Option(
    "window", .choice(name: "window"),
    default: "hann", group: .picture,
    help: "Window of the spectra: \(SpectrumWindow.allCases.map(\.rawValue).joinedAsAlternatives).")
  private var window: SpectrumWindow
  @Option(
    "fft-size", .transformSize, default: "2048", group: .picture,
    help:
      "Samples in a spectrum, a power of two: more tell frequencies apart, fewer tell times apart.")
  private var transformSize: Int
  @Option(
    "frequency-scale", .choice(name: "scale"),
    default: "linear", group: .picture,
    help: "How frequencies lie on their axis: linear, log or mel.")
  private var scale: FrequencyScale
  @Option(
    "levels", .levels, default: "-120,0", group: .picture,
    help: """
      Levels at both ends of the colours; a sine of full scale has 0 dBFS. auto: as far as the sound reaches, also in \
      the waveforms.
      """)
  private var levels: PictureLevels
  @Option(
    "waveform-scale", .choice(name: "scale"), default: "linear", group: .picture,
    help: "How amplitudes lie on their axis: linear, or db for levels, 60 dB of them.")
  private var waveformScale: PlotOptions.WaveformScale
  @Option(
    "axis", .choice(name: "axis"), default: "time", group: .picture,
    help: "The axis of time: time from the beginning, or clock for times of day.")
  private(set) var axis: TimeAxis

  private func check(
    _ length: Int?, of option: Declaration, in range: ClosedRange<Int>, called what: String
  ) throws(UsageError) {
    guard let length, !range.contains(length) else { return }
    throw UsageError(
      invalid: "\(length)", for: option,
      because: "\(what) is a whole number from \(range.lowerBound) to \(range.upperBound)")
  }

  /// The options of a picture in a file, without its title, its start and the time of day.
  func picture() throws(UsageError) -> PlotOptions {
    let sides = PlotOptions.sides
    let what = "a side of a picture"
    try check(width, of: $width, in: sides, called: what)
    try check(height, of: $height, in: sides, called: what)
    if width != nil, pixelsPerSecond != nil {
      throw UsageError(
        "'\($width.label)' and '\($pixelsPerSecond.label)' both set the width; one is enough")
    }
    var options = looks
    if let width { options.width = width }
    options.height = height
    return options
  }

  /// Sets the width of the time axis if a second has one.
  ///
  /// - Parameter duration: the length of the sound in seconds; nil if it is not known.
  func sized(_ options: PlotOptions, for duration: Duration?) throws(AudioError) -> PlotOptions {
    guard let pixelsPerSecond else { return options }
    guard let duration else {
      throw AudioError(
        .unsupported, cannot: "draw with '\($pixelsPerSecond.label)'", "",
        because: "the length of the sound is not known beforehand",
        advice: "give it with --duration")
    }
    var options = options
    options.axisWidth = Int(min((duration / .seconds(1) * pixelsPerSecond).rounded(.up), 0x1p24))
    return options
  }

  /// The options except the size, and what each source has for itself.
  var looks: PlotOptions {
    var options = PlotOptions()
    options.content = content
    options.theme = theme
    options.spectrogram.window = window
    options.spectrogram.size = transformSize
    options.spectrogram.scale = scale
    options.waveformScale = waveformScale
    switch levels {
    case .fitted: options.fitsLevels = true
    case .range(let range): options.spectrogram.levels = range
    }
    return options
  }

  /// The title of the picture of a source. Nil = none.
  func shownTitle(of name: String) -> String? {
    let title = title ?? name
    return title.isEmpty ? nil : title
  }

  func terminal(_ style: TerminalPicture.Style) throws(UsageError) -> TerminalRequest {
    if pixelsPerSecond != nil {
      throw UsageError(
        "'\($pixelsPerSecond.label)' is for files; in a terminal, '\($width.label)' is in columns")
    }
    let sides = TerminalPicture.sides
    try check(width, of: $width, in: sides, called: "with --terminal, the number of columns")
    try check(height, of: $height, in: sides, called: "with --terminal, the number of rows")
    return TerminalRequest(style: style, columns: width, rows: height)
  }
}

/// The options of peaks.
struct PeakOptions {
  @Option(
    "samples-per-pixel", .samplesPerPixel, default: "256", group: .peaks,
    help: "Samples per channel in a pair of peaks.")
  private var samplesPerPixel: Int
  @Option(
    "bits", .peakBits, default: "16", group: .peaks, help: "Bits of a peak: 8 or 16.")
  private var resolution: PeakFormat.Resolution
  @Flag(
    "split-channels", group: .peaks, help: "Peaks of each channel, instead of those of their mean.")
  private var splitsChannels: Bool

  /// - Parameter pixelsPerSecond: the option of pictures.
  func format(
    _ container: PeakFormat.Container, pixelsPerSecond: Double?
  ) throws(UsageError) -> PeakFormat {
    if pixelsPerSecond != nil, $samplesPerPixel.isGiven {
      throw UsageError(
        "'\($samplesPerPixel.label)' and '--pixels-per-second' say the same; one is enough")
    }
    var format = PeakFormat(container)
    format.resolution = resolution
    format.pixelsPerSecond = pixelsPerSecond
    format.samplesPerPixel = samplesPerPixel
    format.splitsChannels = splitsChannels
    return format
  }
}
