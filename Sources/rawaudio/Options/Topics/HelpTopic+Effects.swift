// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  static let effects = HelpTopic(
    name: "effects", abstract: "Filters, fades, silence, plug-ins, and effects of other programs.",
    discussion: """
      The order of the options does not count: first what is cut, then channels, filters, fades, delays and silence; \
      then observers in their order, and the limiter last. For reverb, compressors and noise reduction there are \
      plug-ins ('rawaudio plugins reverb' lists them) and other programs.
      """,
    options: [
      "convert": """
      highpass lowpass eq fade-in fade-out fade-curve trim-silence pad delay channel-map invert reverse gain limit \
      observe
      """,
      "mix": "duck pan",
    ],
    documents: "docs/filters.md, docs/plugins.md, and 'rawaudio help observers'.",
    examples: [
      Example(
        "A clearer voice:",
        "rawaudio convert talk.wav --highpass 80 --eq peak=3k,gain=2 -o clear.wav"),
      Example(
        "No silence at the ends, and a fade:",
        "rawaudio convert talk.wav --trim-silence -60 --fade-out 1 -o ends.wav"),
      Example(
        "Music that goes down under a voice:",
        "rawaudio mix talk.wav music.wav --duck 2:1,-12dB -o episode.wav"),
      Example(
        "Reverb of another program:",
        """
        rawaudio convert talk.wav -o room.wav --observe 'record:exec=sox -t raw \\
          -r $RAWAUDIO_RATE -c $RAWAUDIO_CHANNELS -e float -b 32 - -t raw - reverb'
        """),
      Example(
        "What changes the length goes through a pipe:",
        """
        rawaudio convert talk.wav | sox -t wav - -t wav - tempo 1.25 | \\
          rawaudio convert - -o faster.wav
        """),
    ])
}
