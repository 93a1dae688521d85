// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Files with several streams in a row are read to the end of the last, in the format of the first.
@Suite struct StreamsInARowTests {
  private struct Report: Decodable {
    var samplesPerChannel: Int
    var truncated: Bool
  }

  /// Returns a directory with two files of noise and the two joined byte by byte as `both`.
  private func directory(
    _ name: String, first: String = "-r 48000 -c 2", second: String = "-r 48000 -c 2"
  ) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:pink,seed=1 -d 1.5 \(first) -o a.\(name) &&
        rawaudio convert noise:pink,seed=2 -d 0.7 \(second) -o b.\(name) &&
        cat a.\(name) b.\(name) > both.\(name)
      """)
    return directory
  }

  private func expectLength(
    _ name: String, _ bytes: Int, channels: Int, in directory: TemporaryDirectory
  )
    throws
  {
    let run = try directory.run("info", "--json", name)
    let report = try #require(
      JSONDecoder().decode([Report].self, from: Data(run.standardOutput)).first)
    #expect(report.samplesPerChannel * channels * 4 == bytes)
    #expect(!report.truncated)
  }

  /// The samples equal those of each file alone, from a file and from a pipe.
  @Test(arguments: ["ogg", "opus"])
  func linksOfAnOggFileFollowEachOther(_ name: String) throws {
    let directory = try directory(name)
    let run = try directory.pipeline(
      """
      for i in a b; do rawaudio convert $i.\(name) -t raw -f f32 -o -; done > parts
      rawaudio convert both.\(name) -t raw -f f32 -o whole --fail-on truncated && cmp parts whole &&
        cat both.\(name) | rawaudio convert - -t raw -f f32 -o piped --fail-on truncated && cmp parts piped &&
        cat both.\(name) both.\(name) | rawaudio convert - -t raw -f f32 -o - | cmp - <(cat parts parts)
      """)
    #expect(run.ending == .exit(0), "\(run.outputText)")
    #expect(run.standardError == "")
    try expectLength(
      "both.\(name)", directory.bytes("whole").count, channels: 2, in: directory)
  }

  /// The result equals that of `concat` on the two files.
  @Test(arguments: [
    ("ogg", "-r 44100 -c 2", "-r 48000 -c 1"), ("ogg", "-r 44100 -c 1", "-r 44100 -c 2"),
    ("opus", "-r 48000 -c 1", "-r 24000 -c 2"), ("mp3", "-r 44100 -c 2", "-r 22050 -c 2"),
    ("mp3", "-r 48000 -c 1", "-r 44100 -c 2"), ("mp3", "-r 32000 -c 2", "-r 32000 -c 1"),
  ])
  func anotherFormatIsConverted(_ name: String, _ first: String, _ second: String) throws {
    let directory = try directory(name, first: first, second: second)
    let words = first.split(separator: " ").compactMap { Int($0) }
    let run = try directory.pipeline(
      """
      rawaudio concat a.\(name) b.\(name) \(first) -t raw -f f32 -o parts &&
        rawaudio convert both.\(name) -t raw -f f32 -o whole --fail-on truncated && cmp parts whole &&
        cat both.\(name) | rawaudio convert - -q -t raw -f f32 -o piped --fail-on truncated && cmp parts piped
      """)
    #expect(run.ending == .exit(0), "\(run.outputText)")
    let others = second.split(separator: " ").compactMap { Int($0) }
    let (rate, other) = (words[0], others[0])
    func format(_ rate: Int, _ channels: Int) -> String {
      "\(rate) Hz, \(channels) channel\(channels == 1 ? "" : "s")"
    }
    run.expectMessages(
      "'both.\(name)' holds 2 streams one behind the other; \(format(other, others[1])) converted "
        + "to \(format(rate, words[1]))")
    try expectLength(
      "both.\(name)", directory.bytes("whole").count, channels: words[1], in: directory)
  }

  /// A link without an end does not hide the next one, and is reported.
  @Test(arguments: ["both.ogg", "- < both.ogg", "- < <(cat both.ogg)"])
  func aCutLinkIsTruncated(_ input: String) throws {
    let directory = try directory("ogg")
    let run = try directory.pipeline(
      """
      head -c $(($(stat -c %s a.ogg) * 9 / 10)) a.ogg > cut.ogg
      for i in cut b; do rawaudio convert -q $i.ogg -t raw -f f32 -o -; done > parts
      cat cut.ogg b.ogg > both.ogg
      rawaudio convert \(input) -t raw -f f32 -o whole --fail-on truncated; echo $?
      cmp parts whole
      """)
    #expect(run.outputText == "2\n")
    #expect(run.standardError.contains(" is truncated: it ends within its stream"))
  }

  /// Bytes between two links are no sound.
  @Test func otherBytesMayLieBetween() throws {
    let directory = try directory("ogg")
    let run = try directory.pipeline(
      """
      for i in a b; do rawaudio convert $i.ogg -t raw -f f32 -o -; done > parts
      { cat a.ogg; head -c 70000 /dev/zero; printf OggS; cat b.ogg; } > both.ogg
      rawaudio convert both.ogg -t raw -f f32 -o - | cmp - parts &&
        cat both.ogg | rawaudio convert - -t raw -f f32 -o - | cmp - parts
      """)
    #expect(run.ending == .exit(0), "\(run.outputText) \(run.standardError)")
  }

  /// Frames alternate: each is decoded, in the channels of the first.
  @Test func channelsOfMpegAudioMayTakeTurns() throws {
    let directory = try directory("mp3", first: "-r 44100 -c 1", second: "-r 44100 -c 2")
    let run = try directory.pipeline(
      """
      cat a.mp3 b.mp3 a.mp3 b.mp3 > both.mp3
      rawaudio concat a.mp3 b.mp3 a.mp3 b.mp3 -c 1 -t raw -f f32 -o parts &&
        rawaudio convert -q both.mp3 -t raw -f f32 -o whole && cmp parts whole
      """)
    #expect(run.ending == .exit(0), "\(run.outputText) \(run.standardError)")
    try expectLength("both.mp3", directory.bytes("whole").count, channels: 1, in: directory)
  }

  /// FLAC has one rate: a change is an error, and the samples before it are kept.
  @Test func anotherRateInFlacIsAnError() throws {
    let directory = try directory("flac", first: "-r 32000 -c 1", second: "-r 48000 -c 1")
    let second = try directory.bytes("b.flac")
    var start = 4
    var isLast = false
    while !isLast {
      isLast = second[start] & 0x80 != 0
      start += 4 + second[start + 1..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    var first = try directory.bytes("a.flac")
    // The number of samples is unknown.
    first[21] &= 0xF0
    for index in 22..<26 { first[index] = 0 }
    try directory.write(first + second[start...], "both.flac")
    for input in ["both.flac", "- < <(cat both.flac)"] {
      let run = try directory.pipeline(
        """
        rawaudio convert a.flac -t raw --force -o first
        rawaudio convert \(input) -t raw -o - > whole; echo $?; cmp first whole
        """)
      #expect(run.outputText == "1\n")
      #expect(
        run.standardError.contains(
          ": its sample rate changes from 32000 to 48000 Hz after 48000 samples per channel;"
            + " --decoder ffmpeg decodes it\n"), "\(run.standardError)")
    }
    // The samples before the change are complete under the output's name.
    let kept = try directory.run(["convert", "both.flac", "-o", "kept.flac"])
    #expect(kept.ending == .exit(1))
    try directory.mustRun("rawaudio convert kept.flac -t raw -o - | cmp - first")
    let decoded = try directory.pipeline(
      "rawaudio convert both.flac -q --decoder ffmpeg -t raw -o - | wc -c")
    #expect(Int(decoded.outputText.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0 > 96_000)
  }
}
