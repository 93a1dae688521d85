// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  static let lists = HelpTopic(
    name: "lists", abstract: "Many files in one run.",
    discussion: """
      convert, plot, measure and info take any number of files and work on several at the same time. One that fails \
      never stops the others. A pattern names the outputs: {stem} is a source's name, {path} its folder \
      ('rawaudio help pieces' lists all fields).
      """,
    options: [
      "convert": "output list null existing jobs results max-failures shard segments",
      "measure": "json-lines", "info": "totals",
    ],
    documents: "docs/corpora.md and docs/pieces.md.",
    examples: [
      Example("A folder as FLAC:", "rawaudio convert ./*.wav -o 'flac/{stem}.flac'"),
      Example(
        "A tree of folders, for a speech recogniser:",
        """
        find . -name 'm*.wav' | \\
          rawaudio convert --list - -r 16k -o '16k/{path}/{stem}.wav'
        """),
      Example(
        "Go on after an interruption, and keep a table of the results:",
        """
        rawaudio convert ./*.wav -o 'flac/{stem}.flac' \\
          --existing skip --results done.jsonl
        """),
      Example("The loudness of each, for a program:", "rawaudio measure --json-lines ./*.wav"),
      Example("How much there is:", "rawaudio info --totals ./*.wav"),
    ])
}
