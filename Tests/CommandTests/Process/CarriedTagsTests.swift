// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The usual programs for one kind of file find the metadata of files of another kind.
@Suite struct CarriedTagsTests {
  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    var noise = Noise(7)
    try directory.write(
      WaveBytes.file(
        WaveBytes.bytes(noise.samples(2 * 30_870, peak: 8_000)), channelCount: 2,
        sampleRate: 48_000), "in.wav")
    return directory
  }

  private func output(_ line: String, in directory: TemporaryDirectory) throws -> String {
    // The programs use the encoding of their environment for texts.
    let run = try directory.pipeline("set -e; \(line)", environment: ["LC_ALL": "C.UTF-8"])
    #expect(run.ending == .exit(0), "\(line): \(run.standardError)")
    return run.outputText
  }

  /// Each file is made by the program of its kind.
  private static let sources = [
    "flac": """
    flac --totally-silent in.wav -o a.flac && metaflac --set-tag=TITLE=Übung --set-tag=artist=Ann \
      --set-tag=ARTIST=Ben --set-tag=TRACKNUMBER=3 --import-picture-from=p.png a.flac
    """,
    "ogg": """
    oggenc -Q in.wav -o a.ogg -t Übung -a Ann -c artist=Ben -N 3 && vorbiscomment -a a.ogg -t \
      "METADATA_BLOCK_PICTURE=$(base64 -w 0 block)"
    """,
    "opus": """
    opusenc --quiet in.wav a.opus --title Übung --artist Ann --artist Ben --tracknumber 3 \
      --picture p.png
    """,
    "mp3": """
    ffmpeg -v error -i in.wav -i p.png -map 0 -map 1 -c:v copy -metadata title=Übung \
      -metadata artist='Ann;Ben' -metadata track=3 -id3v2_version 4 a.mp3
    """,
  ]

  /// The programs that show a title and check a file, by kind.
  private static let readers = [
    "flac": "flac -ts b.flac && metaflac --list b.flac",
    "ogg": "ogginfo -q b.ogg && vorbiscomment -R -l b.ogg",
    "opus": "opusinfo b.opus",
    // It shows only the first of two artists.
    "mp3": "mpg123 -q -t b.mp3 2>&1 && ffprobe -v error -show_format b.mp3 && head -c 500 b.mp3",
  ]

  @Test(arguments: ["flac", "ogg", "opus", "mp3"], ["flac", "ogg", "opus", "mp3"])
  func theProgramOfEachKindFindsThem(_ from: String, _ to: String) throws {
    let directory = try directory()
    _ = try output(
      "ffmpeg -v error -f lavfi -i color=red:s=16x16:d=0.04 -frames:v 1 p.png", in: directory)
    // A picture block of FLAC: a type, a MIME type, no description, four numbers, the picture.
    _ = try output(
      """
      python3 -c 'import struct
      picture = open("p.png", "rb").read()
      head = struct.pack(">II9sI4I", 3, 9, b"image/png", 0, 16, 16, 24, 0)
      open("block", "wb").write(head + struct.pack(">I", len(picture)) + picture)'
      """, in: directory)
    let source = try #require(Self.sources[from])
    _ = try output(source, in: directory)
    let encoding = to == "flac" ? "-f s16" : ""
    _ = try output("rawaudio convert a.\(from) \(encoding) -o b.\(to)", in: directory)
    let reader = try #require(Self.readers[to])
    let shown = try output(reader, in: directory)
    #expect(shown.contains("Übung"), "\(shown)")
    #expect(shown.contains("Ann"), "\(shown)")
    #expect(shown.contains("Ben"), "\(shown)")
    // Any program finds the picture, and the samples equal those without tags.
    _ = try output(
      """
      ffmpeg -v error -i b.\(to) -map 0:v -c copy -frames:v 1 -update 1 -f image2 found.png
      cmp p.png found.png
      """, in: directory)
    // The packets of its own codec are copied.
    let bare =
      from == to && from != "flac"
      ? "cp a.\(from) bare.\(to)"
      : """
      rawaudio convert a.\(from) -t raw -f f32 -o bare.raw
      rawaudio convert bare.raw --input-type raw --input-rate 48000 --input-channels 2 --input-format f32 \
        \(encoding) -o bare.\(to)
      """
    _ = try output(
      """
      \(bare)
      ffmpeg -v error -i bare.\(to) -map 0:a -f f32le bare.f32
      ffmpeg -v error -i b.\(to) -map 0:a -f f32le b.f32
      cmp bare.f32 b.f32
      """, in: directory)
  }

  /// There is one ID3 tag, before the encoder's first frame.
  @Test func anMP3HasOneTag() throws {
    let directory = try directory()
    _ = try output(
      """
      ffmpeg -v error -i in.wav -metadata title=tune -id3v2_version 3 -write_id3v1 1 a.mp3
      rawaudio convert a.mp3 --quality 5 -o b.mp3
      """, in: directory)
    let bytes = [UInt8](try Data(contentsOf: directory.url.appendingPathComponent("b.mp3")))
    #expect(bytes.starts(with: Array("ID3\u{4}".utf8)))
    let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
    #expect(bytes[10 + size] == 0xFF)
    // The header of a variable bit rate.
    let frame = bytes[(10 + size)...].prefix(200)
    #expect(String(decoding: frame, as: UTF8.self).contains("Xing"))
  }
}
