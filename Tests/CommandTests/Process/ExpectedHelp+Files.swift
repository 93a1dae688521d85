// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let convert = page(
    """
    OVERVIEW: Convert encodings, containers, rates and channels; trim, fade and
    level.

    Samples that nothing has to change stay exactly as they are. Of many sources
    each becomes a file of its own, as if it were converted alone; one that fails
    never stops the others. The output's name is then a pattern: {path} is the
    source's folder below the one that all share, {stem} its name without extension,
    {id} its id in the list, {n} its place in the list from 1; {{ and }} are braces.

    USAGE: rawaudio convert [<options>] [<source> ...]

    ARGUMENTS:
      <source>                What to convert: any number of paths, or one of - for
                              standard input, alsa:NAME for a device, tone:440,
                              noise:white, noise:pink, sweep:20-20000 or silence:.

    OPTIONS:
    : start end duration gain resampler-quality dither fail-on

    EDITS:
    : channel-map trim-silence normalize highpass lowpass eq fade-in fade-out fade-curve delay pad
          --invert            Invert the polarity.
          --reverse           Play it backwards, in front of all that changes the
                              sound; by a temporary file.
          --loudness <lufs>   Change the level so that the integrated loudness is so
                              many LUFS, by one gain for the whole source. The
                              source is read twice; a pipe goes through a temporary
                              file. --gain comes on top.
          --true-peak <dbtp>  The highest true peak that --loudness may cause, in
                              dBTP: it stops short, which --fail-on loudness makes
                              an error. (default: -1)
          --album             With --loudness and --replaygain: all sources of the
                              run as one, with one gain.
    : limit

    : OPTIONS FOR MANY FILES
          --segments <table>  Convert the pieces that a table names, each to its own
                              output (see 'rawaudio help pieces').
          --at <mark>         Convert the piece from a mark or chapter, by its label
                              or number, to the next one.

    INPUT OPTIONS:
          --track <number>    Sound track of a video to read, and to replace if the
                              output is a video. (default: 1)
    : input-type input-rate input-channels input-format ignore-length decoder spool-limit

    OUTPUT OPTIONS:
          --into <video>      Put the sound into a video in the place of its own:
                              --into talk.mp4 -o out.mp4.
    : output force
          --existing <what>   If an output exists already: fail, skip its source, or
                              replace it. (default: fail)
    : type
      -r, --rate <hertz>      Sample rate of the output. (default: the source's)
      -c, --channels <count>  Channels of the output. (default: the source's)
      -f, --format <encoding>
                              Encoding of the output: u8, s16, s24, s32, f32, f64,
                              ulaw, ... (default: the source's)
    : quality bitrate compression encoder

    METADATA OPTIONS:
    : strip tag tags-from cover marks chapters
          --replaygain        Set the tags of ReplayGain 2 (to -18 LUFS), in Opus
                              files those of R128 (to -23 LUFS), of the album with
                              --album.

    : RECORDING OPTIONS

    OBSERVERS:
    : observe samples-per-call

    : GENERAL OPTIONS

    EXAMPLES:
      A test signal of ten seconds:
        rawaudio convert sweep:20-20000 -d 10 --gain -3 -o sweep.flac
      Raw samples for a speech recogniser:
        rawaudio convert sweep.flac -r 16000 -c 1 -f s16 -t raw -o speech.raw
      The first two and a half seconds of each file, quieter, in a folder:
        rawaudio convert sweep.flac chord.wav -d 2.5 --gain -6 -o 'quiet/{stem}.wav'

    """)

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
          --to-channels       Give the channels of each source places of their own,
                              one behind the other, instead of a sum.
    : start end
      -d, --duration <time>   How long: 90, 1:30.5, 500ms or 44100S (see 'rawaudio
                              help times'). (default: to the end of the last source)
    : resampler-quality dither fail-on

    EDITS:
    : channel-map trim-silence normalize highpass lowpass eq fade-in fade-out fade-curve delay pad
          --invert[=<numbers>]
                              Invert the polarity of all sources, or of some:
                              --invert=2,3.
          --duck <duck>       Take a source down while another one sounds: 2:1,-12dB
                              is source 2 by 12 dB under source 1 (repeatable).
                              Behind commas: threshold=-40 (dBFS, from which a
                              sample counts), attack=0.1, hold=0.5, release=1
                              (seconds).
    : loudness true-peak limit

    : INPUT OPTIONS

    OUTPUT OPTIONS:
    : output force type rate channels format quality bitrate compression encoder

    METADATA OPTIONS:
    : strip tag tags-from cover marks chapters

    : RECORDING OPTIONS

    OBSERVERS:
    : observe' samples-per-call

    : GENERAL OPTIONS

    EXAMPLES:
      Two tones, left and right:
        rawaudio mix tone:440 tone:660 --pan -1 --pan 1 -c 2 -d 5 -o chord.wav
      The second source a second and a half later, both 6 dB quieter:
        rawaudio mix chord.wav chord.wav --offset 0 --offset 1.5 \
          --gain -6 -o sum.wav
      Through another program:
        rawaudio mix chord.wav sum.wav | ffmpeg -i - out.mp3

    """#)

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
          --marks             Put a mark with its title or name where each source
                              begins, if the container has marks.
    : start end gain resampler-quality dither fail-on

    EDITS:
    : fade-in fade-out fade-curve highpass lowpass eq loudness true-peak limit

    : INPUT OPTIONS

    OUTPUT OPTIONS:
    : output force type rate channels format quality bitrate compression encoder

    METADATA OPTIONS:
    : tag tags-from cover

    OBSERVERS:
    : observe samples-per-call

    : GENERAL OPTIONS

    EXAMPLES:
      Parts of a recording as one file:
        rawaudio concat sweep.flac sweep.flac -o whole.wav
      A second of silence between two files:
        rawaudio concat chord.wav sum.wav --gap 1 -o list.flac
      One fades into the other:
        rawaudio concat chord.wav sum.wav --crossfade 0.5 --fade-out 2 -o faded.wav

    """)

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

    : OPTIONS FOR MANY FILES

    : INPUT OPTIONS

    : GENERAL OPTIONS

    EXAMPLES:
      For people:
        rawaudio measure take.wav
      Any number of files, which have to be as loud as a broadcaster wants them:
        rawaudio measure --expect loudness=-23±0.5 *.wav
      For another program:
        rawaudio measure --json-lines --jobs 4 *.wav

    """)
}
