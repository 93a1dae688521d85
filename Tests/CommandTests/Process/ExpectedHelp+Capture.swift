// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let capture = """
    OVERVIEW: Record from a device.

    Records until the duration is reached or the command is interrupted, which
    completes the file. Rate, channels and format are also what the device is asked
    for. The recording keeps to the device's clock: silence stands for samples that
    were lost, and the end tells how many.

    USAGE: rawaudio capture [<options>]

    OPTIONS:
          --start <time>      How much of the beginning to leave out: 90, 1:30.5,
                              500ms or 44100S (see 'rawaudio help times'). (default:
                              0)
      -d, --duration <time>   How long: 90, 1:30.5, 500ms or 44100S (see 'rawaudio
                              help times'). (default: until interrupted)
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
          --json              Tell gaps and, at the end, a summary in lines of JSON
                              on standard error.

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
          --no-bext           Do not write into the file when it was recorded, which
                              WAV has a 'bext' chunk for.

    RECORDING OPTIONS:
          --split <point>     Begin a new file after so much time (60, 1:00:00),
                              where the clock on the wall begins a stretch (hour,
                              day, 15min, 6hours), before a size is exceeded (2GiB,
                              700MB), with each event of --threshold (event), or
                              only on SIGUSR1 (signal), which also works with the
                              others (repeatable). The output's name is then a
                              pattern: %03d is the file's number from 0, %% a
                              percent sign, any other conversion that of strftime,
                              such as %F_%H%M%S; folders behind the first are made,
                              as in %Y/%m/%d/%H.wav. From a device, a name that is a
                              pattern means signal. (default: one file)
          --utc               Take times in names, and those at which --split cuts,
                              in UTC instead of local time (or that of TZ).
          --keep <how much>   Remove the oldest parts of a recording: those that
                              ended so long ago (30d, 12h), or what is more than so
                              much (500GiB), those of earlier runs included
                              (repeatable). Only files whose names come from the
                              pattern are, never the last. (default: everything)
          --threshold <db>    Record only where a sample reaches this level in dBFS.
                              (default: record everything)
          --pre-roll <time>   How much to record before the first sample that
                              reaches --threshold. (default: 0.5)
          --hold <time>       How much to record after the last one. (default: 2)
          --sync <when>       When to force the file onto the disk, where a power
                              cut cannot take it: never, at its end, or always: also
                              twice a second while it grows. (default: always for a
                              live recording, else never)

    UNATTENDED RECORDING:
          --on-part <command>
                              Have the shell run this for every part that is
                              complete, or for the only file: one after another,
                              beside the recording. RAWAUDIO_PART is its path,
                              RAWAUDIO_PART_JSON what there is to know of it.
          --reopen            Wait for a device that is lost, and go on when it is
                              back: in a new part where the output's name is a
                              pattern, else behind as much silence.
          --alarm-silence <time>
                              Tell where nothing has reached --silence-level for so
                              long, and where it is over.
          --silence-level <db>
                              For --alarm-silence: what is no silence, in dBFS.
                              (default: -60)
          --alarm-level <range>
                              Tell where the RMS of ten seconds, of the loudest
                              channel, is not between two levels in dBFS: -50..-6,
                              -50.. or ..-6.
          --alarm-clipping    Tell where three samples in a row are at full scale,
                              and where that was not so for ten seconds.
          --alarm-xruns <rate>
                              Tell where a device overran or underran more often
                              than this: 5/min, 20/h.
          --alarm-space <size>
                              Tell where the disk has less room than this: 10GiB, or
                              12h of the recording.

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
          --on-xrun <action>  What becomes of samples that a device lost: fill puts
                              silence in their place, mark also a cue point into a
                              WAV file, fail ends the recording with exit code 1.
                              (default: fill)
          --rate-policy <policy>
                              Where the device does not give the rate of --rate:
                              fail, or resample from the nearest that it has.
                              (default: fail)
          --ring-size <length>
                              How much is held when the output does not keep up, in
                              samples per channel or as in 4000ms. (default: 4000ms)

    OBSERVERS:
          --meter <how>       Levels on a terminal: in the status line, full for a
                              line a channel, or none. (default: line)
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
      Give another program stereo in pieces of 50 ms until Ctrl-C:
        rawaudio capture -r 44100 -c 2 --samples-per-call 4410 \\
          | rawaudio convert - -o take.flac
      Five seconds, made quieter:
        rawaudio capture -d 5 | rawaudio convert - --gain -6 -o quiet.wav
      A file for each sound until Ctrl-C:
        rawaudio capture --threshold -40dB --split event -o sound-%03d.wav

    """
}
