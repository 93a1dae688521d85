// SPDX-License-Identifier: Apache-2.0
import Testing

/// Devices that are missing, in use, or refuse the requested format: one line, exit 1, no file.
@Suite(.needsVirtualCard) struct DeviceRefusalTests {
  @Test(
    arguments: [
      ["-D", "cd", "-r", "48000"]:
        "cannot use device 'cd': it does not give 48000 Hz; it gives 44100 Hz",
      ["-D", "studio", "-c", "2"]:
        "cannot use device 'studio': it does not give 2 channels; it gives 8 channels; ALSA converts"
        + " them if it is named plug:studio",
      ["-D", "cd", "-f", "f32"]: "cannot use device 'cd': it does not give f32; it gives s16",
      ["-D", "nosuch"]:
        "cannot open device 'nosuch': no such device (snd_pcm_open: Unknown PCM nosuch); "
        + "check the name in the list of devices",
    ] as [[String]: String])
  func whatItDoesNotGive(arguments: [String], message: String) throws {
    let bench = try CardBench()
    let run = try bench.start(["capture", "-d", "1", "-o", "take.wav"] + arguments).wait()
    run.expectExit(1, message)
    #expect(!bench.exists("take.wav"))
  }

  @Test func aCardThatIsNotThere() throws {
    let bench = try CardBench()
    let run = try bench.run("capture", "-D", "hw:31", "-d", "1", "-o", "take.wav")
    let reasons = [
      "no such device (snd_pcm_open: Unknown PCM hw:31); check the name in the list of devices\n",
      "this machine has no sound card: there is no /dev/snd; plug one in or load its driver; "
        + "a container needs --device /dev/snd\n",
    ]
    #expect(
      reasons.map { "rawaudio: cannot open device 'hw:31': \($0)" }.contains(run.standardError))
    #expect(run.ending == .exit(1))
    #expect(!bench.exists("take.wav"))
  }

  /// ALSA's `jack` device lists its periods: multiples of 1,024 samples per channel. None fits a buffer that was set
  /// first.
  @Test(arguments: [
    ([], "period 11264, buffer 45056"), (["--buffer-size", "8000"], "period 2048, buffer 8192"),
    (["--period-size", "441"], "period 1024, buffer 44032"),
    (["--observe", "record:gain=0"], "period 1024, buffer 22528"),
  ])
  func periodsThatAreAList(options: [String], sizes: String) throws {
    let jack = [
      "PERIOD_BYTES_STEP": "4096", "RATES": "44100", "FORMATS": "S16_LE", "CHANNELS": "2",
    ]
    for name in ["card", "plug:card"] {
      let bench = try CardBench(jack)
      let run = try bench.start(
        ["capture", "-D", name, "-r", "44100", "-c", "2", "-v", "-d", "1", "-o", "take.wav"]
          + options
      ).wait()
      #expect(run.ending == .exit(0))
      #expect(
        run.standardError.contains(
          "rawaudio: local: '\(name)', 44100 Hz, 2 channels, s16, \(sizes)\n"),
        "\(run.standardError)")
      #expect(try bench.wave("take.wav").samples.count == 44_100 * 4)
      let played = try CardBench(jack.merging(["OUTFILE": "played.raw"]) { $1 })
      let playing = try played.start(
        ["play", "-D", name, "tone:440", "-d", "1"] + (options.first == "--observe" ? [] : options)
      ).wait()
      playing.expectExit(0)
    }
  }

  /// The command line in the error works.
  @Test func aChannelCountThatALSAConverts() throws {
    let bench = try CardBench(["CHANNELS": "2"])
    let refused = try bench.run("capture", "-D", "card", "-c", "1", "-d", "1", "-o", "take.wav")
    refused.expectMessages(
      "cannot use device 'card': it does not give 1 channel; it gives 2 channels; ALSA converts "
        + "them if it is named plug:card")
    let taken = try bench.run(
      "capture", "-D", "plug:card", "-c", "1", "-d", "1000S", "-o", "take.wav")
    #expect(taken.ending == .exit(0))
    #expect(try bench.wave("take.wav").channelCount == 1)
  }

  @Test func aRateThatIsNotUsualIsNamed() throws {
    let bench = try CardBench(["RATES": "44056"])
    let run = try bench.run("capture", "-D", "card", "-r", "44100", "-d", "1", "-o", "take.wav")
    run.expectMessages("cannot use device 'card': it does not give 44100 Hz; it gives 44056 Hz")
    let nearest = try bench.run("capture", "-D", "card", "-d", "1000S", "-o", "take.wav")
    #expect(nearest.ending == .exit(0))
    let take = try bench.wave("take.wav")
    #expect(take.sampleRate == 44_056)
  }

  @Test(arguments: [
    ("OPEN", "open", "snd_pcm_open"), ("HW", "configure", "snd_pcm_hw_params"),
    ("PREPARE", "configure", "snd_pcm_hw_params"),
  ])
  func aFailureToOpen(call: String, action: String, function: String) throws {
    for (number, reason, advice) in [
      (16, "the device is in use", "; close the program that uses it"),
      (13, "permission denied", "; add the user to the group 'audio'"),
      (19, "no such device", "; check the name in the list of devices"),
      (111, "connection refused", "; start its sound server"),
      (5, "input/output error", ""),
    ] {
      let bench = try CardBench(["\(call)_ERRNO": "\(number)"])
      try bench.write(WaveFile([0, 0, 0, 0]).bytes, to: "a.wav")
      let expected = "rawaudio: cannot \(action) device 'card': \(reason) (\(function))\(advice)\n"
      let capture = try bench.run("capture", "-D", "card", "-d", "1", "-o", "take.wav")
      #expect(capture.standardError == expected)
      #expect(capture.ending == .exit(1))
      #expect(!bench.exists("take.wav"))
      let play = try bench.run("play", "-D", "card", "a.wav")
      #expect(play.standardError == expected)
      #expect(play.ending == .exit(1))
    }
  }

  @Test func aFailureToStart() throws {
    let bench = try CardBench(["START_ERRNO": "16"])
    let capture = try bench.run("capture", "-D", "card", "-d", "1", "-o", "take.wav")
    capture.expectExit(
      1,
      "cannot start device 'card': the device is in use (snd_pcm_start); close the program "
        + "that uses it")
    // Shorter than the start threshold, so that the drain starts the device.
    try bench.write(WaveFile(DeviceBytes.noise(4 * 4_000)).bytes, to: "a.wav")
    let play = try bench.run("play", "-D", "card", "a.wav")
    play.expectExit(
      1,
      "cannot go on playing on 'card': the device is in use, after 0 samples per channel were "
        + "heard")
  }
}
