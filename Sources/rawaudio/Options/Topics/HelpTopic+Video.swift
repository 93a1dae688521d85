// SPDX-License-Identifier: Apache-2.0
extension HelpTopic {
  static let video = HelpTopic(
    name: "video", abstract: "The sound of a video: taken out, changed, put back.",
    discussion: """
      A video is a source like any other: ffmpeg, if installed, decodes its sound, in time with the pictures. If the \
      output is a video, too, its pictures, subtitles and chapters are copied, and only the sound is new. Subtitles of \
      text become those that its container takes. A track has a number, a title or a language: --track Commentary. A \
      file of sound with the codec of the video gets the packets as they are if nothing changes them.
      """,
    options: ["convert": "track into output gain loudness shift quality bitrate copy decoder"],
    documents: "docs/using.md, and 'rawaudio help loudness'.",
    examples: [
      Example("The sound alone, as it is:", "rawaudio convert film.mp4 -o sound.m4a"),
      Example(
        "Another track of it, decoded:", "rawaudio convert film.mp4 --track 2 -o second.flac"),
      Example(
        "The video with another loudness:",
        "rawaudio convert film.mp4 --loudness -16 --limit -1 -o louder.mp4"),
      Example(
        "The video with another sound:", "rawaudio convert talk.wav --into film.mp4 -o scored.mp4"),
      Example(
        "The video with music under its sound:",
        "rawaudio mix film.mp4 music.wav --gain 0 --gain -12 -o with-music.mp4"),
      Example(
        "All tracks of sound in one sum:", "rawaudio mix film.mp4 --track all -o both.wav"),
    ])
}
