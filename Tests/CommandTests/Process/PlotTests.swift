// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioPictures

/// `rawaudio plot` writes its documented formats, and pictures that other programs read.
@Suite struct PlotTests {
  private let directory = TemporaryDirectory()

  /// Runs a line that must succeed without any message.
  private func run(_ line: String) throws -> ProcessRun {
    let run = try directory.pipeline(line)
    #expect(run.standardError == "", "\(line)")
    #expect(run.ending == .exit(0), "\(line)")
    return run
  }

  // MARK: Pictures

  /// Returns the pixels of a picture as ffmpeg reads it, three bytes each.
  private func pixels(_ name: String) throws -> [UInt8] {
    try run("ffmpeg -v error -i \(name) -f rawvideo -pix_fmt rgb24 -").standardOutput
  }

  /// 64-bit float samples may lie beyond every pixel.
  @Test(arguments: ["png", "svg", "json"])
  func samplesBeyondAllPictures(type: String) throws {
    var samples = [Double](repeating: 0.1, count: 48_000)
    samples[20_000] = 1e308
    samples[30_000] = -.infinity
    let bytes = unsafe samples.withUnsafeBytes { unsafe Array($0) }
    try directory.write(
      WaveBytes.file(bytes, bits: 64, isFloat: true, channelCount: 1, sampleRate: 48_000), "a.wav")
    _ = try run("rawaudio plot a.wav -o a.\(type)")
    #expect(try directory.bytes("a.\(type)").count > 100)
  }

  @Test func theRidgeOfAChirpIsWhereTheFormulaSays() throws {
    // From 1 to 7 kHz in 4 s, half of full scale.
    let rate = 16_000.0
    let samples = (0..<64_000).map { index in
      let time = Double(index) / rate
      return Int16(16_384 * sin(2 * Double.pi * (1_000 * time + 750 * time * time)))
    }
    try directory.write(WaveBytes.file(samples, sampleRate: 16_000), "chirp.wav")
    let (width, height) = (600, 300)
    _ = try run(
      "rawaudio plot chirp.wav --show spectrogram --fft-size 512 --width \(width) --height \(height) -o c.png"
    )
    let pixels = try pixels("c.png")
    try #require(pixels.count == 3 * width * height)
    var options = PlotOptions()
    (options.width, options.height, options.title) = (width, height, "chirp.wav")
    options.content = .spectrogram
    let layout = try PlotLayout(options, StreamFormat(sampleRate: 16_000, channelCount: 1))
    let lane = try #require(layout.lanes.first)
    func green(_ x: Int, _ y: Int) -> UInt8 { pixels[3 * (y * width + x) + 1] }
    for x in stride(from: layout.left + 10, to: layout.right - 10, by: 7) {
      // A stronger level has more green.
      let y = try #require((lane.top..<lane.bottom).max { green(x, $0) < green(x, $1) })
      let time = (Double(x - layout.left) + 0.5) / Double(layout.plotWidth) * 4
      let expected = 1_000 + 1_500 * time
      let found = (Double(lane.bottom - y) - 0.5) / Double(lane.height) * rate / 2
      // A bin is 31.25 Hz; half a pixel may be added to that.
      let tolerance = 31.25 + rate / 4 / Double(lane.height)
      #expect(abs(found - expected) <= tolerance, "\(x): \(found), \(expected)")
    }
  }

  /// A second of silence and two of full scale, 40 pixels for each.
  @Test(arguments: ["a.wav", "- < a.wav"])
  func aSecondHasItsPixels(_ source: String) throws {
    let samples = (0..<24_000).map { Int16($0 < 8_000 ? 0 : $0 % 2 == 0 ? 32_767 : -32_767) }
    try directory.write(WaveBytes.file(samples, sampleRate: 8_000), "a.wav")
    _ = try run(
      "rawaudio plot --pixels-per-second 40 --show waveform --title '' --height 150 -o c.png \(source)"
    )
    var options = PlotOptions()
    (options.axisWidth, options.height, options.content) = (120, 150, .waveform)
    let layout = try PlotLayout(options, StreamFormat(sampleRate: 8_000, channelCount: 1))
    #expect(layout.plotWidth == 120)
    let pixels = try pixels("c.png")
    try #require(pixels.count == 3 * layout.width * layout.height)
    let row = (layout.lanes[0].top + 5) * layout.width
    let line = (layout.left..<layout.right).map {
      Array(pixels[3 * (row + $0)..<3 * (row + $0 + 1)])
    }
    #expect(Set(line[..<40]).count == 1 && Set(line[40...]).count == 1 && line[39] != line[40])

    let peaks = try run("rawaudio plot a.wav --json --pixels-per-second 40").outputText
    #expect(peaks.contains(#""samples_per_pixel":200,"bits":16,"#))
    #expect(peaks.contains(#""length":120"#))
  }

  @Test func pixelsPerSecondThatMakeNoPicture() throws {
    try directory.write(WaveBytes.file([Int16](repeating: 0, count: 48_000)), "a.wav")
    for (options, code, text) in [
      (
        "a.wav --pixels-per-second 20000 -o p.png", Int32(1),
        "a picture has 100 to 16384 pixels a side"
      ),
      (
        "a.wav --pixels-per-second 20 --width 400 -o p.png", 64, "both set the width; one is enough"
      ),
      (
        "a.wav --pixels-per-second 0 -o p.png", 64,
        "are a number from 0.001 to 100000, for example 20"
      ),
      ("a.wav --pixels-per-second 20 --terminal", 64, "is for files; in a terminal, '--width"),
      (
        "a.wav --pixels-per-second 20 --samples-per-pixel 9 --json", 64,
        "say the same; one is enough"
      ),
      ("a.wav --pixels-per-second 50000 --json", 1, "a pair is of 2 to 16777216 samples"),
    ] {
      let run = try directory.pipeline("rawaudio plot \(options)")
      #expect(run.ending == .exit(code), "\(options)")
      #expect(run.standardError.contains(text), "\(run.standardError)")
      #expect(throws: (any Error).self) { try directory.bytes("p.png") }
    }
  }

  @Test func svgIsWellFormedAndNeedsNoFont() throws {
    let name = "a & <b> \"c\".wav"
    try directory.write(WaveBytes.file([0, 16_384, -16_384, 0], channelCount: 2), name)
    _ = try run("rawaudio plot '\(name)' -o x.svg --theme light")
    let check = """
      import xml.etree.ElementTree as tree
      root = tree.parse("x.svg").getroot()
      tags = {element.tag.split("}")[1] for element in root.iter()}
      print(root.tag.split("}")[1], root.get("width"), root.find("{*}title").text)
      print(sorted(tags))
      """
    let found = try run("/usr/bin/python3 -c '\(check)'")
    #expect(
      found.outputText
        == "svg 800 \(name)\n['defs', 'g', 'image', 'path', 'rect', 'svg', 'title', 'use']\n")
  }

  @Test func standardInputAndOutput() throws {
    try directory.write(WaveBytes.file(Array(repeating: 8_192, count: 4_000)), "a.wav")
    _ = try run("rawaudio plot a.wav --title t --width 300 -o a.png")
    _ = try run("cat a.wav | rawaudio plot - --title t --width 300 >b.png")
    #expect(try directory.bytes("a.png") == directory.bytes("b.png"))
    // A reader that closes the pipe is no error.
    _ = try run("rawaudio plot a.wav --json -o - | head -c 1")
  }

  // MARK: Peaks

  /// Returns the pairs found by reading every sample.
  private static func peaks(_ samples: [[Int]], _ length: Int, divisor: Int) -> [Int] {
    let count = samples[0].count
    return stride(from: 0, to: count, by: length).flatMap { start in
      samples.flatMap { channel -> [Int] in
        let part = channel[start..<min(count, start + length)]
        return [(part.min() ?? 0) / divisor, (part.max() ?? 0) / divisor]
      }
    }
  }

  @Test(arguments: [8, 16], [true, false])
  func peaksAreThoseOfEverySample(bits: Int, splits: Bool) throws {
    var noise = Noise(3)
    let samples = noise.samples(2 * 10_001, peak: 32_767)
    try directory.write(WaveBytes.file(samples, channelCount: 2), "n.wav")
    let channels = (0..<2).map { channel in
      stride(from: channel, to: samples.count, by: 2).map { Int(samples[$0]) }
    }
    // The mean rounded towards zero, as in audiowaveform.
    let shown = splits ? channels : [zip(channels[0], channels[1]).map { ($0 + $1) / 2 }]
    let expected = Self.peaks(shown, 100, divisor: bits == 8 ? 256 : 1)
    let options = "--samples-per-pixel 100 --bits \(bits)" + (splits ? " --split-channels" : "")
    _ = try run(
      "rawaudio plot n.wav \(options) -o n.dat && rawaudio plot n.wav \(options) -o n.json")

    let json = try #require(
      JSONSerialization.jsonObject(with: Data(try directory.bytes("n.json"))) as? [String: Any])
    #expect(json["version"] as? Int == 2)
    #expect(json["channels"] as? Int == shown.count)
    #expect(json["sample_rate"] as? Int == 48_000)
    #expect(json["samples_per_pixel"] as? Int == 100)
    #expect(json["bits"] as? Int == bits)
    #expect(json["length"] as? Int == 101)
    let data = try #require(json["data"] as? [Int])
    let isExact = data == expected
    #expect(isExact)

    let bytes = try directory.bytes("n.dat")
    let header = (0..<6).map { littleEndian(bytes, at: 4 * $0, 4) }
    #expect(header == [2, bits == 8 ? 1 : 0, 48_000, 100, 101, shown.count])
    let size = bits / 8
    let stored = stride(from: 24, to: bytes.count, by: size).map { index in
      size == 1
        ? Int(Int8(bitPattern: bytes[index]))
        : Int(Int16(truncatingIfNeeded: littleEndian(bytes, at: index, 2)))
    }
    let isStoredExactly = stored == expected
    #expect(isStoredExactly)
  }

  @Test func aPipeTakesPeaksInJSONOnly() throws {
    try directory.write(WaveBytes.file(Array(repeating: 1_000, count: 600)), "a.wav")
    let json = try run("rawaudio plot a.wav --json | cat")
    #expect(json.outputText.hasSuffix("\"data\":[1000,1000,1000,1000,1000,1000],\"length\":3}\n"))
    let dat = try directory.pipeline("rawaudio plot a.wav --dat | cat")
    dat.expectExit(
      1,
      "cannot write dat to 'standard output': its first bytes tell its length, and a pipe "
        + "cannot be gone back in; write JSON, or name a file")
    _ = try run(
      "rawaudio plot a.wav --dat >a.dat && rawaudio plot a.wav -o b.dat && cmp a.dat b.dat")
  }

  // MARK: Refusals

  @Test func outputsAreWholeOrAbsent() throws {
    try directory.write(WaveBytes.file(Array(repeating: 1_000, count: 600)), "a.wav")
    for name in ["x.png", "x.svg", "x.dat", "x.json"] {
      try directory.write([1, 2, 3], name)
      let refused = try directory.run("plot", "a.wav", "-o", name)
      #expect(refused.ending == .exit(1))
      #expect(refused.standardError.hasPrefix("rawaudio: cannot write to '\(name)'"))
      #expect(try directory.bytes(name) == [1, 2, 3])
      _ = try run("rawaudio plot a.wav -o \(name) --force")
      #expect(try directory.bytes(name).count > 30)
      let broken = try directory.run("plot", "missing.wav", "-o", "new-\(name)")
      #expect(broken.ending == .exit(1))
    }
    #expect(directory.names == ["a.wav", "x.dat", "x.json", "x.png", "x.svg"])
  }

  @Test func mistakesAreToldBeforeAnythingIsRead() throws {
    func message(_ arguments: String...) throws -> String {
      let run = try directory.run(["plot"] + arguments)
      #expect(run.ending == .exit(64), "\(arguments)")
      return String(run.standardError.prefix { $0 != "\n" })
    }
    #expect(
      try message("a.wav", "-o", "x.gif")
        == "Error: The value 'x.gif' is invalid for '--output <path>': its end is none of .png, .svg, .dat and .json;"
        + " say what to write with '--type <type>'")
    #expect(try message("a.wav", "-o", "x.png", "--fft-size", "1000").contains("power of two"))
    #expect(
      try message("a.wav", "-o", "x.png", "--levels", "0,-120").contains("the lower one first"))
    #expect(try message("a.wav", "-o", "x.png", "--width", "99").contains("from 100 to 16384"))
    #expect(
      try message("a.wav", "-o", "x.json", "--width", "300")
        == "Error: '--width <pixels>' is for pictures; the output is json")
    #expect(try message("a.wav", "-o", "x.png", "--bits", "8").contains("is for peaks"))
    #expect(try message("tone:440", "-o", "x.png").contains("never ends"))
    #expect(directory.names == [])
  }

  /// A picture is as high as its channels need.
  @Test func heightsGrow() throws {
    try directory.write(WaveBytes.file(Array(repeating: 0, count: 160), channelCount: 16), "a.wav")
    _ = try run("rawaudio plot a.wav --height 300 --width 200 -o x.png")
    let size = try run(
      "ffprobe -v error -show_entries stream=width,height -of csv=p=0 x.png")
    #expect(size.outputText == "200,1450\n")
  }
}
