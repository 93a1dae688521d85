// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Streams that ffmpeg reads, and that are recognised by the frames in a row.
@Suite struct FramedStreamTests {
  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun(
      """
      rawaudio convert noise:white,seed=1 -d 1 -r 44100 -c 2 -f s16 --gain -20 -o in.wav &&
        ffmpeg -nostdin -v error -f lavfi -i testsrc=d=1:s=64x48 -i in.wav -c:v mpeg2video -c:a mp2 f.ts &&
        ffmpeg -nostdin -v error -i f.ts -c copy -f mpegts -mpegts_m2ts_mode 1 f.m2ts && cp f.m2ts f.mts &&
        ffmpeg -nostdin -v error -i in.wav -c:a aac -f hls -hls_time 0.5 -hls_segment_filename piece%d.ts list.m3u8 &&
        ffmpeg -nostdin -v error -i in.wav -c:a sbc f.sbc && cp f.sbc nameless &&
        ffmpeg -nostdin -v error -i in.wav -ac 1 -ar 16000 f.g722 && ffmpeg -nostdin -v error -i in.wav -c:a aptx f.aptx &&
        ffmpeg -nostdin -v error -i in.wav -c:a aptx_hd f.aptxhd && sox in.wav -r 8000 -c 1 "f 'x'.gsm"
      """)
    return directory
  }

  @Test func theyAreReadAsFfmpegReadsThem() throws {
    let directory = try directory()
    for name in ["f.ts", "f.m2ts", "f.mts", "piece0.ts", "piece1.ts", "f.sbc", "nameless"] {
      let format = name == "nameless" ? "-f sbc" : ""
      let run = try directory.pipeline(
        """
        rawaudio convert -q \(name) -t raw -f s16 -o mine --force &&
          ffmpeg -nostdin -v error -y \(format) -i \(name) -map 0:a -f s16le their && cmp mine their &&
          rawaudio convert -q - -t raw -f s16 -o piped --force < \(name) && cat \(name) |
          rawaudio convert -q - -t raw -f s16 -o piped2 --force && cmp piped2 their && rawaudio info -q \(name) >text
        """)
      #expect(run.ending == .exit(0), "\(name): \(run.standardError)")
      #expect(try directory.bytes("mine").count > 10_000)
    }
  }

  /// A file without a header has no kind; the line that reads it does.
  @Test func headerlessFilesNameTheLineThatReadsThem() throws {
    let directory = try directory()
    for (name, rate) in [("f.g722", 16_000), ("f.aptx", 48_000), ("f.aptxhd", 48_000)] {
      let run = try directory.run("convert", name, "-o", "out.wav")
      #expect(run.ending == .exit(1))
      let line = try #require(
        run.standardError.split(separator: " without a header is read with: ").last.map(String.init)
      )
      #expect(line.hasSuffix(" | rawaudio convert - -o out.wav\n"), "\(line)")
      let reading = try directory.pipeline(
        "\(line.dropLast()) && rawaudio info --json out.wav | jq .[0].sampleRate && rm out.wav")
      #expect(reading.outputText == "\(rate)\n", "\(reading.standardError)")
    }
    let run = try directory.run("convert", "f 'x'.gsm", "-o", "out.wav")
    #expect(
      run.standardError
        == "rawaudio: cannot read 'f 'x'.gsm': it is not a sound file that libsndfile knows; GSM 06.10 without a header"
        + " is read with --input-type raw --input-rate 8000 --input-channels 1 --input-format gsm610\n"
    )
    try directory.mustRun(
      """
      mv "f 'x'.gsm" f.gsm && sox f.gsm -t raw their && rawaudio convert f.gsm --input-type raw --input-rate 8000 \
        --input-channels 1 --input-format gsm610 -t raw -o mine && cmp mine their
      """)
  }
}
