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
            """
            Labels of Audacity, segments of Kaldi, RTTM, cue sheets, SubRip and WebVTT. The content tells. Without a head, \
            rows are a start, an end and a label, or a start and a label: 0:03:20 The end.
            """
          ),
          HelpPage.Entry(
            "chapters",
            """
            Lines such as '1:30 - Intro' in a description, ffmpeg's FFMETADATA, CHAPTER01=, and the JSON of podcasts.
            """),
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
        entries: [
          HelpPage.Entry(
            "{path}",
            "The source's folder below the one that all share, or the one on the line; {path}.wav is {path}/{stem}.wav."
          ),
          HelpPage.Entry("{stem}", "Its name without extension."),
          HelpPage.Entry("{ext}", "Its extension, or the type of --type."),
          HelpPage.Entry(
            "{n}, {nnn}", "Its place in the list or table, from 1, and in three digits."),
          HelpPage.Entry("{id}", "Its id in the list or table."),
          HelpPage.Entry(
            "{label}",
            """
            Any column of a table, member of a list or label of a mark. Characters that no name may have become _.
            """),
          HelpPage.Entry(
            "{channel}, {track}", "With --split channels, the channel's number, and its name."),
          HelpPage.Entry(
            "{source}", "In taps and --tracks, the id of the source (GROUP-ID with groups)."),
          HelpPage.Entry(
            "%03d",
            """
            The number of the file, from 0, in three digits: of the parts with --split, else of the sources or pieces.
            """),
          HelpPage.Entry(
            "%F, %H%M%S, ...",
            """
            The time at which the sound begins, as strftime writes it: of the recording, if the file or its name \
            states it.
            """),
          HelpPage.Entry(
            "{{, }}, %%", "Braces and a percent sign."),
        ]),
      Section(
        heading: "WHERE NAMES ARE PATTERNS",
        text: """
          A name with a brace or with %03d is a pattern, and so are names of parts, taps, logs and labels. Another \
          name stays as it is, with each % in it. From a device, a name with %03d or a time means --split signal. \
          Folders are made; those in front of the first field or % of a live recording or a tap must exist. --tag of 'convert' has the \
          fields, too: --tag 'TITLE={label}'.
          """),
      Section(
        heading: "MARKS AND CHAPTERS",
        text: """
          --split marks makes a piece of each, and of the sound in front of the first one; --at takes one of them. \
          Their labels are {label}. The tracks of FLAC's cue sheet count as marks if there are none. Title and number \
          of a mark, and the texts of a cue sheet, become tags of the piece.
          """),
      Section(
        heading: "QUIET PLACES AND OVERLAPS",
        text: """
          --split 30,quiet=5 makes parts of at most 30 s, each cut at the quietest 50 ms of its last 5 s. With \
          overlap=2 each part begins 2 s before the end of the one before. Both go together, and with live sources. Of \
          two lengths or periods of --split the later counts; SIGUSR1 begins a new file beside each.
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
