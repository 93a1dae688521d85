// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension HelpTopic {
  static let observers = HelpTopic(
    name: "observers", abstract: "See or change the audio on its way, with --observe.",
    discussion: """
      --observe 'POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT]', any number of times. Each gets the audio in the \
      rate, channel count and samples per call that it asks for. Several at one position come in order: later ones \
      see the changes of earlier ones.
      """,
    sections: [
      Section(
        heading: "POSITIONS",
        entries: [
          HelpPage.Entry("record", "The local source: in capture, convert and session."),
          HelpPage.Entry(
            "before-mixing",
            "Each source of a sum by itself: in mix, play and session. @SOURCE is one of them by its id."
          ),
          HelpPage.Entry("playback", "The sum of the sources: in mix, play and session."),
          HelpPage.Entry("mixed", "Record and playback together: in mix, play and session."),
        ]),
      Section(heading: "KINDS THAT EDIT", entries: kinds(.readWrite)),
      Section(heading: "KINDS THAT TELL", entries: kinds(.readOnly)),
      Section(heading: "KEYS", entries: keys),
    ],
    examples: [
      Example(
        "A meter on the way:", "rawaudio convert take.wav --observe record:meter -o copy.wav"),
      Example(
        "A track of each source, as a recogniser wants it:",
        """
        rawaudio mix a.wav b.wav -o mix.wav \\
          --observe 'before-mixing,rate=16000,channels=1:tap=track-%s.wav'
        """),
      Example(
        "Through another program:",
        """
        rawaudio convert in.wav -o out.wav --observe 'record:exec=sox -t raw \\
          -r $RAWAUDIO_RATE -c $RAWAUDIO_CHANNELS -e float -b 32 - -t raw - bass +3'
        """),
    ])
}

extension HelpTopic {
  private static func kinds(_ mode: ObserverMode) -> [HelpPage.Entry] {
    ObserverKinds.all.map { $0.form }.filter { $0.mode == mode }
      .map { HelpPage.Entry($0.usage, $0.help) }
  }

  /// The keys of every kind, then the keys of single kinds.
  private static var keys: [HelpPage.Entry] {
    ObserverRequest.everyKey.map { key in
      let owners = ObserverKinds.words(withKey: key.name)
      let start = owners.isEmpty ? "" : "For \(owners.joinedAsList): "
      return HelpPage.Entry(key.name, start + key.help)
    }
  }
}
