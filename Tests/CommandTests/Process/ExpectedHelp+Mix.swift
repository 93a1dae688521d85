// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let mix = page(
    #"""
    OVERVIEW: Sum any number of sources.

    Sources of different rates and channel counts are converted; the levels stay as
    they are. On a terminal the mix is played on the default device, unless an
    output is named.
    '--gain', '--pan', '--offset', the edits and the input options apply to all
    sources if given once, and in order if given once for each source. To observers
    the sources are 1, 2, ... in order; edits act in front of before-mixing, level,
    balance and offset behind it.

    USAGE: rawaudio mix [<options>] <source> ...

    ARGUMENTS:
      <source>                What to mix: paths, - for standard input, alsa:NAME
                              for a device, tone:440, noise:white, noise:pink,
                              sweep:20-20000 or silence:.

    OPTIONS:
          --gain <db>         Change the level of a source by this many decibels
                              (repeatable). (default: 0)
          --pan <pan>         Balance of a source from -1, left, to 1, right
                              (repeatable). (default: 0)
          --offset <time>     Where in the mix a source begins (repeatable): 90,
                              1:30.5, 500ms or 44100S (see 'rawaudio help times').
                              (default: 0)
    : start end
      -d, --duration <time>   How long: 90, 1:30.5, 500ms or 44100S (see 'rawaudio
                              help times'). (default: to the end of the last source)
    : resampler-quality dither fail-on

    EDITS:
    : channel-map trim-silence normalize highpass lowpass eq fade-in fade-out fade-curve pad
          --invert[=<numbers>]
                              Invert the polarity of all sources, or of some:
                              --invert=2,3.
          --duck <duck>       Take a source down while another one sounds: 2:1,-12dB
                              is source 2 by 12 dB under source 1 (repeatable).
                              Behind commas: threshold=-40 (dBFS, from which a
                              sample counts), attack=0.1, hold=0.5, release=1
                              (seconds).
    : loudness true-peak limit

    INPUT OPTIONS:
    : input-type input-rate input-channels input-format ignore-length decoder spool-limit

    OUTPUT OPTIONS:
    : output force type rate channels format quality bitrate compression encoder

    METADATA OPTIONS:
    : strip tag tags-from

    RECORDING OPTIONS:
    : split utc keep threshold pre-roll hold sync

    OBSERVERS:
    : observe' samples-per-call

    GENERAL OPTIONS:
    : quiet verbose help

    EXAMPLES:
      Two tones, left and right:
        rawaudio mix tone:440 tone:660 --pan -1 --pan 1 -c 2 -d 5 -o chord.wav
      The second source a second and a half later, both 6 dB quieter:
        rawaudio mix chord.wav chord.wav --offset 0 --offset 1.5 \
          --gain -6 -o sum.wav
      Through another program:
        rawaudio mix chord.wav sum.wav | ffmpeg -i - out.mp3

    """#)
}
