// SPDX-License-Identifier: Apache-2.0
/// Words that users of other programs type, and our equivalents.
///
/// A hint names only options of the command. Of several answers, the first possible one counts.
struct BroughtHabit: Sendable {
  struct Answer: Sendable {
    /// The option in the answer. Nil if the answer suits every command.
    var option: String?
    var text: String
  }

  var words: [String]
  var answers: [Answer]

  /// - Parameter answers: the answers by the option each needs; `""` for none.
  private init(_ words: String, _ answers: KeyValuePairs<String, String>) {
    self.words = words.split(separator: " ").map(String.init)
    self.answers = answers.map { Answer(option: $0.key.isEmpty ? nil : $0.key, text: $0.value) }
  }
}

extension BroughtHabit {
  /// The hint for another program's option, with its dashes. Nil if there is none.
  static func hint(forOption word: String, among declarations: [Declaration]) -> String? {
    hint(for: word, in: options, declarations)
  }

  /// The hint for a sox effect among the files. Nil if `word` is no effect.
  static func hint(forEffect word: String, among declarations: [Declaration]) -> String? {
    hint(for: word, in: effects, declarations).map { "'\(word)' is an effect of sox: \($0)" }
  }

  /// Our name for another program's subcommand or word. Nil if there is none.
  static func command(for word: String, among names: [String]) -> String? {
    commands.first { $0.words.contains(word) }?.answers.first { names.contains($0.text) }?.text
  }

  /// The hint for files without a subcommand, as in sox. Nil if `word` is unlikely to be a file.
  ///
  /// - Parameter isNear: whether it resembles a subcommand.
  static func hint(
    forFile word: String, followedBy rest: ArraySlice<String>, isNear: Bool
  ) -> String? {
    let looksLikeFile = word.contains { "./".contains($0) }
    let others = rest.filter { !$0.hasPrefix("-") }
    if others.count == 1, let output = others.first, looksLikeFile || !isNear {
      return "; to convert a file, say 'rawaudio convert \(word) -o \(output)'"
    }
    guard looksLikeFile else { return nil }
    return
      "; to play a file, say 'rawaudio play \(word)', to convert it 'rawaudio convert \(word) -o OUT'"
  }

  private static func hint(
    for word: String, in habits: [BroughtHabit], _ declarations: [Declaration]
  ) -> String? {
    habits.first { $0.words.contains(word) }?.answers.first { answer in
      answer.option == nil || declarations.contains { !$0.isArgument && $0.name == answer.option }
    }?.text
  }
}

extension BroughtHabit {
  /// Options of ffmpeg, sox, arecord and similar programs.
  private static let options = [
    BroughtHabit("-ss", ["start": "where to begin is --start TIME"]),
    BroughtHabit(
      "-to", ["end": "where to end is --end TIME", "duration": "how long is --duration TIME"]),
    BroughtHabit("-sseof", ["start": "where to begin is --start TIME"]),
    BroughtHabit("-ar --sample-rate --samplerate", ["rate": "the rate is --rate HERTZ"]),
    BroughtHabit("-ac", ["channels": "the channels are --channels COUNT"]),
    BroughtHabit("--mono -mono", ["channels": "that is --channels mono"]),
    BroughtHabit("--stereo -stereo", ["channels": "that is --channels stereo"]),
    BroughtHabit(
      "-i --in --input",
      [
        "remote": "a source is --local SOURCE or --remote SOURCE",
        "device": "a device is --device NAME, and a file stands by itself",
        "": "an input stands by itself, as in 'rawaudio convert in.mp3 -o out.wav'",
      ]),
    BroughtHabit("-y --overwrite -overwrite", ["force": "to replace a file is --force"]),
    BroughtHabit("-n", ["existing": "to keep what is there already is --existing skip"]),
    BroughtHabit(
      "-b -e --bits --encoding -sample_fmt -acodec -codec -codec:a -c:a",
      ["format": "the encoding is --format, for example -f s16 or -f mp3"]),
    BroughtHabit(
      "-ab -b:a", ["bitrate": "the bit rate is --bitrate", "quality": "that is --quality"]),
    BroughtHabit("-aq -q:a -V0 -V2", ["quality": "the quality of an encoder is --quality"]),
    BroughtHabit(
      "-C -compression_level",
      ["compression": "that is --compression", "quality": "that is --quality"]),
    BroughtHabit("-vn -sn -dn", ["": "only sound is read; leave it out"]),
    BroughtHabit("-metadata --comment", ["tag": "a tag is --tag KEY=VALUE"]),
    BroughtHabit("-map_metadata", ["tags-from": "to copy tags is --tags-from FILE"]),
    BroughtHabit(
      "-af -filter:a -filter_complex -lavfi",
      [
        "observe":
          "what changes the audio on its way is --observe, also through ffmpeg: --observe 'record:exec=COMMAND'"
      ]),
    BroughtHabit("-vol --vol --volume", ["gain": "the level is changed by --gain DB"]),
    BroughtHabit("--norm", ["normalize": "that is --normalize DB"]),
    BroughtHabit("--fade", ["fade-in": "that is --fade-in TIME and --fade-out TIME"]),
    BroughtHabit(
      "--trim", ["start": "to cut is --start TIME and --duration TIME"]),
    BroughtHabit(
      "-hide_banner -nostdin -stats -nostats -loglevel",
      ["quiet": "leave it out; --quiet prints errors only"]),
    BroughtHabit("-V", ["verbose": "to be told more is --verbose"]),
    BroughtHabit("-S", ["": "leave it out; a terminal shows how far it is"]),
    BroughtHabit("-m -M", ["": "to sum sources is 'rawaudio mix'"]),
    BroughtHabit(
      "-l -L --list-devices --list-pcms", ["": "devices are listed by 'rawaudio devices'"]),
    BroughtHabit("-B --buffer-time", ["buffer-size": "that is --buffer-size, for example 100ms"]),
    BroughtHabit("-F --period-time", ["period-size": "that is --period-size, for example 10ms"]),
    BroughtHabit(
      "--max-file-time --use-strftime",
      ["split": "parts are made by --split TIME, with a pattern as name"]),
  ]

  /// Words after the files in sox.
  private static let effects = [
    BroughtHabit("trim", ["start": "say --start TIME and --duration TIME"]),
    BroughtHabit("rate", ["rate": "say --rate HERTZ"]),
    BroughtHabit(
      "remix channels",
      ["channel-map": "say --channel-map", "channels": "say --channels COUNT"]),
    BroughtHabit("gain vol", ["gain": "say --gain DB"]),
    BroughtHabit("norm", ["normalize": "say --normalize DB"]),
    BroughtHabit("fade", ["fade-in": "say --fade-in TIME and --fade-out TIME"]),
    BroughtHabit("pad", ["pad": "say --pad TIME"]),
    BroughtHabit(
      "silence vad",
      ["trim-silence": "say --trim-silence LEVEL", "threshold": "say --threshold DB"]),
    BroughtHabit("dither", ["dither": "say --dither tpdf"]),
    BroughtHabit("stat stats", ["observe": "say --observe record:meter"]),
    BroughtHabit(
      "tempo speed stretch repeat echo echos chorus delay",
      [
        "output":
          "another program does that, in a pipe: rawaudio convert IN -o - | sox -t wav - -t wav - EFFECT | rawaudio"
          + " convert - -o OUT"
      ]),
    BroughtHabit(
      "pitch reverse reverb highpass lowpass bass treble equalizer compand",
      ["observe": "another program does that, in --observe 'record:exec=COMMAND'"]),
  ]

  private static let commands = [
    BroughtHabit("record rec arecord", ["": "capture"]),
    BroughtHabit("aplay", ["": "play"]),
    BroughtHabit("cat join append concatenate splice", ["": "concat"]),
    BroughtHabit("merge sum amix", ["": "mix"]),
    BroughtHabit(
      "sox ffmpeg transcode encode decode resample rate trim remix gain norm cut", ["": "convert"]),
    BroughtHabit("probe ffprobe soxi mediainfo", ["": "info"]),
    BroughtHabit("list ls cards", ["": "devices"]),
  ]
}
