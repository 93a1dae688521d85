// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  static let times = HelpTopic(
    name: "times", abstract: "How times and lengths are written.",
    discussion: """
      Options that take a time (--start, --duration, --offset, --split, --hold, ...) understand all of these. A number \
      with a unit is a time at every rate; a count of samples is one of samples per channel, at the rate of the \
      source (of the sum, in a mix). A time is rounded to the nearest sample.
      """,
    sections: [
      Section(
        heading: "TIMES",
        entries: [
          HelpPage.Entry("90", "90 seconds."),
          HelpPage.Entry("2.5, .5", "Seconds with decimal places, as many as 18."),
          HelpPage.Entry("1:30, 1:30.5", "Minutes and seconds."),
          HelpPage.Entry("1:00:00", "Hours, minutes and seconds."),
          HelpPage.Entry("2s, 500ms, 2m, 1h", "Seconds, milliseconds, minutes, hours."),
          HelpPage.Entry("1h30m, 1m2.5s", "Several units, the longest first."),
        ]),
      Section(
        heading: "SAMPLES",
        entries: [HelpPage.Entry("88200S, 88200samples", "88,200 samples per channel.")]),
      Section(
        heading: "BUFFERS",
        text: """
          --period-size, --buffer-size and --ring-size take samples per channel without a unit (480, 480S), and \
          times with one (10ms).
          """),
      Section(
        heading: "RATES",
        text: "Hertz, or kilohertz: 44100, 44.1k, 48kHz."),
    ],
    examples: [
      Example(
        "Half a second, from a minute and a half on:",
        "rawaudio convert long.wav --start 1:30 -d 500ms -o part.wav"),
      Example("Exactly 48,000 samples:", "rawaudio convert tone:1k -d 48000S -o second.wav"),
    ])
}
