// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let convert = """
    OVERVIEW: Convert encodings, containers, rates and channels; trim, fade and
    level.

    Samples that nothing has to change stay exactly as they are. Of many sources
    each becomes a file of its own, as if it were converted alone; one that fails
    never stops the others. The output's name is then a pattern: {path} is the
    source's folder below the one that all share, {stem} its name without extension,
    {id} what the list calls it, {n} its place in the list from 1; {{ and }} are
    braces.

    USAGE: rawaudio convert [<options>] [<source> ...]

    ARGUMENTS:
      <source>                What to convert: any number of paths, or one of - for
                              standard input, alsa:NAME for a device, tone:440,
                              noise:white, noise:pink, sweep:20-20000 or silence:.

    OPTIONS:
          --start <time>      Where in the source to begin: 90, 1:30.5, 500ms or
                              44100S (see 'rawaudio help times'); with a minus in
                              front, counted back from its end. (default: 0)
          --end <time>        Where in the source to end, written as --start.
                              (default: the source's end)
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
          --channel-map <list>
                              Take these channels, in order: numbers from 1 (2,1),
                              names (L, R, C, LFE, Ls, Rs, Lb, Rb, Cs), or mix for
                              all of them in one.
          --trim-silence <db>
                              Leave out what lies before the first sample, and
                              behind the last one, that reaches this level in dBFS.
          --normalize <db>    Change the level so that the largest sample is at so
                              many dBFS. The source is read twice; a pipe goes
                              through a temporary file. --gain comes on top.
          --highpass <hz>     Take away what is below so many hertz, by 12 dB an
                              octave; with ,order=N (1 to 8) by N times 6 dB.
          --lowpass <hz>      Take away what is above so many hertz, by 24 dB an
                              octave, or ,order=N.
          --eq <band>         A band of an equaliser (repeatable, in order):
                              peak=HZ,gain=DB[,q=Q], lowshelf=HZ,gain=DB,
                              highshelf=HZ,gain=DB, notch=HZ[,q=Q] or
                              bandpass=HZ[,q=Q].
          --fade-in <time>    Fade in from the beginning, for so long.
          --fade-out <time>   Fade out before the end, for so long.
          --fade-curve <curve>
                              How fades go: linear, equal-power (sine; for
                              crossfades), raised-cosine (no corners) or logarithmic
                              (in decibels). (default: linear)
          --pad <time>        Add silence at the end, or, as in 1,2, in front and at
                              the end; behind the fades.
          --invert            Invert the polarity.
          --reverse           Play it backwards, in front of all that changes the
                              sound; by a temporary file.
          --loudness <lufs>   Change the level so that the integrated loudness is so
                              many LUFS, by one gain for the whole source. The
                              source is read twice; a pipe goes through a temporary
                              file. --gain comes on top.
          --true-peak <dbtp>  What --loudness does not take the true peak beyond, in
                              dBTP: it stops short, which --fail-on loudness makes
                              an error. (default: -1)
          --album             With --loudness and --replaygain: all sources of the
                              run as one, with one gain.
          --limit <dbtp>      Keep the true peak at or below so many dBTP, last of
                              all, by a limiter that looks ahead; behind commas
                              release=TIME (100ms) and lookahead=TIME (5ms).

    OPTIONS FOR MANY FILES:
          --list <file>       Take the sources from a list (- for standard input): a
                              path a line, or an object of JSON a line with source,
                              and optionally id, output, offset and duration in
                              seconds.
          --null              Zero bytes end the paths of the list, as find -print0
                              writes them.
          --shard <i/n>       Work on a part of the list only: 3/8 is every eighth
                              item from the third on. (default: the whole list)
      -j, --jobs <count>      How many files to work on at the same time. (default:
                              one for each processor)
          --max-failures <count>
                              Give up after so many files have failed. (default:
                              never)
          --results <file>    Append a line of JSON for each source to a file (- for
                              standard output).

    INPUT OPTIONS:
          --track <number>    Which sound track of a video is read, and replaced
                              where the output is a video. (default: 1)
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
          --into <video>      Put the sound into a video in the place of its own:
                              --into talk.mp4 -o out.mp4.
      -o, --output <sink>     Where to write: a path, - for standard output,
                              alsa:NAME for a device, null: for nowhere. (default: a
                              WAV stream on standard output)
          --force             Replace an existing output file.
          --existing <what>   What to do with an output that is there already: fail,
                              skip its source, or replace it. (default: fail)
      -t, --type <type>       Container of the output: wav, flac, raw, ... (default:
                              by the output's name, else wav)
      -r, --rate <hertz>      Sample rate of the output. (default: the source's)
      -c, --channels <count>  Channels of the output. (default: the source's)
      -f, --format <encoding>
                              Encoding of the output: u8, s16, s24, s32, f32, f64,
                              ulaw, ... (default: the source's)
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
          --strip             Keep nothing of what the source carries beside its
                              samples.
          --tag <key=value>   Set a text of the output, as in TITLE=Dawn; KEY=
                              removes it (repeatable).
          --tags-from <file>  Take texts and pictures from another sound file.
          --replaygain        Set the tags of ReplayGain 2 (to -18 LUFS), in Opus
                              files those of R128 (to -23 LUFS), of the album with
                              --album.

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
      A test signal of ten seconds:
        rawaudio convert sweep:20-20000 -d 10 --gain -3 -o sweep.flac
      Raw samples for a speech recogniser:
        rawaudio convert sweep.flac -r 16000 -c 1 -f s16 -t raw -o speech.raw
      The first two and a half seconds of each file, quieter, in a folder:
        rawaudio convert sweep.flac chord.wav -d 2.5 --gain -6 -o 'quiet/{stem}.wav'

    """
}
