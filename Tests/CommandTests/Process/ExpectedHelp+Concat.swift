// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let concat = """
    OVERVIEW: Join sources, one after another, in one output.

    Nothing lies between two sources, and nothing is lost. Sources of different
    rates and channel counts are converted; each begins where the exact sum of the
    lengths before it ends, rounded up to a sample. Parts of one recording are
    converted as one stream. '--start', '--end' and the input options apply to all
    sources where they are given once, and in order where they are given once for
    each; fades are those of the whole. To observers the whole is one source.

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
          --marks             Put a mark with its name where each source begins, as
                              far as the container can.
          --start <time>      Where in the source to begin: 90, 1:30.5, 500ms or
                              44100S (see 'rawaudio help times'); with a minus in
                              front, counted back from its end. (default: 0)
          --end <time>        Where in the source to end, written as --start.
                              (default: the source's end)
          --gain <db>         Change the level by this many decibels. (default: 0)
          --resampler-quality <quality>
                              Quality of rate conversions: fast, high or best.
                              (default: high)
          --dither <kind>     Noise added to all samples before rounding: none or
                              tpdf. (default: none)
          --fail-on <condition>
                              Exit with 2 where one of these happened: clip, xrun,
                              truncated, short, metadata, loudness (comma list,
                              repeatable). (default: none)

    EDITS:
          --fade-in <time>    Fade in from the beginning, for so long.
          --fade-out <time>   Fade out before the end, for so long.
          --fade-curve <curve>
                              How fades go: linear, equal-power (sine; for
                              crossfades), raised-cosine (no corners) or logarithmic
                              (in decibels). (default: linear)
          --highpass <hz>     Take away what is below so many hertz, by 12 dB an
                              octave; with ,order=N (1 to 8) by N times 6 dB.
          --lowpass <hz>      Take away what is above so many hertz, by 24 dB an
                              octave, or ,order=N.
          --eq <band>         A band of an equaliser (repeatable, in order):
                              peak=HZ,gain=DB[,q=Q], lowshelf=HZ,gain=DB,
                              highshelf=HZ,gain=DB, notch=HZ[,q=Q] or
                              bandpass=HZ[,q=Q].
          --loudness <lufs>   Change the level so that the integrated loudness of
                              all is so many LUFS. The output waits in a temporary
                              file until all is measured.
          --true-peak <dbtp>  What --loudness does not take the true peak beyond, in
                              dBTP: it stops short, which --fail-on loudness makes
                              an error. With --limit it does not stop. (default: -1)
          --limit <dbtp>      Keep the true peak at or below so many dBTP, last of
                              all, by a limiter that looks ahead; behind commas
                              release=TIME (100ms) and lookahead=TIME (5ms).

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

    OUTPUT OPTIONS:
      -o, --output <sink>     Where to write: a path, - for standard output,
                              alsa:NAME for a device, null: for nowhere. (default: a
                              WAV stream on standard output)
          --force             Replace an existing output file.
      -t, --type <type>       Container of the output: wav, flac, raw, ... (default:
                              by the output's name, else wav)
      -r, --rate <hertz>      Sample rate of the output. (default: the highest among
                              the inputs)
      -c, --channels <count>  Channels of the output. (default: the largest count
                              among the inputs)
      -f, --format <encoding>
                              Encoding of the output: u8, s16, s24, s32, f32, f64,
                              ulaw, ... (default: the widest among the inputs)
          --quality <number>  For Vorbis, AAC and MP3 of variable bit rate: 0,
                              small, to 10, best. (default: the codec's)
          --bitrate <kbps>    For MP3 of constant bit rate, Opus, AAC, AC-3 and WMA,
                              in kbit/s of all channels: 128 or 128k. (default: the
                              codec's)
          --compression <level>
                              For FLAC: 0, fast, to 8, small. (default: 5)
          --encoder <who>     What libsndfile does not write (m4a, m4b, aac, mka,
                              ac3, eac3, wma) is encoded by ffmpeg where that is
                              installed (auto), or not at all (none). (default:
                              auto)

    METADATA OPTIONS:
          --tag <key=value>   Set a text of the output, as in TITLE=Dawn; KEY=
                              removes it (repeatable).
          --tags-from <file>  Take texts and pictures from another sound file.

    OBSERVERS:
          --observe <observer>
                              See or change the audio on its way (repeatable, in
                              order):
                              POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT].
                              POSITION is record. For example record:meter; see
                              'rawaudio help observers'.
          --samples-per-call <samples>
                              What an observer gets in one call, where it names no
                              number itself, and what a pipe gets in one write. It
                              counts the samples of all channels: 4410 at 44100 Hz
                              are 100 ms in mono, 50 ms in stereo. (default: 10 ms)

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      Parts of a recording as one file:
        rawaudio concat sweep.flac sweep.flac -o whole.wav
      A second of silence between two files:
        rawaudio concat chord.wav sum.wav --gap 1 -o list.flac
      One fades into the other:
        rawaudio concat chord.wav sum.wav --crossfade 0.5 --fade-out 2 -o faded.wav

    """
}
