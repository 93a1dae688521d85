// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  static let loudness = HelpTopic(
    name: "loudness", abstract: "How loud a file is, and how to bring it to a loudness.",
    discussion: """
      Loudness is in LUFS (ITU-R BS.1770, EBU R 128): -23 in broadcasting, about -16 for podcasts, -14 for streamed \
      music. --loudness changes the level by one gain. It stops short if the peaks leave no room; with --limit a \
      limiter takes them down instead.
      """,
    options: [
      "convert": "loudness limit true-peak album normalize gain replaygain fail-on",
      "measure": "expect levels json-lines",
    ],
    documents: "docs/loudness.md, and docs/levels.md for sound levels in decibels.",
    examples: [
      Example("How loud it is:", "rawaudio measure talk.wav"),
      Example(
        "A podcast at -16 LUFS, with peaks of at most -1 dBTP:",
        "rawaudio convert talk.wav --loudness -16 --limit -1 -o podcast.flac"),
      Example(
        "An album, with one gain for all songs:",
        "rawaudio convert ./*.wav --loudness -18 --album -o 'album/{stem}.flac'"),
      Example(
        "The samples as they are, and tags for players:",
        "rawaudio convert talk.wav --replaygain -o tagged.flac"),
      Example(
        "Exit with 2 if a file is too loud:",
        "rawaudio measure --expect 'loudness<=-15.5' podcast.flac"),
    ])
}
