// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  static let video = HelpTopic(
    name: "video", abstract: "The sound of a video: taken out, changed, put back.",
    discussion: """
      A video is a source like any other: ffmpeg, if installed, decodes its sound, in time with the pictures. If the \
      output is a video, too, its pictures, subtitles and chapters are copied, and only the sound is new.
      """,
    options: ["convert": "track into output gain loudness quality bitrate decoder"],
    documents: "docs/using.md, and 'rawaudio help loudness'.",
    examples: [
      Example("The sound alone:", "rawaudio convert film.mp4 -o sound.wav"),
      Example("Another track of it:", "rawaudio convert film.mp4 --track 2 -o second.flac"),
      Example(
        "The video with another loudness:",
        "rawaudio convert film.mp4 --loudness -16 --limit -1 -o louder.mp4"),
      Example(
        "The video with another sound:", "rawaudio convert sound.wav --into film.mp4 -o scored.mp4"),
      Example(
        "All tracks of sound in one sum:", "rawaudio mix film.mp4 --track all -o both.wav"),
    ])
}
