// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let concat = page(
    """
    OVERVIEW: Join sources, one after another, in one output.

    Nothing lies between two sources, and nothing is lost. Sources of different
    rates and channel counts are converted; each begins where the exact sum of the
    lengths before it ends, rounded up to a sample. Parts of one recording are
    converted as one stream. '--start', '--end' and the input options apply to all
    sources if given once, and in order if given once for each; fades are those of
    the whole. To observers the whole is one source.

    USAGE: rawaudio concat [<options>] <source> ...

    ARGUMENTS:
      <source>                What to join: paths, - for standard input, alsa:NAME
                              for a device, tone:440, noise:white, noise:pink,
                              sweep:20-20000 or silence:.

    OPTIONS:
          --gap <time>        How much silence to put between two sources. (default:
                              0)
          --crossfade <time>  How long the end of a source and the beginning of the
                              next lie over each other, faded out and in.
                              --fade-curve says how; the default is equal-power.
                              (default: none)
          --marks             Put a mark with its name where each source begins, if
                              the container has marks.
    : start end gain resampler-quality dither fail-on

    EDITS:
    : fade-in fade-out fade-curve highpass lowpass eq loudness true-peak limit

    INPUT OPTIONS:
    : input-type input-rate input-channels input-format ignore-length decoder spool-limit

    OUTPUT OPTIONS:
    : output force type rate channels format quality bitrate compression encoder

    METADATA OPTIONS:
    : tag tags-from

    OBSERVERS:
    : observe samples-per-call

    GENERAL OPTIONS:
    : quiet verbose help

    EXAMPLES:
      Parts of a recording as one file:
        rawaudio concat sweep.flac sweep.flac -o whole.wav
      A second of silence between two files:
        rawaudio concat chord.wav sum.wav --gap 1 -o list.flac
      One fades into the other:
        rawaudio concat chord.wav sum.wav --crossfade 0.5 --fade-out 2 -o faded.wav

    """)
}
