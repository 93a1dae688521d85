// SPDX-License-Identifier: Apache-2.0
import Testing

/// `-c N` on files with a channel layout, compared with ffmpeg.
@Suite struct LayoutConversionTests {
  private let directory = TemporaryDirectory()

  /// Writes a file in which sample n is 1 in channel n and 0 in the others.
  ///
  /// - Parameter mask: the loudspeakers; nil for four channels of B-format.
  private func write(_ mask: Int?, _ name: String) throws -> Int {
    let count = mask?.nonzeroBitCount ?? 4
    var samples: [UInt8] = []
    for frame in 0..<count {
      for channel in 0..<count {
        samples += littleEndian(frame == channel ? 0x3F80_0000 : 0, 4)
      }
    }
    var file = Array("WAVEfmt ".utf8) + littleEndian(40, 4) + littleEndian(0xFFFE, 2)
    file += littleEndian(count, 2) + littleEndian(48_000, 4) + littleEndian(192_000 * count, 4)
    file += littleEndian(4 * count, 2) + littleEndian(32, 2) + littleEndian(22, 2)
    file += littleEndian(32, 2) + littleEndian(mask ?? 0, 4) + littleEndian(3, 2)
    file +=
      mask == nil
      ? [0, 0, 0x21, 7, 0xD3, 0x11, 0x86, 0x44, 0xC8, 0xC1, 0xCA, 0, 0, 0]
      : [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    file += Array("data".utf8) + littleEndian(samples.count, 4) + samples
    try directory.write(Array("RIFF".utf8) + littleEndian(file.count, 4) + file, name)
    return count
  }

  /// Returns `factors[input][output]`, scaled so that the factors of no output channel sum to more than 1.
  private func factors(_ bytes: [UInt8], _ count: Int, to target: Int) -> [[Double]]? {
    guard bytes.count == 4 * count * target else { return nil }
    let values = stride(from: 0, to: bytes.count, by: 4).map {
      Double(Float(bitPattern: UInt32(littleEndian(bytes, at: $0, 4))))
    }
    let rows = (0..<count).map { Array(values[$0 * target..<($0 + 1) * target]) }
    let largest = (0..<target).map { output in rows.reduce(0) { $0 + $1[output] } }.max() ?? 1
    return largest > 1 ? rows.map { $0.map { $0 / largest } } : rows
  }

  /// 2.1, 3.0, 3.1, 4.0, 4.1, quad, quad (side), 5.0, 5.0 (side), 5.1, 5.1 (side), 6.0, 6.0 (front), hexagonal, 6.1,
  /// 6.1 (back), 6.1 (front), 7.0, 7.0 (front), 7.1, 7.1 (wide), 7.1 (wide side), octagonal.
  @Test(arguments: [
    0xB, 0x7, 0xF, 0x107, 0x10F, 0x33, 0x603, 0x37, 0x607, 0x3F, 0x60F, 0x707, 0x6C3, 0x137,
    0x70F, 0x13F, 0x6CB, 0x637, 0x6C7, 0x63F, 0xFF, 0x6CF, 0x737,
  ])
  func toStereoAndMonoAsFfmpegDoes(_ mask: Int) throws {
    let count = try write(mask, "in.wav")
    for target in [1, 2] {
      let ours = try directory.run(["convert", "in.wav", "-c", "\(target)", "-t", "raw"])
      ours.expectExit(0)
      let theirs = try directory.pipeline(
        "command -v ffmpeg >/dev/null || exit 9; ffmpeg -v error -nostdin -i in.wav -ac \(target) -f f32le -"
      )
      if theirs.ending == .exit(9) { return }
      let (first, second) = (
        try #require(factors(ours.standardOutput, count, to: target)),
        try #require(factors(theirs.standardOutput, count, to: target))
      )
      for (row, other) in zip(first, second) {
        for (factor, value) in zip(row, other) {
          #expect(abs(factor - value) < 1e-6, "\(first) \(second)")
        }
      }
    }
  }

  /// The channels of B-format are no loudspeakers; W has the sound of all directions.
  @Test func ambisonicChannelsAreNotMixed() throws {
    _ = try write(nil, "b.wav")
    let stereo = "--channel-map 0.707*1+0.5*3,0.707*1-0.5*3"
    let refusal =
      "cannot change the channels of 'ambisonic sound (B-format)': they are no loudspeakers; "
    for line in [
      "convert b.wav -c 2", "convert b.wav -c 1", "convert b.wav -c 6", "mix b.wav -c 2",
      "convert b.wav --channel-map mix",
    ] {
      let run = try directory.pipeline("rawaudio \(line) -o new.wav")
      run.expectExit(
        1, "\(refusal)decode it with \(stereo) for stereo, 1 for mono")
    }
    let played = try directory.pipeline("rawaudio concat b.wav -c 2 -o new.wav")
    played.expectExit(
      1, "\(refusal)decode it first: left is 0.707 W + 0.5 Y, right 0.707 W - 0.5 Y")
    let kept = try directory.pipeline(
      "rawaudio convert b.wav -r 16k -o same.wav && rawaudio info same.wav")
    let facts = String(decoding: kept.standardOutput, as: UTF8.self)
    #expect(facts.contains("ambisonic"), "\(facts)")
    let decoded = try directory.run(
      ["convert", "b.wav"] + stereo.split(separator: " ").map(String.init) + ["-t", "raw"])
    decoded.expectExit(0)
    let rows = try #require(factors(decoded.standardOutput, 4, to: 2))
    #expect(
      zip(rows.joined(), [0.707, 0.707, 0, 0, 0.5, -0.5, 0, 0]).allSatisfy {
        abs($0 - $1 / 1.207) < 1e-6
      })
  }

  /// A sum of B-format is B-format. One with loudspeakers is neither, which is told.
  @Test func sumsOfAmbisonicSources() throws {
    _ = try write(nil, "b.wav")
    _ = try write(0x33, "quad.wav")
    for (line, isKept) in [
      ("mix b.wav b.wav", true), ("concat b.wav b.wav", true), ("mix b.wav quad.wav", false),
    ] {
      let run = try directory.pipeline("rawaudio \(line) -o sum.wav --force")
      if isKept {
        run.expectExit(0)
      } else {
        run.expectExit(
          0, "'sum.wav' does not carry channel layout (only some sources are B-format)")
      }
      let facts = try directory.run("info", "sum.wav").outputText
      #expect(facts.contains("ambisonic") == isKept, "\(facts)")
    }
  }

  /// The layout reaches sums, observers, items of a list and playback, not only an output.
  @Test func everywhere() throws {
    let count = try write(0xF, "in.wav")
    let reference = try directory.run(["convert", "in.wav", "-c", "2", "-t", "raw", "-f", "f32"])
    let wanted = try #require(factors(reference.standardOutput, count, to: 2))
    #expect(wanted[2][0] == wanted[2][1])
    #expect(wanted[3] == [0, 0])
    for line in [
      "mix in.wav -c 2 -t raw -o -", "concat in.wav -c 2 -t raw -o -",
      "session --local in.wav --publish null: --observe record,channels=2,encoding=f32:tap=tap.wav",
      "session --remote in.wav --channels 2 --playback - -t raw", "convert - -c 2 -t raw",
    ] {
      let input = line.hasPrefix("convert -") ? "cat in.wav | " : ""
      let run = try directory.pipeline("\(input)rawaudio \(line)")
      #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
      let tapped =
        line.contains("tap") ? WaveFile(parsing: try directory.bytes("tap.wav"))?.samples : nil
      let found = try #require(factors(tapped ?? run.standardOutput, count, to: 2), "\(line)")
      #expect(found == wanted, "\(line)")
    }
  }
}
