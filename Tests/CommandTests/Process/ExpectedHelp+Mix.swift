extension ExpectedHelp {
  static let mix = """
    OVERVIEW: Sum any number of sources.

    Sources of different rates and channel counts are converted; the levels stay as
    they are. On a terminal the mix is played on the default device, unless an
    output is named.
    '--gain', '--pan', '--offset' and the input options apply to all sources where
    they are given once, and in order where they are given once for each source. To
    observers the sources are 1, 2, ... in order; level, balance and offset act
    behind before-mixing.

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
      -d, --duration <time>   How long: 90, 1:30.5, 500ms or 44100S (see 'rawaudio
                              help times'). (default: to the end of the last source)
          --resampler-quality <quality>
                              Quality of rate conversions: fast, high or best.
                              (default: high)
          --dither <kind>     Noise added to all samples before rounding: none or
                              tpdf. (default: none)
          --fail-on <condition>
                              Exit with 2 where one of these happened: clip, xrun,
                              truncated, metadata (comma list, repeatable).
                              (default: none)

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
                              ulaw, ...
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

    METADATA OPTIONS:
          --strip             Keep nothing of what the source carries beside its
                              samples.
          --tag <key=value>   Set a text of the output, as in TITLE=Dawn; KEY=
                              removes it (repeatable).
          --tags-from <file>  Take texts and pictures from another sound file.

    OBSERVERS:
          --observe <observer>
                              See or change the audio on its way (repeatable, in
                              order):
                              POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT].
                              POSITION is playback, before-mixing or mixed. For
                              example playback:meter; see 'rawaudio help observers'.
          --samples-per-call <samples>
                              What an observer gets in one call, over all channels,
                              where it names no number itself. (default: 10 ms)

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      Two tones, left and right:
        rawaudio mix tone:440 tone:660 --pan -1 --pan 1 -c 2 -d 5 -o chord.wav
      The second source a second and a half later, both 6 dB quieter:
        rawaudio mix chord.wav chord.wav --offset 0 --offset 1.5 \\
          --gain -6 -o sum.wav
      Through another program:
        rawaudio mix chord.wav sum.wav | ffmpeg -i - out.mp3

    """
}
