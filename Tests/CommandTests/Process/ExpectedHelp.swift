// SPDX-License-Identifier: Apache-2.0
/// The approved help pages, for 80 columns.
enum ExpectedHelp {
  static let root = """
    OVERVIEW: Record, play, mix and convert raw audio.

    USAGE: rawaudio <subcommand>

    GENERAL OPTIONS:
          --version           Print the version.
          --generate-completion-script <shell>
                              Print what completes command lines in a shell: bash,
                              zsh or fish.
      -h, --help              Show help information.

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
      devices                 List the devices and what they really accept.
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
      times                   How times and lengths are written.

    EXAMPLES:
      Five seconds of two tones in one file:
        rawaudio mix tone:440 tone:660 --gain -6 -d 5 -o chord.wav
      A file for a speech recogniser:
        rawaudio convert chord.wav -r 16000 -o 16k.wav
      Every option of a subcommand:
        rawaudio help mix

    """

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

  static let info = """
    OVERVIEW: Show container, encoding, rate, channels, duration and metadata of
    files.

    Exits with 1 where a file is missing or is no audio; the others are shown.

    USAGE: rawaudio info [<options>] [<file> ...]

    ARGUMENTS:
      <file>                  The files to look at.

    OPTIONS:
          --json              Print JSON, one object for each file in one array.
          --json-lines        Print JSON, one object for each file in a line of its
                              own, as they come.

    OPTIONS FOR MANY FILES:
          --list <file>       Take the sources from a list (- for standard input): a
                              path a line, or an object of JSON a line with source,
                              and optionally id, output, offset and duration in
                              seconds.
          --null              Zero bytes end the paths of the list, as find -print0
                              writes them.
          --shard <i/n>       Work on a part of the list only: 3/8 is every eighth
                              item from the third on. (default: the whole list)
      -j, --jobs <count>      How many files to work on at the same time. (default:
                              one for each processor)

    INPUT OPTIONS:
          --decoder <who>     What libsndfile does not know (m4a, wv, ape, spx, wma,
                              video) is decoded by ffmpeg where that is installed
                              (auto), or not at all (none); ffmpeg decodes every
                              file. (default: auto)
          --spool-limit <size>
                              How much of standard input a temporary file, in the
                              folder of TMPDIR, may hold where a container can only
                              be read by seeking in it. (default: 4GiB)

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      For people:
        rawaudio info take.wav
      For another program:
        rawaudio info --json *.wav
      Of any number:
        find . -name '*.wav' | rawaudio info --json-lines --list -

    """

  static let plugins = """
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
          --json              Print JSON.
          --check             Send a click through each with its own settings, and
                              tell where it comes out; a plug-in that cannot run
                              makes the exit code 1.

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      What there is:
        rawaudio plugins
      Compressors, for another program:
        rawaudio plugins compressor --json

    """
}
