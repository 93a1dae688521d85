extension ExpectedHelp {
  static let devices = """
    OVERVIEW: List the devices and what they really accept.

    The names stay the same when cards are plugged in another order.

    USAGE: rawaudio devices [<options>]

    OPTIONS:
          --json              Print JSON.

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      What there is, and which one to use:
        rawaudio devices
      For another program:
        rawaudio devices --json

    """
}
