// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let play = """
    OVERVIEW: Play files or standard input on a device.

    Plays one after the other without a gap; Ctrl-C ends it. To observers the whole
    play list is one source with the id 1.

    USAGE: rawaudio play [<options>] <source> ...

    ARGUMENTS:
      <source>                What to play: paths, - for standard input, tone:440,
                              noise:white, noise:pink, sweep:20-20000 or silence:.

    OPTIONS:
          --start <time>      Where in the source to begin: 90, 1:30.5, 500ms or
                              44100S (see 'rawaudio help times'). (default: 0)
      -d, --duration <time>   How long: 90, 1:30.5, 500ms or 44100S (see 'rawaudio
                              help times'). (default: to the end)
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
          --highpass <hz>     Take away what is below so many hertz, by 12 dB an
                              octave; with ,order=N (1 to 8) by N times 6 dB.
          --lowpass <hz>      Take away what is above so many hertz, by 24 dB an
                              octave, or ,order=N.
          --eq <band>         A band of an equaliser (repeatable, in order):
                              peak=HZ,gain=DB[,q=Q], lowshelf=HZ,gain=DB,
                              highshelf=HZ,gain=DB, notch=HZ[,q=Q] or
                              bandpass=HZ[,q=Q].
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

    DEVICE OPTIONS:
      -D, --device <name>     Name of an ALSA PCM: hw:CARD=PCH,DEV=0, plughw:1,0,
                              pulse, ... (default: default)
          --period-size <length>
                              Length of ALSA's transfer unit, in samples per channel
                              or as in 10ms. (default: the device's own)
          --buffer-size <length>
                              Length of the device's buffer, in samples per channel
                              or as in 200ms. (default: the device's own)
          --priority[=<level>]
                              Run device threads before all ordinary ones
                              (SCHED_FIFO), at a level from 1 to 99, else 10;
                              without the right to it go on as usual, with a note.

    OBSERVERS:
          --force             Replace existing files of taps and events.
          --meter <how>       Levels on a terminal: in the status line, full for a
                              line a channel, or none. (default: line)
          --observe <observer>
                              See or change the audio on its way (repeatable, in
                              order):
                              POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT].
                              POSITION is playback, before-mixing or mixed. For
                              example playback:meter; see 'rawaudio help observers'.
          --samples-per-call <samples>
                              What an observer gets in one call, where it names no
                              number itself. It counts the samples of all channels:
                              4410 at 44100 Hz are 100 ms in mono, 50 ms in stereo.
                              (default: 10 ms)

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      A tone of three seconds:
        rawaudio play tone:440 --gain -20 -d 3
      What another program makes:
        sox -n -t wav - synth 3 sine 440 | rawaudio play -

    """
}
