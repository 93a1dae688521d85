// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let measure = """
    OVERVIEW: Measure loudness, true peak, levels and faults of files.

    Loudness by ITU-R BS.1770-4 and EBU R 128. Exits with 2 where something is not
    as --expect says, with 1 where a file is missing or is no audio; the others are
    measured. Measures: loudness, loudness-range, max-momentary, max-short-term,
    true-peak, sample-peak, rms, crest-factor, clipped-runs, dc-offset, silence,
    silence-at-start, silence-at-end, phase-correlation, effective-bits, bandwidth,
    dead-channels, identical-channels, not-finite and duration.

    USAGE: rawaudio measure [<options>] [<file> ...]

    ARGUMENTS:
      <file>                  The files to measure.

    OPTIONS:
          --expect <limit>    What has to hold of every file: a measure, one of = <
                              > <= >= and a value, as in loudness=-23±0.5,
                              true-peak<=-1 or silence<2s (repeatable).
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
          --max-failures <count>
                              Give up after so many files have failed. (default:
                              never)
          --results <file>    Append a line of JSON for each source to a file (- for
                              standard output).

    INPUT OPTIONS:
          --input-type <type>
                              Container of the input, where its name and content do
                              not tell: raw for none.
          --input-rate <hertz>
                              Sample rate of a headerless input.
          --input-channels <count>
                              Channels of a headerless input.
          --input-format <encoding>
                              Encoding of a headerless input: s16, S24_3LE, f32,
                              ulaw, ... Of 24 bits in four bytes in WAV: S24_LE for
                              the low three, s32 for the high.
          --ignore-length     Read on where there is more sound than the header
                              states.
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
        rawaudio measure take.wav
      Any number of files, which have to be as loud as a broadcaster wants them:
        rawaudio measure --expect loudness=-23±0.5 *.wav
      For another program:
        rawaudio measure --json-lines --jobs 4 *.wav

    """
}
