// SPDX-License-Identifier: Apache-2.0
import Testing

/// Silence stands where packets of a film's sound are missing, so that the sound behind stays beside its pictures.
@Suite struct VideoGapTests {
  /// Makes a film with noise in mono at 48 kHz, without the packets that begin within `missing`.
  private func film(
    _ name: String, codec: String = "flac", missing: String, seconds: Int = 4, then: String = ""
  ) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white -d \(seconds) -r 48000 -c 1 -f s16 -o in.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=\(seconds):s=64x48:r=10 -i in.wav -c:v mpeg2video -c:a \(codec) \
          -frame_size 1024 whole.mkv &&
        ffmpeg -nostdin -v error -i whole.mkv -c copy -bsf:a "noise=drop=\(missing)" film.mkv &&
        ffmpeg -nostdin -v error -i film.mkv -c copy -strict -2 copy.\(name) && mv copy.\(name) \(name) &&
        rawaudio convert -q whole.mkv -t raw -f s16 -o whole.raw
      """)
    return directory
  }

  private static let second = "gte(pts*tb\\,1)*lt(pts*tb\\,2)"

  private func samples(_ name: String, in directory: TemporaryDirectory) throws -> [Int16] {
    try WaveBytes.int16s(directory.bytes(name))
  }

  /// The normalised correlation. A decoder of AC-3 puts other noise into its gaps each time.
  private func likeness(_ left: some Sequence<Int16>, _ right: some Sequence<Int16>) -> Double {
    var (both, first, second) = (0.0, 0.0, 0.0)
    for (left, right) in zip(left, right) {
      both += Double(left) * Double(right)
      first += Double(left) * Double(left)
      second += Double(right) * Double(right)
    }
    return both / (first * second).squareRoot()
  }

  /// Lossless packets of 1024 samples: the first behind 1 s is number 47, the last in front of 2 s number 93.
  @Test(arguments: ["mkv", "mp4", "nut"])
  func everySampleBehindAGapKeepsItsPlace(_ kind: String) throws {
    let directory = try film("f.\(kind)", missing: Self.second)
    let run = try directory.pipeline(
      """
      rawaudio convert f.\(kind) -t raw -o all && rawaudio convert -q f.\(kind) -o all.wav &&
        rawaudio convert -q f.\(kind) --start 3 -t raw -o part && rawaudio convert -q all.wav -t raw | cmp - all
      """)
    #expect(run.ending == .exit(0))
    let gap = 47 * 1_024..<94 * 1_024
    #expect(
      run.standardError == """
        rawaudio: 'f.\(kind)' is decoded by ffmpeg (flac)
        rawaudio: 'f.\(kind)': sound is missing at 0:00:01.002; silence of \(gap.count) samples per channel stands there

        """)
    var expected = try samples("whole.raw", in: directory)
    expected.replaceSubrange(gap, with: Array(repeating: 0, count: gap.count))
    #expect(try samples("all", in: directory) == expected)
    #expect(try samples("part", in: directory) == Array(expected[144_000...]))
  }

  /// The codecs and containers of broadcasts and streams: the length stays, and the last half second is the one of the
  /// whole film.
  @Test(arguments: [
    ("ts", "ac3"), ("ts", "libmp3lame"), ("mpg", "ac3"), ("flv", "libmp3lame"), ("mov", "ac3"),
    ("webm", "libopus"), ("wmv", "ac3"),
  ])
  func lossyCodecsKeepTheTime(_ kind: String, _ codec: String) throws {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white -d 4 -r 48000 -c 1 -f s16 --gain -20 -o in.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=4:s=64x48:r=25 -i in.wav -c:a \(codec) \
          -c:v \(kind == "flv" ? "flv1" : kind == "webm" ? "libvpx" : "mpeg2video") w.mkv &&
        ffmpeg -nostdin -v error -i w.mkv -c copy -bsf:a "noise=drop=\(Self.second)" g.mkv &&
        for name in w g; do
          ffmpeg -nostdin -v error -i $name.mkv -c copy $name.\(kind) &&
            rawaudio convert $name.\(kind) -t raw -f s16 -o $name.raw 2>$name.txt
        done && grep -c 'sound is missing at 0:00:0' g.txt && ! grep missing w.txt
      """)
    let (whole, cut) = try (
      samples("w.raw", in: directory), samples("g.raw", in: directory)
    )
    // Milliseconds of the first container stay in the others.
    #expect(abs(whole.count - cut.count) <= 48)
    let shift = cut.count - whole.count
    let end = whole.count - 4_096
    #expect(likeness(whole[end - 24_000..<end], cut[end - 24_000 + shift..<end + shift]) > 0.7)
    #expect(cut[57_600..<86_400].allSatisfy { $0 == 0 })
  }

  /// 40 ms are the limit: a packet of 21 ms stays away without silence, and with the second one both are replaced.
  @Test func aSinglePacketCountsWithTheNext() throws {
    let one = try film("f.mkv", missing: "eq(n\\,20)")
    let run = try one.pipeline("rawaudio convert f.mkv -t raw -o all && wc -c <all")
    #expect(run.standardError == "rawaudio: 'f.mkv' is decoded by ffmpeg (flac)\n")
    #expect(run.outputText == "\((192_000 - 1_024) * 2)\n")
    let two = try film("f.mkv", missing: "eq(n\\,20)+eq(n\\,90)")
    try two.mustRun("rawaudio convert -q f.mkv -t raw -o all")
    var expected = try samples("whole.raw", in: two)
    expected.replaceSubrange(90 * 1_024..<91 * 1_024, with: Array(repeating: 0, count: 2_048))
    expected.removeSubrange(20 * 1_024..<21 * 1_024)
    #expect(try samples("all", in: two) == expected)
  }

  /// Longer than the step that ffmpeg takes for another recording: the pictures that go on show the gap.
  @Test func aLongGapInABroadcast() throws {
    let directory = try film(
      "f.ts", codec: "ac3", missing: "gte(pts*tb\\,2)*lt(pts*tb\\,15)", seconds: 17)
    let run = try directory.pipeline("rawaudio convert f.ts -t raw -f s16 -o all && wc -c <all")
    #expect(run.standardError.contains("'f.ts': sound is missing at 0:00:02.016; silence of 623"))
    let (whole, cut) = try (
      samples("whole.raw", in: directory), samples("all", in: directory)
    )
    #expect(cut.count == whole.count)
    #expect(likeness(whole.suffix(24_000), cut.suffix(24_000)) > 0.7)
  }

  /// Two recordings one behind the other, the second of which begins an hour later: that hour is none of the sound.
  @Test func aLeapOfTheTimeStampsIsNoGap() throws {
    let directory = try film("f.ts", codec: "ac3", missing: "0")
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -i whole.mkv -c copy -output_ts_offset 3600 g.ts && cat f.ts g.ts >both.ts &&
        rawaudio convert both.ts -t raw -f s16 -o all && rawaudio convert -q f.ts -t raw -f s16 | wc -c && wc -c <all
      """)
    let lengths = run.outputText.split(separator: "\n").compactMap { Int($0) }
    #expect(lengths.count == 2 && lengths[0] > 380_000 && lengths[1] == 2 * lengths[0])
    #expect(
      run.standardError.contains(
        "rawaudio: 'both.ts': its times leap at 0:00:04.000 by 0:59:5"), "\(run.standardError)")
  }
}
