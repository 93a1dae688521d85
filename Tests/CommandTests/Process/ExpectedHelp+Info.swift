extension ExpectedHelp {
  static let info = """
    OVERVIEW: Show container, encoding, rate, channels, duration and metadata of
    files.

    Exits with 1 where a file is missing or is no audio; the others are shown.

    USAGE: rawaudio info [<options>] <file> ...

    ARGUMENTS:
      <file>                  The files to look at.

    OPTIONS:
          --json              Print JSON, one object for each file in one array.

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      For people:
        rawaudio info take.wav
      For another program:
        rawaudio info --json *.wav

    """
}
