// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension HelpTopic {
  static let formats = HelpTopic(
    name: "formats", abstract: "Containers, as named by --type or by the end of a file's name.",
    discussion: """
      The container of an output is that of --type, else it follows its name; that of an input follows its content. The \
      encoding is the input's own if the container can hold it, else the narrowest that loses nothing; --format chooses \
      another. Each container is listed with the encodings that can be written in it.
      """,
    sections: [
      Section(heading: "READ AND WRITTEN", entries: written(Container.allCases.filter(\.isUsual))),
      Section(
        heading: "READ AND WRITTEN, OLDER ONES",
        entries: written(Container.allCases.filter { !$0.isUsual })),
      Section(
        heading: "READ AND WRITTEN BY FFMPEG",
        entries: EncodedContainer.allCases.map { HelpPage.Entry($0.name, "\($0.title).") } + [
          HelpPage.Entry(
            EncodedContainer.videoNames.joined(separator: ", "),
            "Videos: the pictures are copied, the sound is new. Sound alone goes to mp4 and mov as to m4a."
          )
        ]),
      Section(
        heading: "READ ONLY",
        text: """
          \(Container.allCases.filter(\.writableEncodings.isEmpty).map(\.rawValue).joined(separator: ", ")); and \
          containers that ffmpeg decodes, if installed (--decoder): wv, ape, spx, avi, ts and others. For these as \
          outputs, pipe a WAV stream into ffmpeg.
          """),
      Section(
        heading: "ON PIPES",
        text: """
          Written: \(Container.allCases.filter(\.canBeStreamed).map(\.rawValue).joined(separator: ", ")). Read: all \
          of them; containers that need seeking are held in a temporary file (--spool-limit).
          """),
    ],
    examples: [
      Example("FLAC, by its name:", "rawaudio convert take.wav -o take.flac"),
      Example("AAC, by ffmpeg, under any name:", "rawaudio convert take.wav -t m4a -o take.audio"),
    ])

  private static func written(_ containers: [Container]) -> [HelpPage.Entry] {
    containers.compactMap { container in
      let encodings = container.writableEncodings.map(\.rawValue).joined(separator: ", ")
      guard !encodings.isEmpty else { return nil }
      return HelpPage.Entry(container.rawValue, "\(container.title): \(encodings).")
    }
  }
}
