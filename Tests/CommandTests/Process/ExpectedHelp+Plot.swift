// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let plot = """
    OVERVIEW: Draw waveform and spectrogram as a picture or into the terminal, or
    write peaks for players.

    The waveform shows the extremes and the RMS of each stretch of time, the
    spectrogram how strong each frequency is. Memory does not grow with the length
    of the source. Peaks are those of BBC audiowaveform, version 2, which players in
    web pages take.

    USAGE: rawaudio plot [<options>] <source>

    ARGUMENTS:
      <source>                What to draw: a path, - for standard input, alsa:NAME
                              for a device, tone:440, noise:white, noise:pink,
                              sweep:20-20000 or silence:.

    OPTIONS:
          --start <time>      Where in the source to begin: 90, 1:30.5, 500ms or
                              44100S (see 'rawaudio help times'); with a minus in
                              front, counted back from its end. (default: 0)
          --end <time>        Where in the source to end, written as --start.
                              (default: the source's end)
      -d, --duration <time>   How long: 90, 1:30.5, 500ms or 44100S (see 'rawaudio
                              help times'). (default: to the end)
          --fail-on <condition>
                              Exit with 2 where one of these happened: clip, xrun,
                              truncated, short, metadata, loudness (comma list,
                              repeatable). (default: none)

    EDITS:
          --channel-map <list>
                              Take these channels, in order: numbers from 1 (2,1),
                              names (L, R, C, LFE, Ls, Rs, Lb, Rb, Cs), or mix for
                              all of them in one.

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
      -o, --output <path>     Where to write: a path, or - for standard output.
                              (default: standard output)
          --force             Replace an existing output file.
      -t, --type <type>       What to write: a picture (png, svg), or peaks (dat,
                              json). (default: by the output's name, else png)
          --json              Short for --type json.
          --dat               Short for --type dat.
          --terminal[=<style>]
                              Draw into the terminal, with its characters;
                              --terminal=blocks or --terminal=braille for one kind
                              only, --terminal=sixel for pixels, where the terminal
                              knows them. As large as the terminal, else 80 columns
                              by 24 rows. Plain text with NO_COLOR, and where
                              standard output is no terminal.

    PICTURE OPTIONS:
      -c, --channels <count>  Channels to draw: 1 mixes all of them in one.
                              (default: the source's)
          --show <what>       What to draw of each channel: its waveform, its
                              spectrogram, or both. (default: both)
          --width <pixels>    Width of the picture; with --terminal, in columns.
                              (default: 800, or the terminal's)
          --height <pixels>   Height of the picture; with --terminal, in rows.
                              (default: by what is in it)
          --theme <theme>     Dark or light. (default: dark)
          --title <text>      What stands above the picture. (default: the source's
                              name)
          --window <window>   Window of the spectra: hann, hamming, blackman, kaiser
                              or rectangular. (default: hann)
          --fft-size <samples>
                              Samples in a spectrum, a power of two: more tell
                              frequencies apart, fewer tell times apart. (default:
                              2048)
          --frequency-scale <scale>
                              How frequencies lie on their axis: linear, log or mel.
                              (default: linear)
          --levels <low,high>
                              Levels at both ends of the colours; a sine of full
                              scale has 0 dBFS. (default: -120,0)

    OPTIONS FOR PEAKS:
          --samples-per-pixel <samples>
                              How many samples of a channel a pair of peaks is of.
                              (default: 256)
          --bits <bits>       Bits of a peak: 8 or 16. (default: 16)
          --split-channels    Peaks of each channel, instead of those of their mean.

    GENERAL OPTIONS:
      -q, --quiet             Print errors only: no notes, no progress.
      -v, --verbose           Also print what was negotiated and chosen.
      -h, --help              Show help information.

    EXAMPLES:
      A look at a file, in the terminal:
        rawaudio plot chord.wav --terminal
      A picture with octaves of equal height, on white:
        rawaudio plot sweep.flac --frequency-scale log --theme light -o sweep.svg
      Peaks for a player in a web page:
        rawaudio plot chord.wav --bits 8 -o chord.dat

    """
}
