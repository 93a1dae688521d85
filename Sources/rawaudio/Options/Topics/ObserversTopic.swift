// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  /// What `--observe` takes.
  static let observers = HelpTopic(
    name: "observers", abstract: "See or change the audio on its way, with --observe.",
    discussion: """
      --observe 'POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT]', any number of times. Each gets the audio in the \
      rate, channel count and samples per call that it asks for. Several at one position come in order: later ones \
      see what earlier ones changed.
      """,
    sections: [
      Section(
        heading: "POSITIONS",
        entries: [
          HelpPage.Entry("record", "The local source: in capture, convert and session."),
          HelpPage.Entry(
            "before-mixing",
            "Each source of a sum by itself: in mix, play and session. @SOURCE is one of them by its id."
          ),
          HelpPage.Entry("playback", "The sum of the sources: in mix, play and session."),
          HelpPage.Entry("mixed", "Record and playback together: in mix, play and session."),
        ]),
      Section(
        heading: "KINDS THAT EDIT",
        entries: [
          HelpPage.Entry("gain=DB", "Changes the level by so many decibels."),
          HelpPage.Entry("invert", "Inverts the polarity."),
          HelpPage.Entry(
            "fade-in=TIME[,CURVE]",
            "Fades in from where it begins; CURVE is linear, equal-power, raised-cosine or logarithmic."
          ),
          HelpPage.Entry(
            "fade-out=TIME[,CURVE]",
            "Fades out before the end of what it sees, and holds it back by as much."),
          HelpPage.Entry("channel-map=LIST", "Puts other channels in the place of these."),
          HelpPage.Entry("resample=HERTZ", "Converts the rate; the stream goes on at that rate."),
          HelpPage.Entry("mix=SOURCE", "Adds a file or a generated source."),
          HelpPage.Entry(
            "exec=COMMAND",
            "Raw samples through any program, by /bin/sh. RAWAUDIO_RATE, RAWAUDIO_CHANNELS, RAWAUDIO_ENCODING, RAWAUDIO_SAMPLES_PER_CALL, RAWAUDIO_POSITION, RAWAUDIO_SOURCE and RAWAUDIO_GROUP tell it what they are."
          ),
        ]),
      Section(
        heading: "KINDS THAT TELL",
        entries: [
          HelpPage.Entry(
            "tap=FILE", "Writes a sound file of what it sees; %s in the name is the source's id."),
          HelpPage.Entry(
            "meter", "Shows peak and RMS; a square wave of full scale has 0 dBFS."),
          HelpPage.Entry(
            "loudness[=FILE]",
            "Momentary, short-term and integrated loudness once a second, a line of JSON each."),
          HelpPage.Entry("events[=FILE]", "A line of JSON a call, on standard error or in a file."),
        ]),
      Section(
        heading: "KEYS",
        entries: [
          HelpPage.Entry("rate, channels", "The format in which it gets the audio."),
          HelpPage.Entry(
            "samples-per-call",
            "Over all channels; at least 10 ms and a multiple of the channel count. Else that of --samples-per-call, or 10 ms."
          ),
          HelpPage.Entry(
            "mode",
            "read-only (what it changes is dropped), read-write or write-only (it gets silence)."),
          HelpPage.Entry("encoding", "For tap and exec: s16, f32, ..."),
          HelpPage.Entry("align", "For tap: session or source, where its file begins."),
          HelpPage.Entry(
            "latency", "For exec, live: how far it may be behind, in samples per channel."),
          HelpPage.Entry("timeout", "For exec: how long it may do nothing (10s)."),
        ]),
    ],
    examples: [
      Example(
        "A meter on the way:", "rawaudio convert take.wav --observe record:meter -o copy.wav"),
      Example(
        "A track of each source, as a recogniser wants it:",
        """
        rawaudio mix a.wav b.wav -o mix.wav \\
          --observe 'before-mixing,rate=16000,channels=1:tap=track-%s.wav'
        """),
      Example(
        "Through another program:",
        """
        rawaudio convert in.wav -o out.wav --observe 'record:exec=sox -t raw \\
          -r $RAWAUDIO_RATE -c $RAWAUDIO_CHANNELS -e float -b 32 - -t raw - bass +3'
        """),
    ])
}
