extension ExpectedHelp {
  static let capture = """
    OVERVIEW: Record from a device.

    Records until the duration is reached or the command is interrupted, which
    completes the file. Rate, channels and format are also what the device is asked
    for.

    USAGE: rawaudio capture [<options>]

    OPTIONS:
      -d, --duration <time>   How long: [[h:]m:]s[.frac], or samples as in 44100s.
                              (default: until interrupted)
          --gain <db>         Change the level by this many decibels. (default: 0)
          --resampler-quality <quality>
                              Quality of rate conversions: fast, high or best.
                              (default: high)
          --dither <kind>     Noise added before rounding to fewer bits: none or
                              tpdf. (default: none)
          --fail-on <condition>
                              Exit with 2 where one of these happened: clip, xrun,
                              truncated (comma list, repeatable). (default: none)

    OUTPUT OPTIONS:
      -o, --output <sink>     Where to write: a path, - for standard output,
                              alsa:NAME for a device, null: for nowhere. (default: a
                              WAV stream on standard output)
          --force             Replace an existing output file.
      -t, --type <type>       Container of the output: wav, flac, raw, ... (default:
                              by the output's name, else wav)
      -r, --rate <hertz>      Sample rate of the device and of the output. (default:
                              48000 where the device offers it)
      -c, --channels <count>  Channels of the device and of the output. (default:
                              the device's, at most 2)
      -f, --format <encoding>
                              Encoding of the device and of the output: s16,
                              S24_3LE, s32, f32, ... (default: s16)

    DEVICE OPTIONS:
      -D, --device <name>     Name of an ALSA PCM: hw:CARD=PCH,DEV=0, plughw:1,0,
                              pulse, ... (default: default)
          --period-size <length>
                              Length of ALSA's transfer unit, in samples per channel
                              or as in 10ms. (default: the device's own)
          --buffer-size <length>
                              Length of the device's buffer, in samples per channel
                              or as in 200ms. (default: the device's own)

    OBSERVERS:
          --observe <observer>
                              See or change the audio on its way (repeatable, in
                              order):
                              POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT].
                              POSITION is record; SOURCE is a source's id.
                              Kinds that edit: gain=DB, resample=HERTZ, mix=SOURCE.
                              Kinds that tell: tap=FILE (writes a sound file; %s is
                              the source's id), meter (peak and RMS; a square wave
                              of full scale has 0 dBFS), events[=FILE] (a line of
                              JSON a call).
                              exec=COMMAND: raw samples through any program.
                              Keys: rate, channels, samples-per-call,
                              mode=read-only|read-write|write-only; for tap and exec
                              encoding; for exec latency (samples per channel) and
                              timeout (seconds).
                              For example record:meter, or
                              record,rate=16000,channels=1:tap=speech.wav.
          --samples-per-call <samples>
                              Samples, over all channels, that an observer gets in
                              one call where it names no number itself: at least 10
                              ms and a multiple of the channel count. (default: 10
                              ms)

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      Record in calls of 100 ms until Ctrl-C:
        rawaudio capture --rate 44100 --samples-per-call 4410 -o take.wav
      Five seconds, made quieter:
        rawaudio capture -d 5 | rawaudio convert - --gain -6 -o quiet.wav
      Raw samples for another program:
        rawaudio capture -d 5 -r 16000 -c 1 -f s16 -t raw -o - | od -t d2 | head

    """
}
