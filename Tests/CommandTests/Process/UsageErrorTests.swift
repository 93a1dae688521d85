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
      "convert a.wav -o p-%03d.wav --split 1 --labels l-{foo}.csv":
        "The value 'l-{foo}.csv' is invalid for '--labels <file>': '{foo}' is no field, and there is none here; a brace itself is written twice",
      "capture -o a.wav --log l-%Q":
        "The value 'l-%Q' is invalid for '--log <file>': '%Q' means nothing; write %03d for the part's number, %F or %H%M%S for the time, %% for a percent sign",
      "convert a.wav -o b.wav --observe record:events=e-{foo}":
        "The value 'record:events=e-{foo}' is invalid for '--observe <observer>': '{foo}' is no field, and there is none here; a brace itself is written twice",
      "convert a.wav -o b.wav --observe record:levels=l-%d.csv":
        "The value 'record:levels=l-%d.csv' is invalid for '--observe <observer>': '%d' is the day of the month, and all parts of a day would have the same name; write %04d for the part's number, or %F for the whole date",
    ] as [String: String])
  func mistakes(_ line: String, _ message: String) throws {
    let run = try runPipeline("rawaudio \(line)")
    let word = line.split(separator: " ").first.map(String.init) ?? ""
    run.expectUsageError(message, of: ProcessRun.usages.keys.contains(word) ? word : nil)
  }

  /// A web address is told with the line that loads it.
  @Test(
    arguments: [
      "convert https://a.b/c.mp3 -o d.wav":
        "curl -sL https://a.b/c.mp3 | rawaudio convert - -o d.wav",
      "play 'http://a.b/c?d=e&f'": "curl -sL 'http://a.b/c?d=e&f' | rawaudio play -",
      "info https://a.b/c.mp3": "curl -sL https://a.b/c.mp3 | rawaudio info -",
      "measure HTTPS://a.b/c.mp3": "curl -sL HTTPS://a.b/c.mp3 | rawaudio measure -",
      "plot https://a.b/c.mp3 -o p.png": "curl -sL https://a.b/c.mp3 | rawaudio plot - -o p.png",
    ] as [String: String])
  func webAddresses(_ line: String, _ advice: String) throws {
    let run = try runPipeline("rawaudio \(line)")
    let address = advice.split(separator: " ")[2].filter { $0 != "'" }
    run.expectExit(1, "cannot open '\(address)': no such file; another program loads it: \(advice)")
  }

  @Test func aWebAddressInAList() throws {
    let directory = TemporaryDirectory()
    let run = try directory.run("convert", "ftp://a.b/c", "ftp://a.b/d", "-j1", "-o", "{stem}.wav")
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError == """
        rawaudio: cannot open 'ftp://a.b/c': no such file; another program loads it: curl -sLO ftp://a.b/c
        rawaudio: cannot open 'ftp://a.b/d': no such file; another program loads it: curl -sLO ftp://a.b/d
        rawaudio: 0 done, 2 failed

        """)
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
