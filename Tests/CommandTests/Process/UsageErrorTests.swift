// SPDX-License-Identifier: Apache-2.0
import Testing

/// The messages of the built executable for wrong command lines.
@Suite struct UsageErrorTests {
  @Test(
    arguments: [
      "mxi a.wav": "Unknown subcommand 'mxi'. Did you mean 'mix'?",
      "help plya": "Unknown subcommand 'plya'. Did you mean 'play'?",
      "zzz": "Unknown subcommand 'zzz'",
      "--versoin": "Unknown option '--versoin'. Did you mean '--version'?",
      "capture --rat 44100": "Unknown option '--rat'. Did you mean '--rate'?",
      "capture take.wav": "Unexpected argument 'take.wav'; an output is named with -o",
      "capture -d": "Missing value for '--duration <time>'",
      "capture --rate abc":
        "The value 'abc' is invalid for '--rate <hertz>': a rate is a whole number of hertz from"
        + " 1000 to 768000, or kilohertz as in 44.1k",
      "capture -r 48000 -c 2 --samples-per-call 480":
        "The value '480' is invalid for '--samples-per-call <samples>': it is less than 10 ms at 48000"
        + " Hz, 2 channels; the smallest is 960",
      "capture -r 48000 -c 2 --samples-per-call 961":
        "The value '961' is invalid for '--samples-per-call <samples>': it does not divide by 2"
        + " channels; 960 and 962 do",
      "mix": "Missing expected argument '<source> ...'",
      "mix a.wav b.wav c.wav --gain -3 --gain -6":
        "'--gain <db>' is given 2 times for 3 inputs; give it once for all or once for each",
      "mix tone:440 a.wav": "A generated source never ends; say how long with '--duration <time>'",
      "mix - -": "Standard input can be read by one source only",
      "mix a.wav --pan 2":
        "The value '2' is invalid for '--pan <pan>': a pan is a number from -1 (left) to 1 (right)",
      "play tone:440 a.wav":
        "A generated source or a device never ends; only the last source can be one",
      "convert a.wav b.wav -o c.wav":
        "Several sources cannot all go to 'c.wav'; a pattern gives each its own, for example -o 'out/{stem}.wav'",
      "convert a.raw --input-type raw --input-rate 8000":
        "A raw input also needs '--input-channels <count>' and '--input-format <encoding>'",
      "convert a.wav --resampler-quality low":
        "The value 'low' is invalid for '--resampler-quality <quality>': it must be fast, high or best",
      "convert a.wav --observe mixed:meter":
        "The value 'mixed:meter' is invalid for '--observe <observer>': convert has no position mixed;"
        + " it has record",
      "session --remote a.wav":
        "A session needs a sink, '--publish <sink>', '--playback <sink>', '--mixed <sink>',"
        + " '--playback-of <[group/]id=sink>' or '--tracks <pattern>', or an observer that tells something, such as '--observe mixed:meter'",
      "devices --jsn": "Unknown option '--jsn'. Did you mean '--json'?",
      "info": "Missing expected argument '<file> ...'",
    ] as [String: String])
  func mistakes(_ line: String, _ message: String) throws {
    let run = try runPipeline("rawaudio \(line)")
    let word = line.split(separator: " ").first.map(String.init) ?? ""
    run.expectUsageError(message, of: ProcessRun.usages.keys.contains(word) ? word : nil)
  }

  @Test(arguments: ["capture", "convert a.wav"])
  func audioIsNotWrittenToATerminal(_ line: String) throws {
    let run = try runPipeline("script -qec 'rawaudio \(line)' /dev/null")
    #expect(run.ending == .exit(64))
    #expect(
      run.outputText.contains(
        "Standard output is a terminal; name a file with '--output <sink>' or pipe the result into"
          + " another program\r\n"))
  }

  @Test func colourIsForTerminalsAndNotForEveryone() throws {
    let line = "script -qec 'rawaudio zzz' /dev/null"
    let coloured = try runPipeline(line, environment: ["TERM": "xterm"])
    #expect(
      coloured.outputText.hasPrefix("\u{1B}[1;31mError:\u{1B}[0m Unknown subcommand 'zzz'\r\n"))
    let plain = try runPipeline(line, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(plain.outputText.hasPrefix("Error: Unknown subcommand 'zzz'\r\n"))
  }
}
