/// The page of `rawaudio` itself: what it is for and which subcommands there are.
enum RootHelp {
  static let commands: [any Command.Type] = [
    CaptureCommand.self, PlayCommand.self, MixCommand.self, ConvertCommand.self,
    SessionCommand.self, DevicesCommand.self, InfoCommand.self,
  ]

  static let version = Flag("version", group: .general, help: "Print the version.")

  static let declarations = [version.declaration, GeneralOptions.help.declaration]

  static let usage = "rawaudio <subcommand>"

  static func page(width: Int) -> String {
    HelpPage(
      overview: "Record, play, mix and convert raw audio.",
      usage: usage,
      declarations: declarations,
      subcommands: commands.map { HelpPage.Entry($0.name, $0.abstract) }
        + [HelpPage.Entry("help", "Show the help page of a subcommand.")],
      examples: [
        Example(
          "Five seconds of two tones in one file:",
          "rawaudio mix tone:440 tone:660 --gain -6 -d 5 -o chord.wav"),
        Example(
          "A file for a speech recogniser:", "rawaudio convert chord.wav -r 16000 -o 16k.wav"),
        Example("Every option of a subcommand:", "rawaudio help mix"),
      ]
    ).text(width: width)
  }
}
