// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let measure = page(
    """
    OVERVIEW: Measure loudness, true peak, levels and faults of files.

    Loudness by ITU-R BS.1770-4 and EBU R 128. Exits with 2 if something is not as
    --expect says, with 1 if a file is missing or is no audio; the others are
    measured. Measures: loudness, loudness-range, max-momentary, max-short-term,
    true-peak, sample-peak, rms, crest-factor, clipped-runs, dc-offset, silence,
    silence-at-start, silence-at-end, phase-correlation, effective-bits, bandwidth,
    dead-channels, identical-channels, not-finite and duration.

    USAGE: rawaudio measure [<options>] [<file> ...]

    ARGUMENTS:
      <file>                  The files to measure.

    OPTIONS:
          --expect <limit>    Condition on every file: a measure, one of = < > <= >=
                              and a value, as in loudness=-23±0.5, true-peak<=-1 or
                              silence<2s (repeatable).
    : json' json-lines

    OPTIONS FOR MANY FILES:
    : list null shard jobs max-failures results

    INPUT OPTIONS:
    : input-type input-rate input-channels input-format ignore-length decoder spool-limit

    GENERAL OPTIONS:
    : quiet verbose help

    EXAMPLES:
      For people:
        rawaudio measure take.wav
      Any number of files, which have to be as loud as a broadcaster wants them:
        rawaudio measure --expect loudness=-23±0.5 *.wav
      For another program:
        rawaudio measure --json-lines --jobs 4 *.wav

    """)
}
