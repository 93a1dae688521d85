// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioPictures

/// The terminal pictures of sounds known by a formula.
@Suite struct TerminalPictureTests {
  private func drawn(
    _ terminal: TerminalPicture, _ options: PlotOptions, _ samples: [Float], rate: Int = 48_000,
    channels: Int = 1
  ) throws -> (layout: PlotLayout, canvas: CellCanvas) {
    var measurement = try PlotMeasurement(
      options, StreamFormat(sampleRate: rate, channelCount: channels), terminal.metrics)
    measurement.append(samples.span)
    measurement.finish()
    return (
      measurement.layout, try PlotDrawing(options, measurement).cells(terminal.cellStyle)
    )
  }

  struct Case: Sendable {
    var style: TerminalPicture.Style
    var isColoured = true
    var isUnicode = true
    var square: CellGlyph
    var silence: CellGlyph
  }

  private static let theme = PlotTheme(.dark)

  /// A full-scale square wave fills every cell of its lane, and silence is a line in the middle.
  @Test(arguments: [
    Case(
      style: .automatic, square: CellGlyph("⣿", theme.rms, on: theme.lane),
      silence: CellGlyph("⠤", theme.peak, on: theme.lane)),
    Case(
      style: .braille, square: CellGlyph("⣿", theme.rms, on: theme.lane),
      silence: CellGlyph("⠤", theme.peak, on: theme.lane)),
    Case(
      style: .blocks, square: CellGlyph(" ", on: theme.rms),
      silence: CellGlyph("─", theme.peak, on: theme.lane)),
    Case(
      style: .automatic, isColoured: false, square: CellGlyph("⣿"), silence: CellGlyph("⠄")),
    Case(
      style: .blocks, isColoured: false, square: CellGlyph("█"),
      silence: CellGlyph("─", Colour(0x7F7F7F), on: Colour(0))),
    Case(
      style: .automatic, isUnicode: false, square: CellGlyph("@"),
      silence: CellGlyph("-", Colour(0x7F7F7F), on: Colour(0))),
  ])
  func aSquareAndSilence(_ expected: Case) throws {
    var terminal = TerminalPicture()
    (terminal.style, terminal.isColoured) = (expected.style, expected.isColoured)
    terminal.isUnicode = expected.isUnicode
    (terminal.columns, terminal.rows) = (60, 8)
    var options = PlotOptions()
    options.content = .waveform
    let layout = try PlotLayout(
      options, StreamFormat(sampleRate: 48_000, channelCount: 1), terminal.metrics)
    let columns = layout.plotWidth / CellCanvas.cellWidth
    // A boundary of cells lies between both.
    let length = 100
    let samples = (0..<columns * length).map { index in
      index < columns / 2 * length ? Float(index % 2 == 0 ? 1 : -1) : 0
    }
    let (_, canvas) = try drawn(terminal, options, samples)
    let lane = try #require(layout.lanes.first)
    // An odd number of rows: one is the middle.
    #expect(lane.height == 5 * CellCanvas.cellHeight)
    let left = layout.left / CellCanvas.cellWidth
    for row in 0..<5 {
      for column in 0..<columns {
        let glyph = canvas.glyph(
          column: left + column, row: lane.top / CellCanvas.cellHeight + row)
        if column < columns / 2 {
          #expect(glyph == expected.square, "\(row), \(column)")
        } else if row == 2 {
          #expect(glyph == expected.silence, "\(column)")
        } else {
          #expect(glyph?.character == " " || glyph?.character == "─", "\(row), \(column)")
        }
      }
    }
  }

  /// From 1 kHz up by 1.5 kHz a second: the strongest half of a cell of every column.
  @Test(arguments: [(80, 24), (120, 40), (200, 60)])
  func theRidgeOfAChirpIsWhereTheFormulaSays(columns: Int, rows: Int) throws {
    let rate = 16_000.0
    let samples = (0..<64_000).map { index in
      let time = Double(index) / rate
      return Float(0.5 * sin(2 * Double.pi * (1_000 * time + 750 * time * time)))
    }
    var terminal = TerminalPicture()
    (terminal.columns, terminal.rows) = (columns, rows)
    var options = PlotOptions()
    options.content = .spectrogram
    options.spectrogram.size = 512
    let (layout, canvas) = try drawn(terminal, options, samples, rate: 16_000)
    let lane = try #require(layout.lanes.first)
    let (left, top) = (layout.left / CellCanvas.cellWidth, lane.top / CellCanvas.cellHeight)
    let halves = lane.height / CellCanvas.cellHeight * 2
    let width = layout.plotWidth / CellCanvas.cellWidth
    #expect(width >= columns - 22 && halves >= 2 * (rows - 4))
    for column in 1..<width - 1 {
      let greens = try (0..<halves).map { half -> UInt8 in
        let glyph = try #require(canvas.glyph(column: left + column, row: top + half / 2))
        // Both halves have one colour, or the lower one has the colour of the block.
        let colour = glyph.character == "▄" && half % 2 == 1 ? glyph.colour : glyph.ground
        #expect(glyph.character == "▄" || glyph.character == " ")
        return try #require(colour).green
      }
      let strongest = try #require(greens.max())
      let half = try #require(greens.firstIndex(of: strongest))
      let found = (Double(halves - half) - 0.5) / Double(halves) * rate / 2
      let time = (Double(column) + 0.5) / Double(width) * 4
      let expected = 1_000 + 1_500 * time
      // A bin is 31.25 Hz; half of a half cell, and the chirp's change in half a column, may be added.
      let tolerance = 31.25 + rate / 4 / Double(halves) + 1_500 * 2 / Double(width)
      #expect(abs(found - expected) <= tolerance, "\(column): \(found), \(expected)")
    }
  }

  /// The place of a character, and its text.
  private struct DrawnCells: DrawingSurface {
    let characters: CellText.CharacterSet
    var texts: [(text: String, row: Int, columns: Range<Int>)] = []

    mutating func fill(_ rectangle: PixelRectangle, _ colour: Colour) {}
    mutating func columns(from x: Int, _ stretches: [ClosedRange<Double>?], _ colour: Colour) {}
    mutating func image(_ rectangle: PixelRectangle, _ pixels: [Colour]) {
      #expect(pixels.count == rectangle.width * rectangle.height)
    }
    mutating func text(
      _ text: String, x: Int, base: Int, _ anchor: TextAnchor, size: Double, _ colour: Colour
    ) {
      let count = CellText(text, characters).columns
      let start =
        switch anchor {
        case .left: x / 2
        case .centre: x / 2 - count / 2
        case .right: x / 2 - count
        }
      texts.append((text, (base - 4) / 8, start..<start + count))
    }
  }

  @Test(arguments: [1, 2, 6], PlotOptions.Content.allCases)
  func nothingLiesOverALabel(channels: Int, content: PlotOptions.Content) throws {
    for (columns, rows) in [(80, 23), (120, 39), (200, 59), (50, 12), (40, 1)] {
      for (rate, scale) in [(48_000, FrequencyScale.linear), (44_100, .log), (8_000, .mel)] {
        for isUnicode in [true, false] {
          var terminal = TerminalPicture()
          (terminal.columns, terminal.rows, terminal.grows) = (columns, rows, true)
          terminal.isUnicode = isUnicode
          var options = PlotOptions()
          options.content = content
          options.title =
            "take of a rather long 日本 name that is shown as far as it fits 0123456.wav"
          options.spectrogram.size = 256
          options.spectrogram.scale = scale
          var measurement = try PlotMeasurement(
            options, StreamFormat(sampleRate: rate, channelCount: channels), terminal.metrics)
          measurement.append([Float](repeating: 0.5, count: 960 * channels).span)
          measurement.finish()
          let layout = measurement.layout
          var things = DrawnCells(characters: terminal.characters)
          try PlotDrawing(options, measurement).draw(on: &things)
          let label = "\(columns) × \(rows), \(rate), \(scale), \(isUnicode)"
          #expect(layout.width == 2 * columns && layout.height % 8 == 0)
          if layout.height / 8 > rows { #expect(rows < 50, "\(label)") }
          let plot = layout.left / 2..<layout.right / 2
          for (index, thing) in things.texts.enumerated() {
            #expect(
              thing.columns.lowerBound >= 0 && thing.columns.upperBound <= columns,
              "\(label): \(thing)")
            #expect((0..<layout.height / 8).contains(thing.row), "\(label): \(thing)")
            for other in things.texts.dropFirst(index + 1) where other.row == thing.row {
              #expect(!thing.columns.overlaps(other.columns), "\(label): \(thing), \(other)")
            }
            for lane in layout.lanes where (lane.top / 8..<lane.bottom / 8).contains(thing.row) {
              #expect(!thing.columns.overlaps(plot), "\(label): \(thing)")
            }
          }
          let texts = things.texts.map(\.text)
          if content != .waveform {
            #expect(texts.count { $0.hasSuffix("Hz") } >= 2 * channels, "\(label): \(texts)")
          }
          #expect(texts.contains { $0.hasSuffix("dBFS") }, "\(label)")
          #expect(texts.contains { $0.hasSuffix(" s") || $0.hasSuffix(" ms") }, "\(label)")
        }
      }
    }
  }

  @Test func aPictureHasTheRowsItIsGiven() throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 6)
    var terminal = TerminalPicture()
    #expect {
      _ = try PlotLayout(PlotOptions(), format, terminal.metrics)
    } throws: { error in
      (error as? AudioError)?.reason == "they need 50 rows"
    }
    terminal.rows = 50
    #expect(try PlotLayout(PlotOptions(), format, terminal.metrics).height == 50 * 8)
    (terminal.rows, terminal.grows) = (24, true)
    #expect(try PlotLayout(PlotOptions(), format, terminal.metrics).height == 50 * 8)
    terminal.columns = 20
    #expect(throws: AudioError.self) {
      _ = try PlotLayout(PlotOptions(), format, terminal.metrics)
    }
    terminal.columns = 1_001
    #expect {
      _ = try PlotLayout(PlotOptions(), format, terminal.metrics)
    } throws: { error in
      (error as? AudioError)?.reason == "a picture has 1 to 1000 columns and rows"
    }
  }

  @Test func aSinkKeepsWhatATerminalShows() throws {
    var terminal = TerminalPicture()
    (terminal.columns, terminal.rows, terminal.isColoured) = (60, 8, false)
    var options = PlotOptions()
    (options.content, options.title) = (.waveform, "t")
    let sink = TerminalPictureSink(terminal, options: options)
    let session = try Session(local: GivenSource([Double](repeating: 1, count: 4_800)))
    try session.setSink(sink, at: .publish)
    #expect(sink.text == "")
    _ = try session.run()
    let lines = sink.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 9 && lines.last == "")
    #expect(lines[0].contains("t  48 kHz, 1 channel"))
    #expect(!sink.text.contains("\u{1B}"))
  }
}
