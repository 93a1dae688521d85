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
    ],
    examples: [
      Example(
        "The labels of Audacity, each as a file:",
        "rawaudio convert long.wav --segments labels.txt -o 'cut/{nnn}-{label}.wav'"),
      Example(
        "The utterances of a data folder of Kaldi:",
        "rawaudio convert wav/*.wav --segments segments -r 16000 -o 'out/{id}.flac'"),
    ])
}
