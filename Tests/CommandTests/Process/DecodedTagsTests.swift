// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The texts of files decoded by ffmpeg arrive under the names of Vorbis comments, or are named as lost.
@Suite struct DecodedTagsTests {
  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    var noise = Noise(11)
    try directory.write(
      WaveBytes.file(
        WaveBytes.bytes(noise.samples(16_000, peak: 8_000)), channelCount: 1, sampleRate: 16_000),
      "in.wav")
    return directory
  }

  /// Returns the lines that a shell line prints.
  private func lines(
    _ line: String, in directory: TemporaryDirectory, exit code: Int32 = 0
  ) throws -> [String] {
    let run = try directory.pipeline(line, environment: ["LC_ALL": "C.UTF-8"])
    #expect(run.ending == .exit(code), "\(line): \(run.standardError)")
    return run.outputText.split(separator: "\n").map(String.init).sorted()
  }

  private static let encode = "ffmpeg -nostdin -v error -i in.wav -fflags +bitexact"
  private static let toFlac =
    "-q -o b.flac --fail-on metadata && metaflac --no-utf8-convert --export-tags-to=- b.flac"

  @Test func allTextsOfAnM4A() throws {
    let directory = try directory()
    let texts = [
      "title=T", "artist=A;B", "album_artist=AA", "composer=X", "album=Al", "genre=Jazz",
      "date=2001-05-06", "track=2/3", "disc=1/2", "compilation=1", "grouping=G", "lyrics=L",
      "comment=C", "description=D", "copyright=CC", "creation_time=2008-05-11T18:20:15Z",
    ]
    let options = texts.map { "-metadata '\($0)'" }.joined(separator: " ")
    let tags = try lines(
      "\(Self.encode) \(options) a.m4a && rawaudio convert a.m4a \(Self.toFlac)", in: directory)
    #expect(
      tags == [
        "ALBUM=Al", "ALBUMARTIST=AA", "ARTIST=A;B", "COMMENT=C", "COMPILATION=1", "COMPOSER=X",
        "COPYRIGHT=CC", "CREATION_TIME=2008-05-11T18:20:15.000000Z", "DATE=2001-05-06",
        "DESCRIPTION=D", "DISCNUMBER=1", "DISCTOTAL=2", "GENRE=Jazz", "GROUPING=G", "LYRICS=L",
        "TITLE=T", "TRACKNUMBER=2", "TRACKTOTAL=3",
      ])
    // Lost metadata is named.
    let lost = try directory.pipeline("rawaudio convert a.m4a -o b.au --fail-on metadata")
    #expect(lost.ending == .exit(2))
    #expect(
      lost.standardError.contains(
        "'b.au' does not carry tags CREATION_TIME, TITLE, ARTIST, ALBUMARTIST, COMPOSER, ALBUM and 12 more"
          + " (au has no place for it)\n"), "\(lost.standardError)")
  }

  /// Texts under a program's own names, as Picard writes them; texts about the file's bytes are no loss.
  @Test func textsWithNamesOfTheirOwn() throws {
    let directory = try directory()
    let texts = [
      "MusicBrainz Album Id=a", "MusicBrainz Track Id=t", "MusicBrainz Album Type=album",
      "replaygain_track_gain=-3.00 dB", "Label=L", "publisher=P", "sort_artist=S", "iTunSMPB=0 840",
      "iTunNORM=0",
    ]
    let options = texts.map { "-metadata '\($0)'" }.joined(separator: " ")
    let tags = try lines(
      """
      \(Self.encode) -movflags use_metadata_tags \(options) a.m4a && rawaudio convert a.m4a \(Self.toFlac)
      """, in: directory)
    #expect(
      tags == [
        "ARTISTSORT=S", "LABEL=L", "MUSICBRAINZ_ALBUMID=a", "MUSICBRAINZ_TRACKID=t",
        "ORGANIZATION=P", "RELEASETYPE=album", "REPLAYGAIN_TRACK_GAIN=-3.00 dB",
      ])
    try directory.mustRun(
      """
      \(Self.encode) -movflags use_metadata_tags -metadata iTunSMPB='0 840' t.m4a &&
        \(Self.encode) t.mka && rawaudio convert -q t.m4a -o t.au --fail-on metadata &&
        rawaudio convert -q t.mka -o u.au --fail-on metadata
      """)
  }

  /// Vorbis comments in Ogg, and APE tags, in which several values stay apart.
  @Test func tagsThatAreReadHere() throws {
    let directory = try directory()
    let flac = try lines(
      """
      flac --totally-silent --ogg in.wav -o a.oga -T TITLE=Übung -T artist=Ann -T ARTIST=Ben \
        -T DESCRIPTION=d -T TRACKNUMBER=5 && rawaudio convert --decoder ffmpeg a.oga \(Self.toFlac)
      """, in: directory)
    #expect(
      flac == ["ARTIST=Ann", "ARTIST=Ben", "DESCRIPTION=d", "TITLE=Übung", "TRACKNUMBER=5"])
    let speex = try lines(
      """
      rm b.flac; \(Self.encode) -c:a libspeex -metadata title=T -metadata artist=A x.spx &&
        rawaudio convert x.spx \(Self.toFlac) | grep -v CHANNEL_MASK
      """, in: directory)
    #expect(speex == ["ARTIST=A", "TITLE=T"])
    _ = try lines("\(Self.encode) -map_metadata -1 -c:a wavpack w.wv", in: directory)
    let items = [
      ("Artist", "Ann\0Ben"), ("Track", "02/10"), ("Replaygain_Track_Gain", "+9.27 dB"),
      ("Album Artist", "Cy"),
    ]
    try directory.write(directory.bytes("w.wv") + ape(items), "tagged.wv")
    let wavPack = try lines(
      "rm b.flac; rawaudio convert tagged.wv \(Self.toFlac)", in: directory)
    #expect(
      wavPack == [
        "ALBUMARTIST=Cy", "ARTIST=Ann", "ARTIST=Ben", "REPLAYGAIN_TRACK_GAIN=+9.27 dB",
        "TRACKNUMBER=02", "TRACKTOTAL=10",
      ])
  }

  private func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func ape(_ items: [(String, String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    for (key, value) in items {
      bytes += number(value.utf8.count)
      bytes += number(0)
      bytes += Array(key.utf8)
      bytes += [0]
      bytes += Array(value.utf8)
    }
    let size = bytes.count + 32
    bytes += Array("APETAGEX".utf8)
    for value in [2_000, size, items.count, 0] { bytes += number(value) }
    return bytes + [UInt8](repeating: 0, count: 8)
  }

  /// With `--decoder`, texts may come from a file that libsndfile does not know.
  @Test func textsFromAnotherFile() throws {
    let directory = try directory()
    let tags = try lines(
      """
      \(Self.encode) -metadata title=T -metadata track=2/3 a.m4a &&
        rawaudio convert in.wav --tags-from a.m4a \(Self.toFlac)
      """, in: directory)
    #expect(tags == ["TITLE=T", "TRACKNUMBER=2", "TRACKTOTAL=3"])
    let forced = try lines(
      """
      rawaudio convert b.flac -q -o c.wav && rm b.flac &&
        rawaudio convert in.wav --decoder ffmpeg --tags-from c.wav --tag MOOD=calm \(Self.toFlac)
      """, in: directory)
    #expect(forced == ["MOOD=calm", "TITLE=T", "TRACKNUMBER=2", "TRACKTOTAL=3"])
    let none = try directory.pipeline(
      "rawaudio convert in.wav --decoder none --tags-from a.m4a -o d.flac")
    none.expectExit(
      1,
      "cannot read 'a.m4a': it is MPEG-4 (m4a, mp4, mov), which libsndfile does not read; "
        + "--decoder ffmpeg decodes it")
    #expect(!FileManager.default.fileExists(atPath: directory.url.appending(path: "d.flac").path))
  }

  /// Its cover is taken, too.
  @Test func aCoverOfAnotherFileIsTaken() throws {
    let directory = try directory()
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -f lavfi -i color=red:s=64x64 -frames:v 1 cover.jpg &&
        \(Self.encode) -i cover.jpg -map 0:a -map 1:v -c:v copy -disposition:v attached_pic -metadata title=T a.m4a &&
        rawaudio convert in.wav --tags-from a.m4a -o b.flac --fail-on metadata &&
        rawaudio info b.flac | grep picture; stat -c %s cover.jpg
      """)
    run.expectExit(0)
    let size = run.outputText.split(separator: "\n").last ?? ""
    #expect(run.outputText == "picture:      image/jpeg, 64 x 64, \(size) bytes\n\(size)\n")
  }
}
