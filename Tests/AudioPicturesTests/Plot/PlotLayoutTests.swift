// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioPictures

/// A surface that records its drawings.
private struct DrawnThings: DrawingSurface {
  /// A box in pixels.
  struct Box {
    var left: Double
    var right: Double
    var top: Double
    var bottom: Double

    func overlaps(_ other: Box) -> Bool {
      left < other.right && other.left < right && top < other.bottom && other.top < bottom
    }
  }

  var texts: [(text: String, box: Box)] = []
  var images: [Box] = []
  var fills: [Box] = []
  var columns: [[ClosedRange<Double>?]] = []

  mutating func fill(_ rectangle: PixelRectangle, _ colour: Colour) {
    fills.append(Self.box(rectangle))
  }

  mutating func columns(from x: Int, _ stretches: [ClosedRange<Double>?], _ colour: Colour) {
    columns.append(stretches)
  }

  mutating func image(_ rectangle: PixelRectangle, _ pixels: [Colour]) {
    #expect(pixels.count == rectangle.width * rectangle.height)
    images.append(Self.box(rectangle))
  }

  mutating func text(
    _ text: String, x: Int, base: Int, _ anchor: TextAnchor, size: Double, _ colour: Colour
  ) {
    let start = anchor.start(of: text, x: x, size: size)
    texts.append(
      (
        text,
        Box(
          left: start, right: start + Glyph.length(of: text, size: size),
          top: Double(base) - 0.7 * size, bottom: Double(base))
      ))
  }

  static func box(_ rectangle: PixelRectangle) -> Box {
    Box(
      left: Double(rectangle.x), right: Double(rectangle.right), top: Double(rectangle.y),
      bottom: Double(rectangle.bottom))
  }
}

/// In no picture does anything cover a label, nor does a label lie outside.
@Suite struct PlotLayoutTests {
  private func drawn(
    _ options: PlotOptions, channels: Int, rate: Int = 48_000, seconds: Double = 0.1
  ) throws -> (things: DrawnThings, measurement: PlotMeasurement) {
    var measurement = try PlotMeasurement(
      options, StreamFormat(sampleRate: rate, channelCount: channels))
    let samples = [Float](repeating: 0.5, count: Int(seconds * Double(rate)) * channels)
    measurement.append(samples.span)
    measurement.finish()
    var things = DrawnThings()
    try PlotDrawing(options, measurement).draw(on: &things)
    return (things, measurement)
  }

  @Test(arguments: [1, 2, 6], PlotOptions.Content.allCases)
  func nothingLiesOverALabel(channels: Int, content: PlotOptions.Content) throws {
    for (width, height, rate) in [
      (800, 300, 44_100), (800, nil, 48_000), (400, 640, 8_000),
    ] {
      if channels == 6, height == 300 { continue }
      for scale in FrequencyScale.allCases where scale == .linear || content == .spectrogram {
        var options = PlotOptions()
        options.content = content
        options.title = "take of a rather long name that is shown as far as it fits 0123456789.wav"
        (options.width, options.height) = (width, height)
        options.spectrogram.size = 256
        options.spectrogram.scale = scale
        let (things, measurement) = try drawn(
          options, channels: channels, rate: rate, seconds: 0.02)
        let layout = measurement.layout
        let label = "\(width), \(layout.height), \(rate), \(scale)"
        let lanes = layout.lanes.map {
          DrawnThings.box(
            PixelRectangle(x: layout.left, y: $0.top, width: layout.plotWidth, height: $0.height))
        }
        for (index, (text, box)) in things.texts.enumerated() {
          #expect(box.left >= 0 && box.right <= Double(width), "\(label): \(text)")
          #expect(box.top >= 0 && box.bottom <= Double(layout.height), "\(label): \(text)")
          for other in things.texts.dropFirst(index + 1) {
            #expect(!box.overlaps(other.box), "\(label): \(text), \(other.text)")
          }
          for lane in lanes + things.images { #expect(!box.overlaps(lane), "\(label): \(text)") }
        }
        // Each axis has units and at least two labels.
        let units = things.texts.map(\.text)
        if content != .waveform {
          #expect(units.count { $0.hasSuffix("Hz") } >= 2 * channels, "\(label): \(units)")
        }
        #expect(units.contains { $0.hasSuffix("dBFS") }, "\(label)")
        #expect(
          units.count { $0.hasSuffix(" s") || $0.hasSuffix(" ms") } >= 2, "\(label): \(units)")
      }
    }
  }

  @Test func theWaveformHasItsExtremes() throws {
    var options = PlotOptions()
    options.content = .waveform
    (options.width, options.height) = (300, 150)
    let (things, measurement) = try drawn(options, channels: 1)
    let lane = try #require(measurement.layout.lanes.first)
    #expect(things.columns.count == 2)
    for stretch in things.columns[0] {
      // A constant of 0.5 of full scale.
      let stretch = try #require(stretch)
      #expect(abs(stretch.lowerBound - (Double(lane.top) + 0.25 * Double(lane.height))) < 1e-9)
      #expect(stretch.lowerBound == stretch.upperBound)
    }
  }

  @Test(arguments: [0.001, 0.02, 0.5, 9, 59, 61, 3_599, 3_600, 36_000, 400_000])
  func timesAreSpreadOut(seconds: Double) {
    let ticks = AxisTicks.times(from: 0, seconds, length: 660) { Double($0.count) * 6 }
    #expect((2...45).contains(ticks.count), "\(ticks)")
    #expect(ticks.first?.place == 0)
    #expect(Set(ticks.map(\.label)).count == ticks.count)
    for (one, two) in zip(ticks, ticks.dropFirst()) {
      #expect((two.place - one.place) * 660 >= Double(one.label.count) * 6 + 13)
    }
  }

  @Test func timesBeginWhereThePartDoes() {
    let ticks = AxisTicks.times(from: 62.3, 5, length: 600) { Double($0.count) * 6 }
    #expect(ticks.first?.label == "62.5 s")
    #expect(abs((ticks.first?.place ?? 0) - 0.04) < 1e-9)
    let long = AxisTicks.times(from: 3_600, 600, length: 600) { Double($0.count) * 6 }
    #expect(long.first?.label == "1:00 h")
  }

  /// A picture whose channels need more is higher than it was to be.
  @Test(arguments: [(8, 746), (64, 5_674)]) func heightsGrow(channels: Int, least: Int) throws {
    var options = PlotOptions()
    options.height = 300
    let format = try StreamFormat(sampleRate: 48_000, channelCount: channels)
    #expect(try PlotLayout(options, format).height == least)
    options.height = least + 500
    let layout = try PlotLayout(options, format)
    #expect(layout.height == least + 500 && layout.lanes.count == 2 * channels)
    options.spectrogram.size = 1_000
    #expect(throws: AudioError.self) { _ = try PlotLayout(options, format) }
  }

  @Test func aDayHasLabelsOfEqualSteps() {
    func labels(_ hours: Double, from start: Double = 0, isClock: Bool) -> [String] {
      AxisTicks.times(from: start, hours * 3_600, isClock: isClock, length: 660) {
        Double($0.count) * 6
      }.map(\.label)
    }
    #expect(
      labels(24, isClock: false)
        == (0...8).map { "\(3 * $0):00 h" })
    #expect(labels(24, isClock: true).prefix(3) == ["00:00", "02:00", "04:00"])
    // The labels are at whole steps of the clock, and a new day begins again.
    #expect(
      labels(24, from: 5.5 * 3_600, isClock: true)
        == (3...14).map { ($0 * 2 % 24).padded(to: 2) + ":00" })
    #expect(labels(1 / 60, from: 43_190.5, isClock: true).first == "12:00:00")
    #expect(labels(0.001, from: 43_190.5, isClock: true).first == "11:59:50.5")
    #expect(labels(24 * 14, isClock: false).allSatisfy { $0.hasSuffix(":00 h") })
  }

  @Test func decibelsOfAWaveform() {
    var options = PlotOptions()
    options.waveformScale = .decibels
    let axis = WaveformAxis(options, peak: 0.1)
    #expect(axis.limit == 1 && axis.lowest == -60)
    for (level, share) in [(0.0, 1.0), (-6, 0.9), (-30, 0.5), (-60, 0), (-90, 0)] {
      let amplitude = Decibels.factor(level)
      #expect(abs(axis.place(of: amplitude) - (1 + share) / 2) < 1e-9)
      #expect(abs(axis.place(of: -amplitude) - (1 - share) / 2) < 1e-9)
    }
    #expect(axis.place(of: 0) == 0.5)
    options.fitsLevels = true
    let fitted = WaveformAxis(options, peak: 0.01)
    #expect(abs(Decibels.level(fitted.limit) + 40) < 1e-9 && abs((fitted.lowest ?? 0) + 100) < 1e-9)
    options.waveformScale = .linear
    #expect(abs(WaveformAxis(options, peak: 0.011).limit - Decibels.factor(-39)) < 1e-9)
    #expect(WaveformAxis(options, peak: 0).limit == 1)
  }

  /// The ends of the colours are labelled, even if they are no whole steps.
  @Test func theBarTellsItsRange() {
    for range in [-165.0 ... -45, -100 ... -7, -120...0, -13.5...2] {
      let ticks = AxisTicks.levels(range, length: 150, spacing: 12)
      #expect(ticks.first?.place == 0 && ticks.last?.place == 1, "\(range)")
      #expect(ticks.count { $0.label.hasSuffix(" dBFS") } == 1, "\(range)")
      #expect(ticks.count >= 4, "\(range)")
    }
    #expect(
      AxisTicks.levels(-165 ... -45, length: 150, spacing: 12).map(\.label)
        == ["−165", "−140", "−120", "−100", "−80", "−60", "−45 dBFS"])
  }

  /// A tenth of the dots is the background. Both ends are multiples of 5 dB.
  @Test func coloursFitTheSound() {
    func range(_ levels: [Float]) -> ClosedRange<Double> {
      var fitted = FittedLevels()
      fitted.add(levels)
      return fitted.range
    }
    let ramp = (0..<1_000).map { -100 + Float($0) * 0.06 }
    #expect(range(ramp) == -95 ... -40)
    #expect(range(ramp + [Float](repeating: -.infinity, count: 5_000)) == -95 ... -40)
    #expect(range([-20.5, -20.4]) == -50 ... -20)
    #expect(range([-20.5] + [Float](repeating: -199, count: 100)) == -140 ... -20)
    #expect(range([]) == -120...0)
    #expect(range([-.infinity, .nan]) == -120...0)
  }

  /// The labels of fitted levels have room, too.
  @Test(arguments: PlotOptions.WaveformScale.allCases, [0.5, 1e-5])
  func fittedLabelsHaveRoom(scale: PlotOptions.WaveformScale, amplitude: Float) throws {
    var options = PlotOptions()
    options.fitsLevels = true
    options.waveformScale = scale
    var measurement = try PlotMeasurement(
      options, StreamFormat(sampleRate: 48_000, channelCount: 2))
    let samples = (0..<20_000).map { amplitude * sin(Float($0) * 0.1) }
    measurement.append(samples.span)
    measurement.finish()
    var things = DrawnThings()
    try PlotDrawing(options, measurement).draw(on: &things)
    for (text, box) in things.texts {
      #expect(box.left >= 0 && box.right <= Double(options.width), "\(text)")
    }
    // The waveform touches both ends of its lane within a decibel, or 60 dB cover it.
    let lane = try #require(measurement.layout.lanes.first)
    let tops = things.columns[0].compactMap { $0?.lowerBound }
    let top = try #require(tops.min())
    #expect(top - Double(lane.top) <= 0.06 * Double(lane.height))
  }
}
