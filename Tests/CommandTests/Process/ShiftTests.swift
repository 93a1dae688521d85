// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--shift`: silence in front of a sound, or less of its beginning; in a video the pictures stay where they are.
@Suite struct ShiftTests {
  private let directory = TemporaryDirectory()

  private func samples(_ line: String) throws -> [Int16] {
    let run = try directory.pipeline("rawaudio convert \(line) -t raw -f s16 -o -")
    #expect(run.standardError == "")
    return WaveBytes.int16s(run.standardOutput)
  }

  @Test func soundMoves() throws {
    try directory.write(WaveBytes.file([1, 2, 3, 4, 5, 6], sampleRate: 1_000), "a.wav")
    for (options, expected) in [
      ("--shift 2ms", [0, 0, 1, 2, 3, 4, 5, 6]), ("--shift -2ms", [3, 4, 5, 6]),
      ("--shift -1S", [2, 3, 4, 5, 6]), ("--shift 0", [1, 2, 3, 4, 5, 6]),
      ("--shift -1S --start 2S", [4, 5, 6]), ("--shift -1S --reverse", [5, 4, 3, 2, 1]),
      ("--shift 1S --pad 1S,2S", [0, 0, 1, 2, 3, 4, 5, 6, 0, 0]),
    ] as [(String, [Int16])] {
      #expect(try samples("a.wav \(options)") == expected, "\(options)")
      #expect(try samples("- \(options) <a.wav") == expected, "\(options)")
    }
    let late = try directory.pipeline("rawaudio convert a.wav --shift -7S -o b.wav")
    late.expectExit(
      1,
      "cannot take this part of the source: it begins at sample 7, and the source ends after 6 samples per channel"
    )
  }

  /// Marks of a sound file move with its sound; those that are left out are gone.
  @Test(arguments: [
    ("--shift 2S", [2, 8, 14]), ("--shift -2S", [4, 10]), ("--delay 2S", [2, 8, 14]),
  ])
  func marksMove(_ options: String, _ expected: [Int]) throws {
    try directory.write(WaveBytes.file([1, 2, 3, 4, 5, 6], sampleRate: 1_000), "a.wav")
    let run = try directory.pipeline(
      """
      rawaudio concat a.wav a.wav a.wav --marks -o m.wav && rawaudio convert m.wav \(options) -o n.wav &&
        rawaudio info --json n.wav
      """)
    let object = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let file = try #require((object as? [[String: Any]])?.first)
    let carried = try #require(file["carried"] as? [String: Any])
    let marks = try #require(carried["marks"] as? [[String: Any]])
    #expect(marks.compactMap { $0["position"] as? Int } == expected)
  }

  /// The sound of a video against its pictures and chapters, without a loss to the sample.
  @Test(arguments: [("120ms", 5_760), ("-120ms", -5_760)])
  func theSoundOfAVideoMoves(_ shift: String, _ offset: Int) throws {
    let run = try directory.pipeline(
      """
      printf ';FFMETADATA1\\n[CHAPTER]\\nTIMEBASE=1/1000\\nSTART=0\\nEND=900\\ntitle=One\\n[CHAPTER]\\nTIMEBASE=1/1000\\nSTART=900\\nEND=2000\\ntitle=Two\\n' > c.txt &&
        rawaudio convert noise:white,seed=1 -d 2 -r 48000 -c 1 -f s16 -o a.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=2:s=64x48 -i a.wav -i c.txt -map 0:v -map 1:a -map_chapters 2 \
          -c:v mpeg4 -c:a flac f.mkv &&
        rawaudio convert -q f.mkv --shift \(shift) -o g.mkv &&
        for f in f g; do ffmpeg -nostdin -v error -i $f.mkv -map 0:v -c copy -f framemd5 - | grep -v '^#' > $f.md5
          ffprobe -v error -show_chapters -of csv $f.mkv > $f.chapters; done &&
        cmp f.md5 g.md5 && cmp f.chapters g.chapters && rawaudio convert -q g.mkv -t raw -o g.raw && rawaudio convert a.wav \
          -t raw -o a.raw
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let (before, after) = (try directory.bytes("a.raw"), try directory.bytes("g.raw"))
    if offset > 0 {
      #expect(Array(after.prefix(2 * offset)) == [UInt8](repeating: 0, count: 2 * offset))
      #expect(Array(after.dropFirst(2 * offset)) == before)
    } else {
      #expect(after == Array(before.dropFirst(-2 * offset)))
    }
  }

  @Test func aShiftIsATime() throws {
    try directory.write(WaveBytes.file([1]), "a.wav")
    let run = try directory.pipeline("rawaudio convert a.wav --shift late -o b.wav")
    #expect(run.ending == .exit(64))
    #expect(run.standardError.hasPrefix("Error: The value 'late' is invalid for '--shift <time>'"))
  }
}
