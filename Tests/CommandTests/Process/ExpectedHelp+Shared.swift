// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  /// The entries of options that several pages share. An apostrophe marks another text for an option.
  static let entries: [String: String] = {
    var entries: [String: String] = [:]
    var name = ""
    for line in shared.split(separator: "\n") {
      if line.starts(with: /\ {2,6}-/), let long = line.firstMatch(of: /--([a-z-]+)/) {
        name = String(long.1)
        while entries[name] != nil { name += "'" }
        entries[name] = String(line)
      } else {
        entries[name, default: ""] += "\n" + line
      }
    }
    return entries
  }()

  private static let shared = """
      -h, --help              Show help information.
          --json              Print JSON.
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print negotiated and chosen settings.
          --json              Print JSON, one object for each file in one array.
          --json-lines        Print JSON, one object for each file in a line of its
                              own, as they come.
          --list <file>       Take the sources from a list (- for standard input): a
                              path a line, or an object of JSON a line with source,
                              and optionally id, output, start, end or duration.
          --null              Zero bytes end the paths of the list, as find -print0
                              writes them.
          --shard <i/n>       Work on a part of the list only: 3/8 is every eighth
                              item from the third on. (default: the whole list)
      -j, --jobs <count>      How many files to work on at the same time. (default:
                              one for each processor)
          --decoder <who>     Files that libsndfile does not know (m4a, wv, ape,
                              spx, wma, video) are decoded by ffmpeg if installed
                              (auto), or not at all (none); ffmpeg decodes every
                              file. (default: auto)
          --spool-limit <size>
                              How much of standard input a temporary file, in the
                              folder of TMPDIR, may hold if a container can only be
                              read by seeking. (default: 4GiB)
          --gain <db>         Change the level by this many decibels. (default: 0)
          --resampler-quality <quality>
                              Quality of rate conversions: fast, high or best.
                              (default: high)
          --dither <kind>     Noise added to all samples before rounding: none or
                              tpdf. (default: none)
          --fail-on <condition>
                              Exit with 2 if one of these happened: clip, xrun,
                              truncated, short, metadata, loudness (comma list,
                              repeatable). (default: none)
          --json              Tell gaps and, at the end, a summary in lines of JSON
                              on standard error.
          --highpass <hz>     Cut sound below so many hertz, by 12 dB an octave;
                              with ,order=N (1 to 8) by N times 6 dB.
          --lowpass <hz>      Cut sound above so many hertz, by 24 dB an octave, or
                              ,order=N.
          --eq <band>         A band of an equaliser (repeatable, in order):
                              peak=HZ,gain=DB[,q=Q], lowshelf=HZ,gain=DB,
                              highshelf=HZ,gain=DB, notch=HZ[,q=Q] or
                              bandpass=HZ[,q=Q].
          --limit <dbtp>      Keep the true peak at or below so many dBTP, last of
                              all, by a limiter that looks ahead; behind commas
                              release=TIME (100ms) and lookahead=TIME (5ms).
      -o, --output <sink>     Where to write: a path, - for standard output,
                              alsa:NAME for a device, null: for nowhere. (default: a
                              WAV stream on standard output)
          --force             Replace an existing output file.
      -t, --type <type>       Container of the output: wav, flac, raw, ... (default:
                              by the output's name, else wav)
          --quality <number>  For Vorbis, AAC and MP3 of variable bit rate: 0,
                              small, to 10, best. (default: the codec's)
          --bitrate <kbps>    For MP3 of constant bit rate, Opus, AAC, AC-3 and WMA,
                              in kbit/s of all channels: 128 or 128k. (default: the
                              codec's)
          --compression <level>
                              For FLAC: 0, fast, to 8, small. (default: 5)
          --encoder <who>     Files that libsndfile does not write (m4a, m4b, aac,
                              mka, ac3, eac3, wma) are encoded by ffmpeg if
                              installed (auto), or not at all (none). (default:
                              auto)
          --tag <key=value>   Set a text of the output, as in TITLE=Dawn; KEY=
                              removes it (repeatable).
          --tags-from <file>  Take texts and pictures from another sound file.
          --cover <picture>   Take a JPEG or PNG file as the front cover of the
                              output.
          --marks <table>     Take the marks of the output from a table (see
                              'rawaudio help pieces').
          --chapters <table>  Take the chapters of the output from a table, in its
                              order.
          --split <point>     Begin a new file after so much time (60, 1:00:00), at
                              the quietest place before it (30,quiet=5), overlapping
                              the last one (30,overlap=2), when the clock on the
                              wall begins a stretch (hour, day, 15min, 6hours),
                              before a size is exceeded (2GiB, 700MB), with each
                              event of --threshold (event), or only on SIGUSR1
                              (signal), which also works with the others
                              (repeatable); channels gives each channel its own
                              files, named by {channel} or {track}. The output's
                              name is then a pattern: %03d is the file's number from
                              0, %% a percent sign, any other conversion that of
                              strftime, such as %F_%H%M%S; folders behind the first
                              are made, as in %Y/%m/%d/%H.wav. From a device, a name
                              that is a pattern means signal. (default: one file)
          --utc               Take the times in names, in a recording and at which
                              --split cuts in UTC, not in local time (or that of
                              TZ).
          --keep <how much>   Remove the oldest parts of a recording: those that
                              ended so long ago (30d, 12h), or those beyond so much
                              (500GiB), those of earlier runs included (repeatable).
                              Only files whose names come from the pattern are,
                              never the last. (default: everything)
          --threshold <db>    Record only around samples that reach this level in
                              dBFS. (default: record everything)
          --pre-roll <time>   How much to record before the first sample that
                              reaches --threshold. (default: 0.5)
          --hold <time>       How much to record after the last one. (default: 2)
          --min-length <time>
                              Leave out shorter sounds. (default: 0)
          --join <time>       Take sounds as one if the pause between them is no
                              longer than this. (default: --hold)
          --last <time>       Keep only so much, in memory, and write it on SIGUSR1,
                              each time into a new file.
          --labels <file>     Write a table of the parts or events: .csv, .tsv,
                              .jsonl, or .txt for Audacity.
          --sync <when>       When to force the file onto the disk, where a power
                              cut cannot take it: never, at its end, or always: also
                              twice a second while it grows. (default: always for a
                              live recording, else never)
          --on-part <command>
                              Have the shell run this for every part that is
                              complete, or for the only file: one after another,
                              beside the recording. RAWAUDIO_PART is its path,
                              RAWAUDIO_PART_JSON its details.
          --metrics <file>    Write figures for Prometheus into this file, whole,
                              twice a minute.
          --reopen            Wait for a device that is lost, and go on when it is
                              back: in a new part if the output's name is a pattern,
                              else behind as much silence.
          --alarm-silence <time>
                              Tell when nothing has reached --silence-level for so
                              long, and when it is over.
          --silence-level <db>
                              For --alarm-silence: the lowest level that is no
                              silence, in dBFS. (default: -60)
          --alarm-level <range>
                              Tell when the RMS of ten seconds, of the loudest
                              channel, is not between two levels in dBFS: -50..-6,
                              -50.. or ..-6.
          --alarm-clipping    Tell when three samples in a row are at full scale,
                              and when that was not so for ten seconds.
          --alarm-xruns <rate>
                              Tell when a device overran or underran more often than
                              this: 5/min, 20/h.
          --alarm-space <size>
                              Tell when the disk has less room than this: 10GiB, or
                              12h of the recording.
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
          --on-xrun <action>  For samples that a device lost: fill puts silence in
                              their place, mark also a cue point into a WAV file,
                              fail ends the recording with exit code 1. (default:
                              fill)
          --ring-size <length>
                              How much is held when the output does not keep up, in
                              samples per channel or as in 4000ms. (default: 4000ms)
          --meter <how>       Levels on a terminal: in the status line, full for a
                              line a channel, or none. (default: line)
          --observe <observer>
                              See or change the audio on its way (repeatable, in
                              order):
                              POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT].
                              POSITION is record. For example record:meter; see
                              'rawaudio help observers'.
          --samples-per-call <samples>
                              Samples per call of an observer that names no number
                              itself, and per write to a pipe. The samples of all
                              channels count: 4410 at 44100 Hz are 100 ms in mono,
                              50 ms in stereo. (default: 10 ms)
          --start <time>      Where in the source to begin: 90, 1:30.5, 500ms or
                              44100S (see 'rawaudio help times'); with a minus in
                              front, counted back from its end; @13:37 by the clock.
                              (default: 0)
          --end <time>        Where in the source to end, written as --start.
                              (default: the source's end)
          --fade-in <time>    Fade in from the beginning, for so long.
          --fade-out <time>   Fade out before the end, for so long.
          --fade-curve <curve>
                              How fades go: linear, equal-power (sine; for
                              crossfades), raised-cosine (no corners) or logarithmic
                              (in decibels). (default: linear)
          --loudness <lufs>   Change the level so that the integrated loudness of
                              all is so many LUFS. The output waits in a temporary
                              file until all is measured.
          --true-peak <dbtp>  The highest true peak that --loudness may cause, in
                              dBTP: it stops short, which --fail-on loudness makes
                              an error. With --limit it does not stop. (default: -1)
          --input-type <type>
                              Container of the input, if its name and content do not
                              tell: raw for none.
          --input-rate <hertz>
                              Sample rate of a headerless input.
          --input-channels <count>
                              Channels of a headerless input.
          --input-format <encoding>
                              Encoding of a headerless input: s16, S24_3LE, f32,
                              ulaw, ... Of 24 bits in four bytes in WAV: S24_LE for
                              the low three, s32 for the high.
          --ignore-length     Read on if there is more sound than the header states.
      -r, --rate <hertz>      Sample rate of the output. (default: the highest among
                              the inputs)
      -c, --channels <count>  Channels of the output. (default: the largest count
                              among the inputs)
      -f, --format <encoding>
                              Encoding of the output: u8, s16, s24, s32, f32, f64,
                              ulaw, ... (default: the widest among the inputs)
      -d, --duration <time>   How long: 90, 1:30.5, 500ms or 44100S (see 'rawaudio
                              help times'). (default: to the end)
          --channel-map <list>
                              Take these channels, in order: numbers from 1 (2,1),
                              names (L, R, C, LFE, Ls, Rs, Lb, Rb, Cs), mix for all
                              of them in one, sums (0.5*L+0.5*R), -1 inverted, 0 for
                              silence.
          --trim-silence <db>
                              Leave out all before the first sample, and behind the
                              last one, that reaches this level in dBFS.
          --normalize <db>    Change the level so that the largest sample is at so
                              many dBFS. The source is read twice; a pipe goes
                              through a temporary file. --gain comes on top.
          --delay <times>     Delay single channels, in order: 0,3ms,12S; behind the
                              fades.
          --pad <time>        Add silence at the end, or, as in 1,2, in front and at
                              the end; behind the fades.
          --max-failures <count>
                              Give up after so many files have failed. (default:
                              never)
          --results <file>    Append a line of JSON for each source to a file (- for
                              standard output).
          --strip             Keep none of the metadata beside the source's samples.
          --observe <observer>
                              See or change the audio on its way (repeatable, in
                              order):
                              POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT].
                              POSITION is playback, before-mixing or mixed. For
                              example playback:meter; see 'rawaudio help observers'.
    """
}
