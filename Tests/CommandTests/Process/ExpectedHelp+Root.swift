extension ExpectedHelp {
  static let root = """
    OVERVIEW: Record, play, mix and convert raw audio.

    USAGE: rawaudio <subcommand>

    GENERAL OPTIONS:
          --version           Print the version.
      -h, --help              Show help information.

    SUBCOMMANDS:
      capture                 Record from a device.
      play                    Play files or standard input on a device.
      mix                     Sum any number of sources.
      convert                 Convert encodings, containers, rates and channels;
                              trim.
      session                 Run local, remote and shared sources, three sinks and
                              observers at once.
      devices                 List the devices and what they really accept.
      info                    Show container, encoding, rate, channels, duration and
                              metadata of files.
      help                    Show the help page of a subcommand.

    EXAMPLES:
      Five seconds of two tones in one file:
        rawaudio mix tone:440 tone:660 --gain -6 -d 5 -o chord.wav
      A file for a speech recogniser:
        rawaudio convert chord.wav -r 16000 -o 16k.wav
      Every option of a subcommand:
        rawaudio help mix

    """
}
