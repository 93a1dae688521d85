// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// Options of sox, ffmpeg and arecord are answered with this program's option.
@Suite struct ForeignOptionHintTests {
  private func message(_ line: String) -> String? {
    do throws(RejectedInvocation) {
      _ = try RawAudio.program.parse(
        line.split(separator: " ").map(String.init), in: .pipe, pageWidth: 80)
      return nil
    } catch {
      return error.error.message
    }
  }

  private static let pipe =
    "another program does that, in a pipe: rawaudio convert IN -o - | sox -t wav - -t wav - EFFECT"
    + " | rawaudio convert - -o OUT"

  private static func plugIn(_ word: String) -> String {
    "plug-ins do that: 'rawaudio plugins \(word)' lists them, and --observe POSITION:lv2=PLUGIN uses one"
  }

  @Test(
    arguments: [
      "convert -i a.mp3 b.wav":
        "Unknown option '-i'; an input stands by itself, as in 'rawaudio convert in.mp3 -o out.wav'",
      "convert a.wav -ss 10 -o b.wav": "Unknown option '-ss'; the start is --start TIME",
      "convert a.wav -ar 16000 -o b.wav": "Unknown option '-ar'; the rate is --rate HERTZ",
      "convert a.wav -ac 1 -o b.wav": "Unknown option '-ac'; the channels are --channels COUNT",
      "convert a.wav -b 16 -o b.wav":
        "Unknown option '-b'; bits of a sample are --format, for example -f s24; a bit rate is --bitrate, for example 128",
      "convert a.wav -c:a pcm_s16le -o b.wav":
        "Unknown option '-c:a'; the encoding is --format, for example -f s16 or -f mp3",
      "convert a.wav -vn -o b.wav": "Unknown option '-vn'; only sound is read; leave it out",
      "convert a.wav -y -o b.wav": "Unknown option '-y'; to replace a file is --force",
      "capture -ac 2": "Unknown option '-ac'; the channels are --channels COUNT",
      "capture -l": "Unknown option '-l'; devices are listed by 'rawaudio devices'",
      "capture --buffer-time=500000":
        "Unknown option '--buffer-time'; that is --buffer-size, for example 100ms",
      "session -i a.wav": "Unknown option '-i'; a source is --local SOURCE or --remote SOURCE",
      "info -i a.wav":
        "Unknown option '-i'; an input stands by itself, as in 'rawaudio convert in.mp3 -o out.wav'",
      "convert a.wav -t 30 -o b.wav":
        "The value '30' is invalid for '--type <type>': it is no container; how long is said with --duration 30",
      "convert a.wav -f wav -o b.wav":
        "The value 'wav' is invalid for '--format <encoding>': it is a container, not an encoding; containers are named with --type wav",
      "convert a.wav b.wav":
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; if 'b.wav' is the output, say -o in front of it",
      "convert a.wav -o b.wav trim 0 10":
        "Several sources cannot all go to 'b.wav'; a pattern gives each its own, for example -o 'out/{stem}.wav'; 'trim' is an effect of sox: say --start TIME and --duration TIME",
      "convert a.wav b.wav rate 16k":
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; 'rate' is an effect of sox: say --rate HERTZ",
      "convert a.wav -o b.wav reverb":
        "Several sources cannot all go to 'b.wav'; a pattern gives each its own, for example -o 'out/{stem}.wav'; 'reverb' is an effect of sox: another program does that, in --observe 'record:exec=COMMAND'",
      "convert a.wav gain -3": "Unknown option '-3'; 'gain' is an effect of sox: say --gain DB",
      "convert a.wav vol -3dB": "Unknown option '-3'; 'vol' is an effect of sox: say --gain DB",
      "convert a.wav b.wav norm -1":
        "Unknown option '-1'; 'norm' is an effect of sox: say --normalize DB",
      "convert a.wav b.wav fade 1 -0 2":
        "Unknown option '-0'; 'fade' is an effect of sox: say --fade-in TIME and --fade-out TIME",
      "concat a.wav gain -3": "Unknown option '-3'; 'gain' is an effect of sox: say --gain DB",
      "convert gain.wav -3": "Unknown option '-3'",
      "convert a.wav b.wav reverse":
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; 'reverse' is an effect of sox: say --reverse",
      "convert a.wav b.wav highpass 80":
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; 'highpass' is an effect of sox: say --highpass HZ",
      "convert a.wav b.wav bass +3":
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; 'bass' is an effect of sox: say --eq, for example --eq lowshelf=100,gain=6",
      "convert a.wav b.wav spectrogram":
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; 'spectrogram' is an effect of sox: say 'rawaudio plot'",
      "convert a.wav --fade-curve linear -o b.wav":
        "'--fade-curve <curve>' needs '--fade-in <time>' or '--fade-out <time>'",
      "mix a.wav b.wav --fade-curve linear -o c.wav":
        "'--fade-curve <curve>' needs '--fade-in <time>' or '--fade-out <time>'",
      "concat a.wav b.wav --fade-curve linear -o c.wav":
        "'--fade-curve <curve>' needs '--fade-in <time>', '--fade-out <time>' or '--crossfade <time>'",
      "convert a.wav --utc -o b.wav": "'--utc' needs '--split <point>'",
      "mix a.wav b.wav --utc -o c.wav": "'--utc' needs '--split <point>'",
      "session --local a.wav --publish b.wav --utc": "'--utc' needs '--split <point>'",
      "convert a.wav --pad -1 -o b.wav":
        "The value '-1' is invalid for '--pad <time>': it must not be negative",
      "in.wav out.flac":
        "Unknown subcommand 'in.wav'; to convert a file, say 'rawaudio convert in.wav -o out.flac'",
      "voice out": "Unknown subcommand 'voice'",
      "in.wav":
        "Unknown subcommand 'in.wav'; to play a file, say 'rawaudio play in.wav', to convert it 'rawaudio convert in.wav"
        + " -o OUT'",
      "convert a.wav b.wav tempo 1.5 -o c.wav":
        "Several sources cannot all go to 'c.wav'; a pattern gives each its own, for example -o 'out/{stem}.wav'; 'tempo'"
        + " is an effect of sox: another program does that, in a pipe: rawaudio convert IN -o - | sox -t wav - -t wav -"
        + " EFFECT | rawaudio convert - -o OUT",
      "arecord -d 5": "Unknown subcommand 'arecord'. Did you mean 'capture'?",
      "ffprobe a.wav": "Unknown subcommand 'ffprobe'. Did you mean 'info'?",
      "sox a.wav b.wav": "Unknown subcommand 'sox'. Did you mean 'convert'?",
    ] as [String: String])
  func hints(_ line: String, _ expected: String) {
    #expect(message(line) == expected)
  }

  @Test(
    arguments: [
      "convert a.wav -b16 -o b.wav":
        "Unknown option '-b'; bits of a sample are --format, for example -f s24; a bit rate is --bitrate, for example 128",
      "convert a.wav -e signed -o b.wav":
        "Unknown option '-e'; the encoding is --format, for example -f s16 or -f mp3",
      "convert a.wav --codec aac -o b.wav":
        "Unknown option '--codec'; the encoding is --format, for example -f s16 or -f mp3",
      "convert a.wav --bit-depth 24 -o b.wav":
        "Unknown option '--bit-depth'; that is --format, for example -f s16 or -f s24",
      "convert a.wav --ss 10 -o b.wav": "Unknown option '--ss'; the start is --start TIME",
      "convert a.wav --to 10 -o b.wav": "Unknown option '--to'; the end is --end TIME",
      "convert a.wav --title Dawn -o b.wav":
        "Unknown option '--title'; a tag is --tag KEY=VALUE, for example --tag TITLE=Dawn",
      "convert a.wav --metadata title=Dawn -o b.wav":
        "Unknown option '--metadata'; a tag is --tag KEY=VALUE, for example --tag TITLE=Dawn",
      "mix a.wav b.wav --itsoffset 1 -o c.wav":
        "Unknown option '--itsoffset'; that is --offset TIME, once for each source",
      "convert a.wav --lufs -16 -o b.wav":
        "Unknown option '--lufs'; that is --loudness LUFS, for example --loudness -16 --limit -1",
      "convert a.wav --loudnorm -o b.wav":
        "Unknown option '--loudnorm'; that is --loudness LUFS, for example --loudness -16 --limit -1",
      "measure a.wav --lufs":
        "Unknown option '--lufs'; loudness is always measured; a limit is --expect 'loudness<=-16'",
      "convert a.wav --vad -o b.wav":
        "Unknown option '--vad'; silence at both ends is left out by --trim-silence DB, and elsewhere by --threshold DB",
      "capture --vad": "Unknown option '--vad'; to leave out silence is --threshold DB",
      "info a.wav --reverb": "Unknown option '--reverb'",
      "plot a.wav --compressor": "Unknown option '--compressor'",
      "convert a.wav --vid -o b.wav": "Unknown option '--vid'",
      "convert a.wav --revese -o b.wav": "Unknown option '--revese'. Did you mean '--reverse'?",
      "convert a.mp3 -c:a copy -o b.mp3":
        "Unknown option '-c:a copy'; if nothing changes samples, packets are copied, and --copy insists",
      "convert a.mp3 -c copy -o b.mp3":
        "Unknown option '-c copy'; if nothing changes samples, packets are copied, and --copy insists",
      "convert a.mp3 --codec copy -o b.mp3":
        "Unknown option '--codec copy'; if nothing changes samples, packets are copied, and --copy insists",
      "mix a.mp3 -c:a copy -o b.mp3":
        "Unknown option '-c:a'; the encoding is --format, for example -f s16 or -f mp3",
      "convert a.mkv -map 0:a:1 -o b.wav":
        "Unknown option '-map'; a sound track is --track NUMBER, for example --track 2",
      "convert a.wav -ext mp3":
        "Unknown option '-ext'; the container follows the output's name, or is --type",
      "convert a.wav -nt ebu -o b.wav":
        "Unknown option '-nt'; that is --loudness LUFS, for example --loudness -16 --limit -1",
      "convert a.wav -tp -1 -o b.wav": "Unknown option '-tp'; that is --true-peak DBTP",
      "measure a.wav -tp -1": "Unknown option '-tp'; a limit is --expect 'true-peak<=-1'",
      "convert a.wav --target-level -16 -o b.wav":
        "Unknown option '--target-level'; that is --loudness LUFS, for example --loudness -16 --limit -1",
      "convert a.wav --lra 7 -o b.wav":
        "Unknown option '--lra'; --loudness applies one gain, which keeps the loudness range",
      "measure a.wav --lra 7": "Unknown option '--lra'; a limit is --expect 'loudness-range<=7'",
      "convert a.wav b.wav channels 1":
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; 'channels' is an effect of sox: say --channels COUNT",
      "convert a.wav stat":
        "Several sources need '--output <sink>' with a pattern, for example -o 'out/{stem}.wav'; if 'stat' is the output, say -o in front of it; 'stat' is an effect of sox: say 'rawaudio measure'",
      "a'b.wav c.wav":
        #"Unknown subcommand 'a'b.wav'; to convert a file, say 'rawaudio convert 'a'\''b.wav' -o c.wav'"#,
      "check x.wav":
        "Unknown subcommand 'check'; faults of a file are measured by 'rawaudio measure x.wav'",
      "split x.wav":
        "Unknown subcommand 'split'; to split a file, say 'rawaudio convert x.wav --split 60 -o part-%03d.wav'",
      "split x.wav y.wav":
        "Unknown subcommand 'split'; to split a file, say 'rawaudio convert FILE --split 60 -o part-%03d.wav'",
      "tone 1000": "Unknown subcommand 'tone'; a tone is a source, as in 'rawaudio play tone:1000'",
      "tone": "Unknown subcommand 'tone'; a tone is a source, as in 'rawaudio play tone:440'",
      "noise pink":
        "Unknown subcommand 'noise'; noise is a source, as in 'rawaudio play noise:pink'",
      "compare a.wav b.wav":
        "Unknown subcommand 'compare'; the difference of two files is measured by 'rawaudio mix a.wav b.wav --invert=2 | rawaudio measure -'",
      "meter a.wav":
        "Unknown subcommand 'meter'; levels of a file are measured by 'rawaudio measure a.wav', and shown while it plays by 'rawaudio play --meter full a.wav'",
    ] as [String: String])
  func moreHints(_ line: String, _ expected: String) {
    #expect(message(line) == expected)
  }

  @Test func effectsOfOtherPrograms() {
    for option in ["--speed 2", "--tempo=2", "--pitch"] {
      let name = option.prefix { !" =".contains($0) }
      #expect(
        message("convert a.wav \(option) -o b.wav") == "Unknown option '\(name)'; \(Self.pipe)")
    }
    for (option, word) in [
      ("--denoise", "noise"), ("--reverb", "reverb"), ("--compressor", "compressor"),
      ("--noise-gate", "gate"),
    ] {
      #expect(
        message("mix a.wav \(option) -o b.wav")
          == "Unknown option '\(option)'; \(Self.plugIn(word))")
    }
  }

  /// A line that is told never writes over a file: an existing one is no output.
  @Test func existingFilesAreNoOutputs() throws {
    let directory = TemporaryDirectory()
    try directory.write([], "voice")
    try directory.write([], "old.wav")
    for (line, told) in [
      ("voice new.wav", "to convert a file, say 'rawaudio convert voice -o new.wav'"),
      (
        "voice old.wav",
        "to play a file, say 'rawaudio play voice', to convert it 'rawaudio convert voice -o OUT'"
      ),
    ] {
      try directory.run(line.split(separator: " ").map(String.init))
        .expectUsageError("Unknown subcommand 'voice'; \(told)", of: nil)
    }
  }

  /// No hint names an option that the command lacks.
  @Test(arguments: RawAudio.program.commands.map { $0.name })
  func hintsNameWhatTheCommandHas(_ name: String) throws {
    let command = try #require(RawAudio.program.commands.first { $0.name == name })
    let names = Set(command.declarations.filter { !$0.isArgument }.map(\.name))
    for word in ForeignOptionHint.options.flatMap(\.words).map(String.init) {
      guard let hint = ForeignOptionHint.hint(forOption: word, among: command.declarations) else {
        #expect(ForeignOptionHint.suggestion(forOption: word, among: command.declarations) == "")
        continue
      }
      for part in hint.split(separator: " ") where part.hasPrefix("--") {
        let option = part.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
        #expect(names.contains(String(option)), "\(name) \(word): \(hint)")
      }
    }
  }

  @Test func ourOwnOptionsStayOurs() {
    for line in [
      "convert a.wav -fs16 -ob.wav", "convert a.wav -d5 -o b.wav",
      "mix a.wav trim.wav -d 2s -o c.wav", "capture --utc -o a.wav",
      "concat a.wav b.wav --crossfade 1 --fade-curve linear -o c.wav",
      "convert a.wav --highpass 80 --fade-in 1 --fade-curve linear -o c.wav",
    ] {
      #expect(message(line) == nil, "\(line)")
    }
  }
}
