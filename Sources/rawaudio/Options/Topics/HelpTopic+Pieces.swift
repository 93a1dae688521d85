// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  static let pieces = HelpTopic(
    name: "pieces", abstract: "How a recording is cut into pieces.",
    discussion: """
      Pieces are cut sample-exactly, at the source's rate, before anything else. A source is read once for all of its \
      pieces, in any order, and they may overlap. Each piece is written as if it were converted alone.
      """,
    sections: [
      Section(
        heading: "TABLES (--segments)",
        entries: [
          HelpPage.Entry(
            "CSV, TSV",
            """
            With a head: start (onset, begin time), end or duration, and optionally source, id, label, output. Names \
            may end in a unit, as start_ms. So also BirdNET's and Raven's tables.
            """),
          HelpPage.Entry("JSON lines", "Objects with the same names."),
          HelpPage.Entry(
            "others",
            "Labels of Audacity, segments of Kaldi, RTTM, cue sheets, SubRip and WebVTT. The content tells."
          ),
        ]),
      Section(
        heading: "PLACES",
        text: """
          Times are written as for --start (see 'rawaudio help times'). A piece without an end lasts to the start of \
          the next one. A row names its source by its path, its file's name, or that without extension; without \
          sources on the command line, the table names them.
          """),
      Section(
        heading: "NAMES",
        text: """
          Any column is a field of the output's name: {label}, {common_name}. Characters that no name may have become \
          _. {nnn} is the row's number in three digits.
          """),
      Section(
        heading: "MARKS AND CHAPTERS",
        text: """
          --split marks makes a piece of each, and of the sound in front of the first one; --at takes one of them. \
          Their labels are {label}.
          """),
      Section(
        heading: "QUIET PLACES AND OVERLAPS",
        text: """
          --split 30,quiet=5 makes parts of at most 30 s, each cut at the quietest 50 ms of its last 5 s. With \
          overlap=2 each part begins 2 s before the end of the one before. Both go together, and with live sources.
          """),
      Section(
        heading: "THE CLOCK",
        text: """
          --start @04:00 and --end @2026-05-02T05:30 take a part of a file that says when it began: by bext, iXML, \
          GUANO, or a name such as 20260502_040000. 'concat' takes it across the parts of a recording, with silence \
          in the gaps.
          """),
      Section(
        heading: "SOUNDS",
        text: """
          --split event makes a part of each sound that reaches --threshold, from --pre-roll before it to --hold \
          behind it. --labels writes a table of the parts, with their places in the source, also for -o null:. Many \
          sources have names such as '{stem}-%03d.wav'.
          """),
    ],
    examples: [
      Example(
        "The labels of Audacity, each as a file:",
        "rawaudio convert long.wav --segments labels.txt -o 'cut/{nnn}-{label}.wav'"),
      Example(
        "The utterances of a data folder of Kaldi:",
        "rawaudio convert wav/*.wav --segments segments -r 16000 -o 'out/{id}.flac'"),
      Example(
        "Parts for a recogniser, and a table of their places:",
        "rawaudio convert long.wav --split 30,quiet=5 -o 'p-%03d.wav' --labels p.csv"),
    ])
}
