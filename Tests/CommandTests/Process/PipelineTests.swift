// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import rawaudio

/// Command lines as users type them.
@Suite struct PipelineTests {
  /// An ALSA configuration whose default device discards its output and records silence.
  private static let configuration = """
    pcm.default {
      type null
      hint { show on description "Nothing to hear" }
    }

    """

  private func run(_ line: String, in directory: TemporaryDirectory) throws -> ProcessRun {
    try directory.write(Array(Self.configuration.utf8), "asound.conf")
    return try directory.pipeline(
      line, environment: ["ALSA_CONFIG_PATH": directory.file("asound.conf").path])
  }

  @Test func theExamplesOfTheHelpPages() throws {
    let directory = TemporaryDirectory()
    _ = try run("rawaudio convert tone:440 -d 0.1 -o take.wav", in: directory)
    let commands: [any Command.Type] = [
      MixCommand.self, ConvertCommand.self, ConcatCommand.self, PlayCommand.self,
      CaptureCommand.self,
      SessionCommand.self, InfoCommand.self, DevicesCommand.self,
    ]
    for example in commands.flatMap({ $0.examples }) where !example.purpose.contains("Ctrl-C") {
      let quiet = example.commandLine.replacingOccurrences(of: "ffmpeg", with: "ffmpeg -v error -y")
      let run = try run(quiet, in: directory)
      // sox reports that it cannot seek in a pipe.
      let told = run.standardError.split(separator: "\n").filter { !$0.contains("sox WARN") }
      #expect(told == [], "\(example.commandLine)")
      #expect(run.ending == .exit(0), "\(example.commandLine)")
    }
    let made = [
      "chord.wav", "heard.wav", "joined.wav", "me.wav", "meeting.wav", "out.mp3", "quiet",
      "quiet.wav", "speech.raw", "sum.wav", "sweep.flac", "track-music.wav",
      "track-room-anna.wav", "track-room-ben.wav",
    ]
    #expect(Set(directory.names).isSuperset(of: made))
    #expect(try directory.bytes("speech.raw").count == 10 * 16_000 * 2)
    let part = try run("rawaudio info quiet/sweep.wav sum.wav | grep duration", in: directory)
    #expect(
      part.outputText == """
        duration:     0:00:02.500 (120000 samples per channel)
        duration:     0:00:06.500 (312000 samples per channel)

        """)
  }

  /// Each topic of a task has examples that run one after another, on the same material.
  @Test(arguments: ["loudness", "video", "chapters", "effects", "lists"])
  func theExamplesOfTheTopics(_ name: String) throws {
    let directory = TemporaryDirectory()
    try run(
      """
      rawaudio convert noise:pink -d 4 -c 2 --gain -20 -o talk.wav
      rawaudio convert sweep:100-5000 -d 3 --gain -12 -o music.wav
      """, in: directory
    ).expectExit(0)
    if name == "video" {
      try run(
        "ffmpeg -v error -f lavfi -i testsrc=duration=4:size=160x120 -i talk.wav -i music.wav -map 0 -map 1 -map 2"
          + " -c:a aac film.mp4", in: directory
      ).expectExit(0)
    }
    try directory.write(Array("0:00 Intro\n0:01 News\n0:02 The end\n".utf8), "chapters.txt")
    let topic = try #require(RawAudio.program.topics.first { $0.name == name })
    #expect((3...6).contains(topic.examples.count))
    for example in topic.examples {
      let run = try run(example.commandLine, in: directory)
      #expect(run.ending == .exit(0), "\(example.commandLine): \(run.standardError)")
    }
    let made = [
      "loudness": ["album", "podcast.flac", "tagged.flac"],
      "video": [
        "both.wav", "louder.mp4", "scored.mp4", "second.flac", "sound.m4a", "with-music.mp4",
      ],
      "chapters": [
        "01-Intro.flac", "02-News.flac", "03-The end.flac", "both.flac", "news.wav", "talk.m4b",
      ],
      "effects": ["clear.wav", "ends.wav", "episode.wav", "faster.wav", "room.wav"],
      "lists": ["16k", "done.jsonl", "flac"],
    ]
    #expect(try Set(directory.names).isSuperset(of: #require(made[name])))
  }

  @Test func otherProgramsAtTheOtherEnd() throws {
    let directory = TemporaryDirectory()
    var noise = Noise(6)
    let samples = noise.samples(2 * 4_410, peak: 10_000)
    try directory.write(WaveBytes.file(samples, channelCount: 2, sampleRate: 44_100), "in.wav")
    func output(_ line: String) throws -> [Int16] {
      let run = try run(line, in: directory)
      #expect(run.ending == .exit(0), "\(line)")
      return WaveBytes.int16s(run.standardOutput)
    }
    let raw = "-t raw -o -"
    #expect(try output("ffmpeg -v error -i in.wav -f wav - | rawaudio convert - \(raw)") == samples)
    #expect(try output("sox in.wav -t wav - 2>/dev/null | rawaudio mix - \(raw)") == samples)
    #expect(
      try output("rawaudio convert in.wav | ffmpeg -v error -i - -f s16le -") == samples)
    #expect(
      try output("rawaudio mix in.wav | sox --ignore-length -t wav - -t raw - 2>/dev/null")
        == samples)
    #expect(
      try output("rawaudio convert in.wav -t flac -o - | ffmpeg -v error -i - -f s16le -")
        == samples)
  }

  @Test func headEndsQuietly() throws {
    let directory = TemporaryDirectory()
    for type in ["wav", "raw", "au", "flac", "ogg", "mp3"] {
      let run = try run(
        "rawaudio convert noise:white -d 10 -t \(type) -o - | head -c 1000", in: directory)
      #expect(run.standardOutput.count == 1_000)
      run.expectExit(0)
    }
  }

  @Test func namedPipes() throws {
    let directory = TemporaryDirectory()
    let run = try run(
      """
      mkfifo pipe; cat pipe >got.wav & rawaudio convert tone:440 -d 100S -f s16 -o pipe; wait
      rawaudio convert got.wav -t raw | cmp - <(rawaudio convert tone:440 -d 100S -f s16 -t raw)
      rawaudio mix <(rawaudio convert tone:440 -d 100S) <(rawaudio convert silence: -d 90S) -t raw -f s16 | wc -c
      """, in: directory)
    #expect(run.outputText == "200\n")
    #expect(run.standardError == "")
  }
}
