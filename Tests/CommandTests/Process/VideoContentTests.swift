// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A video keeps everything beside its replaced sound: ffprobe lists it equally before and after.
@Suite struct VideoContentTests {
  /// Two seconds of pictures with two sounds, subtitles, chapters, titles, languages, flags and texts.
  private func film(_ name: String, _ codecs: String, _ more: String = "") throws
    -> TemporaryDirectory
  {
    let directory = TemporaryDirectory()
    try directory.write(
      Array(
        """
        ;FFMETADATA1
        title=The Film
        artist=A. Director
        comment=made here
        my_own_key=own value
        sort_name=Film, The
        rating=4
        com.apple.quicktime.make=Maker
        com.android.version=13
        com.android.capture.fps=30.0
        creation_time=2024-05-06T07:08:09.000000Z
        [CHAPTER]
        TIMEBASE=1/1000
        START=0
        END=1000
        title=One
        [CHAPTER]
        TIMEBASE=1/1000
        START=1000
        END=2000
        title=Two

        """.utf8), "texts")
    try directory.write(
      Array(
        "1\n00:00:00,100 --> 00:00:00,900\nHello\n\n2\n00:00:01,100 --> 00:00:02,000\nYou\n".utf8),
      "t.srt")
    try directory.write(Array("a font".utf8), "note.txt")
    try directory.mustRun(
      """
      rawaudio convert noise:white,seed=1 -d 2 -r 48000 -c 1 -f s16 --gain -20 -o a.wav &&
        rawaudio convert noise:white,seed=2 -d 2 -r 48000 -c 2 -f s16 --gain -20 -o b.wav &&
        ffmpeg -nostdin -v error -f lavfi -i color=red:s=32x32 -frames:v 1 cover.png &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=2:s=64x48 -i a.wav -i b.wav -i t.srt -i texts -i cover.png \
          -map 0 -map 1 -map 2 -map 3 -map_metadata 4 -map_chapters 4 \(codecs) \
          -metadata:s:v:0 language=eng -metadata:s:v:0 title=Pictures \
          -metadata:s:a:0 language=ger -metadata:s:a:0 title=Deutsch \
          -metadata:s:a:1 language=eng -metadata:s:a:1 title=English -metadata:s:a:1 stream_key=x \
          -metadata:s:s:0 language=spa -metadata:s:s:0 title=Texto -disposition:v:0 default \
          -disposition:a:0 default+original -disposition:a:1 comment -disposition:s:0 forced \
          \(more) -fflags +bitexact \(name)
      """)
    return directory
  }

  /// Fields that differ, by the end of their path, and the reason.
  private static let differing = [
    "format.filename": "the other file",
    "size": "of the other file", "bit_rate": "of the other sound",
    "format.duration": "the new sound may end some samples later",
    "tags.encoder": "the program that wrote the file", "tags.ENCODER": "likewise",
    "tags.DURATION": "Matroska's, in milliseconds that are cut or rounded",
    "streams[1].duration": "of the new sound", "streams[1].duration_ts": "of the new sound",
    "streams[1].nb_frames": "of the new sound", "streams[1].extradata_size": "of the new sound",
    "streams[3].duration": "Matroska states none for subtitles: the file's",
    "streams[3].duration_ts": "Matroska states none for subtitles: the file's",
    "streams[3].extradata_size":
      "ffmpeg adds a box with the rate of bits to that of MP4's subtitles",
    "streams[4].duration": "an attachment's is the file's",
    "streams[4].duration_ts": "an attachment's is the file's",
    "streams[5].duration": "a cover's is the file's",
    "streams[5].duration_ts": "a cover's is the file's",
  ]

  private func listing(_ name: String, in directory: TemporaryDirectory) throws -> [String: String]
  {
    let run = try directory.pipeline(
      "ffprobe -v error -show_format -show_streams -show_chapters -of json \(name)")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let json = try JSONSerialization.jsonObject(with: Data(run.outputText.utf8))
    var fields: [String: String] = [:]
    func visit(_ value: Any, _ path: String) {
      if let members = value as? [String: Any] {
        for (name, value) in members { visit(value, path.isEmpty ? name : "\(path).\(name)") }
      } else if let elements = value as? [Any] {
        for (index, element) in elements.enumerated() { visit(element, "\(path)[\(index)]") }
      } else if !Self.differing.keys.contains(where: {
        path == $0 || path.hasSuffix(".\($0)") || path.hasPrefix($0)
      }) {
        fields[path] = "\(value)"
      }
    }
    visit(json, "")
    return fields
  }

  @Test(arguments: [
    (
      "f.mkv", "-c:v mpeg4 -c:a flac -c:s srt",
      "-attach note.txt -metadata:s:t:0 mimetype=text/plain -metadata:s:t:0 filename=note.txt"
        + " -attach cover.png -metadata:s:t:1 mimetype=image/png -metadata:s:t:1 filename=front.png"
    ),
    ("f.webm", "-c:v libvpx -c:a:0 libopus -c:a:1 libvorbis -c:s webvtt", ""),
    ("f.mp4", "-c:v mpeg4 -c:a aac -c:s mov_text", "-movflags use_metadata_tags"),
    (
      "f.mp4",
      "-map 5 -c:v mpeg4 -c:v:1 copy -disposition:v:1 attached_pic -c:a aac -c:s mov_text",
      "-metadata:s:v:1 title=Cover"
    ),
    ("f.mov", "-c:v mpeg4 -c:a pcm_s16le -c:s mov_text", "-movflags use_metadata_tags"),
  ])
  func nothingBesideTheSoundChanges(
    _ name: String, _ codecs: String, _ more: String
  ) throws {
    let directory = try film(name, codecs, more)
    let run = try directory.run("convert", "-q", name, "--gain", "-6", "-o", "out-" + name)
    #expect(run.ending == .exit(0))
    #expect(run.standardError == "")
    let (before, after) = try (
      listing(name, in: directory), listing("out-" + name, in: directory)
    )
    #expect(before.count > 150)
    for path in Set(before.keys).union(after.keys).sorted() {
      #expect(before[path] == after[path], "\(path)")
    }
  }

  /// The track of a time code under another name stands for a phone's timed metadata.
  @Test(arguments: ["mebx", "mett"])
  func aStreamThatFfmpegCannotWriteIsNamed(_ kind: String) throws {
    let directory = try film(
      "f.mov", "-c:v mpeg4 -c:a pcm_s16le -c:s mov_text", "-timecode 01:00:00:00")
    var bytes = try directory.bytes("f.mov")
    // The description of the samples, and the handler, which stands 4 bytes behind its version.
    func replace(_ old: String, _ new: String) {
      let (old, new) = (Array(old.utf8), Array(new.utf8))
      for start in bytes.indices.dropLast(old.count)
      where bytes[start..<start + old.count].elementsEqual(old) {
        bytes.replaceSubrange(start..<start + old.count, with: new)
      }
    }
    replace("tmcd\0\0\0\0\0\0\0\u{1}", "\(kind)\0\0\0\0\0\0\0\u{1}")
    replace("mhlrtmcd", "mhlrmeta")
    try directory.write(bytes, "g.mov")
    let run = try directory.run("convert", "g.mov", "--gain", "-6", "-o", "out.mov")
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError == """
        rawaudio: 'g.mov' is decoded by ffmpeg (pcm_s16le, the first of 2 streams of sound in it)
        rawaudio: 'out.mov' does not carry stream 5 (data, \(kind)) (ffmpeg does not write it into mov)

        """)
    let strict = try directory.run(
      "convert", "-q", "g.mov", "--gain", "-6", "--fail-on", "metadata", "-o", "strict.mov")
    #expect(strict.ending == .exit(2))
    let probe = try directory.pipeline(
      "ffprobe -v error -show_entries stream=codec_type -of csv=p=0 out.mov")
    #expect(probe.outputText == "video\naudio\naudio\nsubtitle\ndata\n")
  }

  /// Each loss on the way into another container is in the note.
  @Test func anotherContainerNamesItsLosses() throws {
    let directory = try film(
      "f.mkv", "-c:v mpeg4 -c:a flac -c:s srt",
      "-attach note.txt -metadata:s:t mimetype=text/plain -metadata:s:t filename=note.txt")
    let run = try directory.run("convert", "f.mkv", "--gain", "-6", "-o", "out.mp4")
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError == """
        rawaudio: 'f.mkv' is decoded by ffmpeg (flac, the first of 2 streams of sound in it)
        rawaudio: the subtitles of 'out.mp4' are mov_text now, and were subrip
        rawaudio: the sound of 'out.mp4' is aac now, and was flac
        rawaudio: 'out.mp4' does not carry stream 4 (attachment, note.txt), tag title of stream 0, tag title of \
        stream 1, flag original of stream 1, tags title, STREAM_KEY of stream 2, tag title of stream 3 (ffmpeg does not \
        write it into mp4)

        """)
    let texts = try directory.pipeline(
      "ffprobe -v error -show_entries format_tags=MY_OWN_KEY,COM.ANDROID.VERSION,title -of csv=p=0 out.mp4"
    )
    #expect(texts.outputText == "The Film,own value,13\n")
  }

  /// A number among the keys of a phone's film stays a number.
  @Test func typedValuesKeepTheirTypes() throws {
    let directory = try film(
      "f.mp4", "-c:v mpeg4 -c:a aac -c:s mov_text", "-movflags use_metadata_tags")
    var bytes = try directory.bytes("f.mp4")
    // Type 23 is a floating-point number of four bytes.
    let text = Array("data\0\0\0\u{1}\0\0\0\030.0".utf8)
    let number = Array("data\0\0\0\u{17}\0\0\0\0".utf8) + [0x41, 0xF0, 0, 0]
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: text) })
    bytes.replaceSubrange(place..<place + number.count, with: number)
    try directory.write(bytes, "g.mp4")
    let run = try directory.pipeline(
      """
      rawaudio convert -q g.mp4 --gain -6 -o out.mp4 &&
        for film in g.mp4 out.mp4; do
          ffprobe -v error -show_entries format_tags=com.android.capture.fps -of csv=p=0 $film || exit 1
        done
      """)
    #expect(run.outputText == "30.000000\n30.000000\n", "\(run.standardError)")
    let written = try directory.bytes("out.mp4")
    #expect(written.indices.contains { written[$0...].starts(with: number) })
  }

  /// A file with `box` at the end of the box at `path`, whose boxes hold others behind `heads` bytes.
  private func inserting(
    _ box: [UInt8], into bytes: ArraySlice<UInt8>, at path: [(name: String, head: Int)]
  ) -> [UInt8] {
    guard let next = path.first else { return Array(bytes) + box }
    var (result, position) = ([UInt8](), bytes.startIndex)
    while position + 8 <= bytes.endIndex {
      let size = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let name = bytes[position + 4..<position + 8]
      var content = Array(bytes[position + 8..<position + size])
      if name.elementsEqual(next.name.utf8) {
        content =
          content[..<next.head]
          + inserting(box, into: content[next.head...], at: Array(path.dropFirst()))
      }
      let whole = UInt32(content.count + 8)
      result += (0..<4).map { UInt8(truncatingIfNeeded: whole >> (24 - 8 * $0)) } + name + content
      position += size
    }
    return result
  }

  /// Profile 8, level 1, compatible with HDR10. Source: Dolby Vision Streams Within the ISO Base Media File Format, 3.2.
  private static let dolbyVision: [UInt8] =
    [0, 0, 0, 32] + Array("dvvC".utf8) + [1, 0, 0x10, 0x0D, 0x10] + Array(repeating: 0, count: 19)

  @Test(arguments: [
    ("out.mp4", "DOVI configuration record\n", ""), ("out.mkv", "DOVI configuration record\n", ""),
    (
      "out.mov", "",
      "rawaudio: 'out.mov' does not carry DOVI configuration record of stream 0 (ffmpeg does not write it into mov)\n"
    ),
  ])
  func dolbyVisionStaysOrIsNamed(_ name: String, _ record: String, _ note: String) throws {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white -d 0.2 -r 48000 -c 1 -f s16 -o a.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=0.2:s=64x64 -i a.wav -c:v libx265 -x265-params log-level=none \
          -tag:v hvc1 -c:a alac f.mp4
      """)
    let path = [
      ("moov", 0), ("trak", 0), ("mdia", 0), ("minf", 0), ("stbl", 0), ("stsd", 8), ("hvc1", 78),
    ]
    try directory.write(
      inserting(Self.dolbyVision, into: directory.bytes("f.mp4")[...], at: path), "g.mp4")
    let run = try directory.run("convert", "g.mp4", "--invert", "-o", name)
    #expect(run.ending == .exit(0))
    #expect(run.standardError == "rawaudio: 'g.mp4' is decoded by ffmpeg (alac)\n" + note)
    let probe = try directory.pipeline(
      "ffprobe -v error -select_streams v -show_entries stream_side_data=side_data_type -of default=nk=1:nw=1 \(name)"
    )
    #expect(probe.outputText == record)
  }
}
