// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let session = #"""
    OVERVIEW: Run local, remote and shared sources, three sinks and observers at
    once.

    The local source passes record and goes to the publish sink. Remote and shared
    sources pass before-mixing; their sum passes playback and goes to the playback
    sink. Both together pass mixed and go to the mixed sink. At least one source is
    needed, and a sink or an observer that tells something. The options of the
    output are those of every sink that is a file.
    With --listen, programs in any language join while the session runs: as sources,
    as observers, or in control. /usr/share/doc/rawaudio/joining.md says how (or
    below /usr/local/share).

    USAGE: rawaudio session [<options>]

    OPTIONS:
          --local <source>    The source that passes record, with the id local.
          --remote <[group/][id=]source>
                              A source that passes before-mixing (repeatable). Its
                              id is its place among the remote sources, from 1,
                              unless one is named: anna=a.wav, room/anna=a.wav.
          --shared <[group/][id=]source>
                              The same for a source that everybody shares; its id is
                              shared unless one is named.
          --publish <sink>    Where the local source goes to.
          --playback <sink>   Where the sum of the remote and shared sources goes
                              to.
          --mixed <sink>      Where record and playback together go to.
      -d, --duration <time>   How long, of the local source and of the sum: 90,
                              1:30.5, 500ms or 44100S (see 'rawaudio help times').
                              (default: to the end of the last source)
          --listen <socket>   Let programs join through a Unix socket, which only
                              you can connect to and which is removed at the end.
                              The session goes on without a source, until it is
                              stopped.
          --client-limit <count>
                              With --listen, how many samples a second a program may
                              send or ask for, rate times channels; all together
                              eight times as many. By default 16 channels at 192
                              kHz. (default: 3072000)
          --until-empty       With --listen, end when the last source has left, once
                              there was one.
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
          --force             Replace existing files.
      -t, --type <type>       Container of the output: wav, flac, raw, ... (default:
                              by the output's name, else wav)
      -r, --rate <hertz>      Sample rate of the sums and of every file. (default:
                              the highest among the sources)
      -c, --channels <count>  Channels of the sums and of every file. (default: the
                              largest count among the sources)
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
                              POSITION is record, before-mixing, shared, playback or
                              mixed. For example record:meter; see 'rawaudio help
                              observers'.
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
      Two voices and music: what is heard, and a track for each:
        rawaudio session --remote room/anna=tone:300 --remote room/ben=tone:500 \
          --shared music=noise:pink -d 3 --observe before-mixing:gain=-12 \
          --observe before-mixing:tap=track-%s.wav --playback heard.wav
      A meeting: the microphone in one file, everything in another:
        rawaudio session --local alsa:default --remote heard.wav -d 3 \
          --publish me.wav --mixed meeting.wav
      Whoever joins, in one file and in a track each; all lie side by side:
        rawaudio session --listen joining.sock -d 3 --playback joined.wav \
          --observe before-mixing:tap=joined-%s.wav

    """#
}
