// SPDX-License-Identifier: Apache-2.0
/// Words that users of other programs type, and our equivalents.
///
/// A hint names only options of the command. Of several answers, the first possible one counts.
struct ForeignOptionHint: Sendable {
  var words: [Substring]
  /// The answers by the option in each; `""` if the answer suits every command.
  var answers: KeyValuePairs<String, String>

  // The compiler would repeat it in each row of the tables, and then needs as long for them as for a thousand other lines.
  @inline(never)
  init(_ words: String, _ answers: KeyValuePairs<String, String>) {
    self.words = words.split(separator: " ")
    self.answers = answers
  }
}

extension ForeignOptionHint {
  /// The rest of a message about an unknown option: another program's option in our words, else an option of nearly this
  /// name. Empty if there is neither.
  ///
  /// - Parameters:
  ///   - name: the option without dashes.
  ///   - word: what may be the mistyped name of an option. Nil for `name`.
  ///   - dashes: in front of the suggested option.
  static func suggestion(
    forOption name: String, near word: String? = nil, among declarations: [Declaration],
    dashes: String = "--"
  ) -> String {
    if let hint = hint(forOption: name, among: declarations) { return "; \(hint)" }
    // A foreign word that the command has no equivalent for means no option of similar letters.
    if options.contains(where: { $0.words.contains(name[...]) }) { return "" }
    let names = declarations.filter { !$0.isArgument }.map(\.name)
    return nearest(to: word ?? name, among: names).map { ". Did you mean '\(dashes)\($0)'?" } ?? ""
  }

  /// The hint for another program's option, without dashes. Nil if there is none.
  static func hint(forOption name: String, among declarations: [Declaration]) -> String? {
    hint(for: name, in: options, declarations)
  }

  /// The hint for a sox effect among the files. Nil if `word` is no effect.
  static func hint(forEffect word: String, among declarations: [Declaration]) -> String? {
    hint(for: word, in: effects, declarations).map { "'\(word)' is an effect of sox: \($0)" }
  }

  private static func hint(
    for word: String, in habits: [ForeignOptionHint], _ declarations: [Declaration]
  ) -> String? {
    habits.first { $0.words.contains(word[...]) }?.answers.first { option, _ in
      option.isEmpty || declarations.contains { !$0.isArgument && $0.name == option }
    }?.value
  }
}

/// The answer for effects that change the length or are no filter.
private let pipe =
  "another program does that, in a pipe: rawaudio convert IN -o - | sox -t wav - -t wav - EFFECT | rawaudio"
  + " convert - -o OUT"

/// The answer for effects that plug-ins have.
private func plugIn(_ word: String) -> KeyValuePairs<String, String> {
  [
    "observe":
      "plug-ins do that: 'rawaudio plugins \(word)' lists them, and --observe POSITION:lv2=PLUGIN uses one"
  ]
}

extension ForeignOptionHint {
  /// Options of ffmpeg, sox, arecord and similar programs, without dashes.
  static let options = [
    ForeignOptionHint("ss", ["start": "the start is --start TIME"]),
    ForeignOptionHint(
      "to", ["end": "the end is --end TIME", "duration": "the duration is --duration TIME"]),
    ForeignOptionHint("sseof", ["start": "the start is --start TIME"]),
    ForeignOptionHint("ar sample-rate samplerate resample", ["rate": "the rate is --rate HERTZ"]),
    ForeignOptionHint("ac", ["channels": "the channels are --channels COUNT"]),
    ForeignOptionHint("mono", ["channels": "that is --channels mono"]),
    ForeignOptionHint("stereo", ["channels": "that is --channels stereo"]),
    ForeignOptionHint(
      "i in input",
      [
        "remote": "a source is --local SOURCE or --remote SOURCE",
        "device": "a device is --device NAME, and a file stands by itself",
        "": "an input stands by itself, as in 'rawaudio convert in.mp3 -o out.wav'",
      ]),
    ForeignOptionHint("y overwrite", ["force": "to replace a file is --force"]),
    ForeignOptionHint("n", ["existing": "to keep existing files is --existing skip"]),
    ForeignOptionHint(
      "b",
      [
        "bitrate":
          "bits of a sample are --format, for example -f s24; a bit rate is --bitrate, for example 128",
        "format": "the encoding is --format, for example -f s24",
      ]),
    ForeignOptionHint(
      "bits bit-depth bitdepth", ["format": "that is --format, for example -f s16 or -f s24"]),
    ForeignOptionHint(
      "c=copy c:a=copy codec=copy codec:a=copy acodec=copy",
      ["copy": "if nothing changes samples, packets are copied, and --copy insists"]),
    ForeignOptionHint(
      "e encoding codec acodec sample_fmt codec:a c:a",
      ["format": "the encoding is --format, for example -f s16 or -f mp3"]),
    ForeignOptionHint(
      "mp3 flac wav ogg opus aac ext extension",
      ["type": "the container follows the output's name, or is --type"]),
    ForeignOptionHint(
      "ab b:a", ["bitrate": "the bit rate is --bitrate", "quality": "that is --quality"]),
    ForeignOptionHint("aq q:a V0 V2", ["quality": "the quality of an encoder is --quality"]),
    ForeignOptionHint(
      "C compression_level",
      ["compression": "that is --compression", "quality": "that is --quality"]),
    ForeignOptionHint("vn sn dn", ["": "only sound is read; leave it out"]),
    ForeignOptionHint(
      "metadata comment add-comment title artist genre year date",
      ["tag": "a tag is --tag KEY=VALUE, for example --tag TITLE=Dawn"]),
    ForeignOptionHint(
      "map", ["track": "a sound track is --track NUMBER, for example --track 2"]),
    ForeignOptionHint("map_metadata", ["tags-from": "to copy tags is --tags-from FILE"]),
    ForeignOptionHint(
      "itsoffset",
      ["shift": "that is --shift TIME", "offset": "that is --offset TIME, once for each source"]),
    ForeignOptionHint(
      "af filter:a filter_complex lavfi",
      [
        "observe":
          "to change the audio on its way is --observe, also through ffmpeg: --observe 'record:exec=COMMAND'"
      ]),
    ForeignOptionHint("vol volume", ["gain": "the level is changed by --gain DB"]),
    ForeignOptionHint("norm", ["normalize": "that is --normalize DB"]),
    ForeignOptionHint(
      "lufs loudnorm ebur128 target-level nt normalization-type",
      [
        "loudness": "that is --loudness LUFS, for example --loudness -16 --limit -1",
        "expect": "loudness is always measured; a limit is --expect 'loudness<=-16'",
      ]),
    ForeignOptionHint(
      "tp",
      ["true-peak": "that is --true-peak DBTP", "expect": "a limit is --expect 'true-peak<=-1'"]),
    ForeignOptionHint(
      "lra lrt loudness-range-target",
      [
        "loudness": "--loudness applies one gain, which keeps the loudness range",
        "expect": "a limit is --expect 'loudness-range<=7'",
      ]),
    ForeignOptionHint("fade", ["fade-in": "that is --fade-in TIME and --fade-out TIME"]),
    ForeignOptionHint(
      "trim cut crop",
      [
        "end": "to cut is --start TIME and --end TIME",
        "start": "to cut is --start TIME and --duration TIME",
      ]),
    ForeignOptionHint(
      "vad silence silenceremove",
      [
        "trim-silence":
          "silence at both ends is left out by --trim-silence DB, and elsewhere by --threshold DB",
        "threshold": "to leave out silence is --threshold DB",
      ]),
    ForeignOptionHint(
      "bass treble equalizer", ["eq": "that is --eq, for example --eq lowshelf=100,gain=6"]),
    ForeignOptionHint("speed tempo atempo pitch stretch", ["output": pipe]),
    ForeignOptionHint("compressor compand acompressor", plugIn("compressor")),
    ForeignOptionHint("reverb echo", plugIn("reverb")),
    ForeignOptionHint("denoise noise-reduction afftdn arnndn", plugIn("noise")),
    ForeignOptionHint("gate noise-gate agate", plugIn("gate")),
    ForeignOptionHint(
      "hide_banner nostdin stats nostats loglevel",
      ["quiet": "leave it out; --quiet prints errors only"]),
    ForeignOptionHint("V", ["verbose": "to be told more is --verbose"]),
    ForeignOptionHint("S", ["": "leave it out; a terminal shows how far it is"]),
    ForeignOptionHint("m M", ["": "to sum sources is 'rawaudio mix'"]),
    ForeignOptionHint(
      "l L list-devices list-pcms", ["": "devices are listed by 'rawaudio devices'"]),
    ForeignOptionHint(
      "B buffer-time", ["buffer-size": "that is --buffer-size, for example 100ms"]),
    ForeignOptionHint(
      "F period-time", ["period-size": "that is --period-size, for example 10ms"]),
    ForeignOptionHint(
      "max-file-time use-strftime",
      ["split": "parts are made by --split TIME, with a pattern as name"]),
  ]

  /// Words after the files in sox.
  private static let effects = [
    ForeignOptionHint("trim", ["start": "say --start TIME and --duration TIME"]),
    ForeignOptionHint("rate", ["rate": "say --rate HERTZ"]),
    ForeignOptionHint("remix", ["channel-map": "say --channel-map LIST"]),
    ForeignOptionHint("channels", ["channels": "say --channels COUNT"]),
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
    ForeignOptionHint("stat stats", ["": "say 'rawaudio measure'"]),
    ForeignOptionHint(
      "tempo speed stretch repeat bend echo echos chorus delay",
      ["output": pipe]),
    ForeignOptionHint(
      "pitch reverb compand mcompand overdrive phaser flanger tremolo noisered",
      ["observe": "another program does that, in --observe 'record:exec=COMMAND'"]),
  ]
}
