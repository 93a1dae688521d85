// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  static let chapters = HelpTopic(
    name: "chapters", abstract: "Chapters and marks: shown, written, and as files of their own.",
    discussion: """
      A table names them, a line each, such as '0:02 News'; 'rawaudio help pieces' lists all its formats. The \
      marks of WAV, AIFF and CAF and the chapters of all others go from file to file.
      """,
    options: [
      "convert": "chapters marks split at segments output tag cover", "concat": "marks gap",
    ],
    documents: "docs/metadata.md and docs/pieces.md.",
    examples: [
      Example(
        "An audio book with chapters:",
        "rawaudio convert talk.wav --chapters chapters.txt -o talk.m4b"),
      Example("Its chapters:", "rawaudio info talk.m4b"),
      Example(
        "Each as a file:", "rawaudio convert talk.m4b --split marks -o '{nn}-{label}.flac'"),
      Example("One of them:", "rawaudio convert talk.m4b --at News -o news.wav"),
      Example(
        "Files in one, with a mark where each begins:",
        "rawaudio concat talk.wav music.wav --marks -o both.flac"),
    ])
}
