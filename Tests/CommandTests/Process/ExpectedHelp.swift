// SPDX-License-Identifier: Apache-2.0
/// The approved help pages, for 80 columns.
enum ExpectedHelp {
  static let root = page(
    """
    OVERVIEW: Record, play, mix and convert raw audio.

    USAGE: rawaudio <subcommand>

    GENERAL OPTIONS:
          --version           Print the version.
          --generate-completion-script <shell>
                              Print the completion script of a shell: bash, zsh or
                              fish.
    : help

    SUBCOMMANDS:
      capture                 Record from a device.
      play                    Play files or standard input on a device.
      mix                     Sum any number of sources.
      concat                  Join sources, one after another, in one output.
      convert                 Convert encodings, containers, rates and channels;
                              trim, fade and level.
      session                 Run local, remote and shared sources, three sinks and
                              observers at once.
      measure                 Measure loudness, true peak, levels and faults of
                              files.
      plot                    Draw waveform and spectrogram as a picture or into the
                              terminal, or write peaks for players.
      devices                 List the devices and the formats they really accept.
      info                    Show container, encoding, rate, channels, duration and
                              metadata of files.
      plugins                 List LV2 and LADSPA plug-ins, their controls, and
                              whether they keep time.
      help                    Show the help page of a subcommand or a topic.

    HELP TOPICS:
      formats                 Containers, as named by --type or by the end of a
                              file's name.
      encodings               How a sample is stored, as named by --format.
      observers               See or change the audio on its way, with --observe.
      pieces                  How a recording is cut into pieces.
      times                   How times and lengths are written.

    EXAMPLES:
      Five seconds of two tones in one file:
        rawaudio mix tone:440 tone:660 --gain -6 -d 5 -o chord.wav
      A file for a speech recogniser:
        rawaudio convert chord.wav -r 16000 -o 16k.wav
      Every option of a subcommand:
        rawaudio help mix

    """)

  static let devices = page(
    """
    OVERVIEW: List the devices and the formats they really accept.

    The names stay the same when cards are plugged in another order.

    USAGE: rawaudio devices [<options>]

    OPTIONS:
    : json

    : GENERAL OPTIONS

    EXAMPLES:
      All devices, and which one to use:
        rawaudio devices
      For another program:
        rawaudio devices --json

    """)

  static let info = page(
    """
    OVERVIEW: Show container, encoding, rate, channels, duration and metadata of
    files.

    Exits with 1 if a file is missing or is no audio; the others are shown.

    USAGE: rawaudio info [<options>] [<file> ...]

    ARGUMENTS:
      <file>                  The files to look at.

    OPTIONS:
    : json' json-lines
          --totals            Sum up all files behind the list: count, duration,
                              samples, bytes, formats.

    OPTIONS FOR MANY FILES:
    : list null shard jobs

    INPUT OPTIONS:
    : decoder spool-limit

    : GENERAL OPTIONS

    EXAMPLES:
      For people:
        rawaudio info take.wav
      For another program:
        rawaudio info --json *.wav
      Of any number:
        find . -name '*.wav' | rawaudio info --json-lines --list -

    """)

  static let plugins = page(
    """
    OVERVIEW: List LV2 and LADSPA plug-ins, their controls, and whether they keep
    time.

    A plug-in is used as an observer, --observe record:lv2=NAME,CONTROL=VALUE,
    anywhere. LV2_PATH and LADSPA_PATH say where plug-ins are looked for, else the
    usual folders.

    USAGE: rawaudio plugins [<options>] [<pattern> ...]

    ARGUMENTS:
      <pattern>               A URI, LIBRARY:LABEL, or words of a name. One plug-in
                              that matches is shown with its controls.

    OPTIONS:
    : json
          --check             Send a click through each with its own settings, and
                              tell where it comes out; a plug-in that cannot run
                              makes the exit code 1.

    : GENERAL OPTIONS

    EXAMPLES:
      All plug-ins:
        rawaudio plugins
      Compressors, for another program:
        rawaudio plugins compressor --json

    """)

  /// A page. A line `: NAME…` in its text stands for entries of ``shared``, and `: TITLE` for one of ``groups``.
  static func page(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      guard line.hasPrefix(": ") else { return String(line) }
      let name = String(line.dropFirst(2))
      let texts = (groups[name] ?? name).split(separator: " ")
        .map { entries[String($0)] ?? "\($0)?" }
      return (groups[name] == nil ? texts : ["\(name):"] + texts).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  /// The groups of entries that several pages share.
  private static let groups = [
    "OPTIONS FOR MANY FILES": "list null shard jobs max-failures results",
    "INPUT OPTIONS":
      "input-type input-rate input-channels input-format ignore-length decoder spool-limit",
    "RECORDING OPTIONS": "split utc keep threshold pre-roll hold min-length join last labels sync",
    "UNATTENDED RECORDING":
      "on-part reopen metrics alarm-silence silence-level alarm-level alarm-clipping alarm-xruns"
      + " alarm-space",
    "GENERAL OPTIONS": "quiet verbose help",
  ]
}
