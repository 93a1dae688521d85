// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension HelpTopic {
  /// What stands around the samples.
  static let formats = HelpTopic(
    name: "formats", abstract: "Containers, as named by --type or by the end of a file's name.",
    discussion: """
      The container of an output follows its name, else --type; that of an input follows its content. The encoding is \
      the input's own where the container can hold it, else the narrowest that loses nothing; --format chooses \
      another. Each container is listed with the encodings that can be written in it.
      """,
    sections: [
      Section(heading: "READ AND WRITTEN", entries: written(Container.allCases.filter(isUsual))),
      Section(
        heading: "READ AND WRITTEN, OLDER ONES",
        entries: written(Container.allCases.filter { !isUsual($0) })),
      Section(
        heading: "READ ONLY",
        text: """
          sd2, sox; and what ffmpeg decodes, where that is installed (--decoder): m4a, mp4, aac, wv, ape, spx, wma, mkv, \
          webm and others. For these as outputs, pipe a WAV stream into ffmpeg.
          """),
      Section(
        heading: "ON PIPES",
        text: """
          Written: \(Container.allCases.filter(\.canBeStreamed).map(\.rawValue).joined(separator: ", ")). Read: all \
          of them; what has to be sought in is held in a temporary file (--spool-limit).
          """),
    ],
    examples: [
      Example("FLAC, by its name:", "rawaudio convert take.wav -o take.flac"),
      Example(
        "An M4A file, through ffmpeg:",
        "rawaudio convert take.wav | ffmpeg -i - -c:a aac -c:v copy take.m4a"),
    ])

  private static func isUsual(_ container: Container) -> Bool {
    switch container {
    case .wav, .wavex, .rf64, .w64, .aiff, .au, .caf, .flac, .ogg, .opus, .mp3, .raw: true
    default: false
    }
  }

  private static func written(_ containers: [Container]) -> [HelpPage.Entry] {
    containers.compactMap { container in
      let encodings = container.writableEncodings.map(\.rawValue).joined(separator: ", ")
      guard !encodings.isEmpty else { return nil }
      return HelpPage.Entry(container.rawValue, "\(description(of: container)): \(encodings).")
    }
  }

  private static func description(of container: Container) -> String {
    switch container {
    case .wav: "RIFF WAVE, RF64 where it grows past 4 GiB"
    case .wavex: "WAVE with a channel mask always"
    case .rf64: "WAVE with 64-bit sizes from the start (bw64)"
    case .w64: "Sony Wave64"
    case .aiff: "AIFF and AIFF-C (aif, aifc)"
    case .au: "Sun and NeXT (snd)"
    case .caf: "Apple Core Audio"
    case .flac: "Free Lossless Audio Codec"
    case .ogg: "Ogg with Vorbis (oga)"
    case .opus: "Ogg with Opus"
    case .mp3: "MPEG audio"
    case .raw: "Samples without a header (pcm)"
    case .voc: "Creative Voice"
    case .svx: "Amiga IFF (iff, 8svx)"
    case .nist: "NIST SPHERE (sph)"
    case .ircam: "Berkeley, IRCAM, CARL (sf)"
    case .paf: "Ensoniq PARIS"
    case .mat4: "MATLAB 4.2, GNU Octave 2.0"
    case .mat5: "MATLAB 5, GNU Octave 2.1 (mat)"
    case .pvf: "Portable Voice Format"
    case .xi: "FastTracker 2 instrument"
    case .htk: "HMM Tool Kit"
    case .sds: "MIDI Sample Dump"
    case .avr: "Audio Visual Research"
    case .sd2: "Sound Designer II"
    case .mpc2k: "Akai MPC 2000 (snd2000)"
    case .wve: "Psion"
    case .sox: "sox's own"
    }
  }
}
