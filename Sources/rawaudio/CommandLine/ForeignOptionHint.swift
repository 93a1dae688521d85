// SPDX-License-Identifier: Apache-2.0
/// Words that users of other programs type, and our equivalents.
///
/// A hint names only options of the command. Of several answers, the first possible one counts.
struct ForeignOptionHint: Sendable {
  var words: [Substring]
  /// The answers by the option in each; `""` if the answer suits every command.
  var answers: KeyValuePairs<String, String>

  private init(_ words: String, _ answers: KeyValuePairs<String, String>) {
    self.words = words.split(separator: " ")
    self.answers = answers
  }
}

extension ForeignOptionHint {
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
    let habit = commands.first { $0.words.contains(word[...]) }
    return habit?.answers.first { names.contains($0.value) }?.value
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
    for word: String, in habits: [ForeignOptionHint], _ declarations: [Declaration]
  ) -> String? {
    habits.first { $0.words.contains(word[...]) }?.answers.first { option, _ in
      option.isEmpty || declarations.contains { !$0.isArgument && $0.name == option }
    }?.value
  }
}

extension ForeignOptionHint {
  /// Options of ffmpeg, sox, arecord and similar programs.
  private static let options = [
    ForeignOptionHint("-ss", ["start": "the start is --start TIME"]),
    ForeignOptionHint(
      "-to", ["end": "the end is --end TIME", "duration": "the duration is --duration TIME"]),
    ForeignOptionHint("-sseof", ["start": "the start is --start TIME"]),
    ForeignOptionHint("-ar --sample-rate --samplerate", ["rate": "the rate is --rate HERTZ"]),
    ForeignOptionHint("-ac", ["channels": "the channels are --channels COUNT"]),
    ForeignOptionHint("--mono -mono", ["channels": "that is --channels mono"]),
    ForeignOptionHint("--stereo -stereo", ["channels": "that is --channels stereo"]),
    ForeignOptionHint(
      "-i --in --input",
      [
        "remote": "a source is --local SOURCE or --remote SOURCE",
        "device": "a device is --device NAME, and a file stands by itself",
        "": "an input stands by itself, as in 'rawaudio convert in.mp3 -o out.wav'",
      ]),
    ForeignOptionHint("-y --overwrite -overwrite", ["force": "to replace a file is --force"]),
    ForeignOptionHint("-n", ["existing": "to keep existing files is --existing skip"]),
    ForeignOptionHint(
      "-b -e --bits --encoding -sample_fmt -acodec -codec -codec:a -c:a",
      ["format": "the encoding is --format, for example -f s16 or -f mp3"]),
    ForeignOptionHint(
      "-ab -b:a", ["bitrate": "the bit rate is --bitrate", "quality": "that is --quality"]),
    ForeignOptionHint("-aq -q:a -V0 -V2", ["quality": "the quality of an encoder is --quality"]),
    ForeignOptionHint(
      "-C -compression_level",
      ["compression": "that is --compression", "quality": "that is --quality"]),
    ForeignOptionHint("-vn -sn -dn", ["": "only sound is read; leave it out"]),
    ForeignOptionHint("-metadata --comment", ["tag": "a tag is --tag KEY=VALUE"]),
    ForeignOptionHint("-map_metadata", ["tags-from": "to copy tags is --tags-from FILE"]),
    ForeignOptionHint(
      "-af -filter:a -filter_complex -lavfi",
      [
        "observe":
          "to change the audio on its way is --observe, also through ffmpeg: --observe 'record:exec=COMMAND'"
      ]),
    ForeignOptionHint("-vol --vol --volume", ["gain": "the level is changed by --gain DB"]),
    ForeignOptionHint("--norm", ["normalize": "that is --normalize DB"]),
    ForeignOptionHint("--fade", ["fade-in": "that is --fade-in TIME and --fade-out TIME"]),
    ForeignOptionHint(
      "--trim", ["start": "to cut is --start TIME and --duration TIME"]),
    ForeignOptionHint(
      "-hide_banner -nostdin -stats -nostats -loglevel",
      ["quiet": "leave it out; --quiet prints errors only"]),
    ForeignOptionHint("-V", ["verbose": "to be told more is --verbose"]),
    ForeignOptionHint("-S", ["": "leave it out; a terminal shows how far it is"]),
    ForeignOptionHint("-m -M", ["": "to sum sources is 'rawaudio mix'"]),
    ForeignOptionHint(
      "-l -L --list-devices --list-pcms", ["": "devices are listed by 'rawaudio devices'"]),
    ForeignOptionHint(
      "-B --buffer-time", ["buffer-size": "that is --buffer-size, for example 100ms"]),
    ForeignOptionHint(
      "-F --period-time", ["period-size": "that is --period-size, for example 10ms"]),
    ForeignOptionHint(
      "--max-file-time --use-strftime",
      ["split": "parts are made by --split TIME, with a pattern as name"]),
  ]

  /// Words after the files in sox.
  private static let effects = [
    ForeignOptionHint("trim", ["start": "say --start TIME and --duration TIME"]),
    ForeignOptionHint("rate", ["rate": "say --rate HERTZ"]),
    ForeignOptionHint(
      "remix channels",
      ["channel-map": "say --channel-map", "channels": "say --channels COUNT"]),
    ForeignOptionHint("swap", ["channel-map": "say --channel-map 2,1"]),
    ForeignOptionHint("gain vol", ["gain": "say --gain DB"]),
    ForeignOptionHint("norm", ["normalize": "say --normalize DB"]),
    ForeignOptionHint("fade", ["fade-in": "say --fade-in TIME and --fade-out TIME"]),
    ForeignOptionHint("pad", ["pad": "say --pad TIME"]),
    ForeignOptionHint(
      "silence vad",
      ["trim-silence": "say --trim-silence LEVEL", "threshold": "say --threshold DB"]),
    ForeignOptionHint("dither", ["dither": "say --dither tpdf"]),
    ForeignOptionHint("reverse", ["reverse": "say --reverse"]),
    ForeignOptionHint(
      "highpass",
      ["highpass": "say --highpass HZ", "observe": "say --observe POSITION:highpass=HZ"]),
    ForeignOptionHint(
      "lowpass", ["lowpass": "say --lowpass HZ", "observe": "say --observe POSITION:lowpass=HZ"]),
    ForeignOptionHint(
      "equalizer bass treble bandpass bandreject",
      ["eq": "say --eq, for example --eq lowshelf=100,gain=6"]),
    ForeignOptionHint("spectrogram", ["": "say 'rawaudio plot'"]),
    ForeignOptionHint("stat stats", ["observe": "say --observe record:meter"]),
    ForeignOptionHint(
      "tempo speed stretch repeat bend echo echos chorus delay",
      [
        "output":
          "another program does that, in a pipe: rawaudio convert IN -o - | sox -t wav - -t wav - EFFECT | rawaudio"
          + " convert - -o OUT"
      ]),
    ForeignOptionHint(
      "pitch reverb compand mcompand overdrive phaser flanger tremolo noisered",
      ["observe": "another program does that, in --observe 'record:exec=COMMAND'"]),
  ]

  private static let commands = [
    ForeignOptionHint("record rec arecord", ["": "capture"]),
    ForeignOptionHint("aplay", ["": "play"]),
    ForeignOptionHint("cat join append concatenate splice", ["": "concat"]),
    ForeignOptionHint("merge sum amix", ["": "mix"]),
    ForeignOptionHint(
      "sox ffmpeg transcode encode decode resample rate trim remix gain norm cut", ["": "convert"]),
    ForeignOptionHint("probe ffprobe soxi mediainfo", ["": "info"]),
    ForeignOptionHint("list ls cards", ["": "devices"]),
  ]
}
