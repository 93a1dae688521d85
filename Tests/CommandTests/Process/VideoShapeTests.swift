// SPDX-License-Identifier: Apache-2.0
import Testing

/// Videos as phones, cameras, recorders, broadcasts and players make them: a new sound in them, and their sound in FLAC,
/// lose nothing.
@Suite struct VideoShapeTests {
  /// Names, options of ffmpeg, and the new video's name.
  @Test(arguments: [
    (
      "phone.mp4",
      "-c:v mpeg4 -c:a aac -metadata:s:a:0 language=deu -metadata creation_time=2024-05-06T07:08:09Z",
      "new.mp4"
    ),
    ("camera.mov", "-c:v mpeg4 -c:a pcm_s16le -timecode 01:00:00:00", "new.mov"),
    (
      "disc.mkv",
      "-i t.srt -map 0 -map 1 -map 2 -map 3 -c:v mpeg4 -c:a flac -c:s srt -attach t.srt -metadata:s:t mimetype=text/plain",
      "new.mkv"
    ),
    ("web.webm", "-c:v libvpx -c:a libopus", "new.webm"),
    ("parts.mp4", "-c:v mpeg4 -c:a aac -movflags frag_keyframe+empty_moov", "new.mp4"),
    (
      "game.mkv", "-map 0 -map 1 -map 2 -c:v mpeg4 -c:a aac -metadata:s:a:1 title=Voice", "new.mkv"
    ),
    ("tv.ts", "-c:v mpeg2video -c:a ac3 -metadata:s:a:0 language=deu", "new.mkv"),
    ("old.avi", "-c:v mpeg4 -bf 2 -c:a mp2", "new.mkv"),
    ("live.flv", "-c:v flv1 -c:a aac", "new.mkv"),
    ("mobile.3gp", "-c:v h263 -s 176x144 -c:a aac", "new.mov"),
    ("windows.wmv", "-c:v wmv2 -c:a wmav2", "new.mkv"),
    ("dvd.mpg", "-c:v mpeg2video -c:a mp2", "new.mkv"),
  ])
  func nothingIsLost(_ name: String, _ options: String, _ output: String) throws {
    let directory = TemporaryDirectory()
    try directory.write(Array("1\n00:00:00,100 --> 00:00:00,900\nHello\n".utf8), "t.srt")
    let noise = "-f lavfi -i anoisesrc=d=2:r=48000:a=0.1:seed="
    let run = try directory.pipeline(
      """
      ffmpeg -nostdin -v error -f lavfi -i testsrc=d=2:s=64x48:r=25 \(noise)1 \(noise)2 \(options) -metadata title=T \(name) &&
        rawaudio convert -q \(name) --gain -1 -o \(output) --fail-on metadata &&
        rawaudio convert -q \(name) -o s.flac --fail-on metadata &&
        ffprobe -v error -show_entries stream=codec_type -of csv=p=0 \(output) | sort -u | grep audio
      """)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    #expect(run.standardError == "")
    #expect(run.outputText == "audio\n")
  }
}
