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
    : channel-map trim-silence normalize highpass lowpass eq fade-in fade-out fade-curve pad
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

    OPTIONS FOR MANY FILES:
    : list null shard jobs max-failures results

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
    : strip tag tags-from
          --replaygain        Set the tags of ReplayGain 2 (to -18 LUFS), in Opus
                              files those of R128 (to -23 LUFS), of the album with
                              --album.

    RECORDING OPTIONS:
    : split utc keep threshold pre-roll hold sync

    OBSERVERS:
    : observe samples-per-call

    GENERAL OPTIONS:
    : quiet verbose help

    EXAMPLES:
      A test signal of ten seconds:
        rawaudio convert sweep:20-20000 -d 10 --gain -3 -o sweep.flac
      Raw samples for a speech recogniser:
        rawaudio convert sweep.flac -r 16000 -c 1 -f s16 -t raw -o speech.raw
      The first two and a half seconds of each file, quieter, in a folder:
        rawaudio convert sweep.flac chord.wav -d 2.5 --gain -6 -o 'quiet/{stem}.wav'

    """)
}
