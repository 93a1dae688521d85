// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let plot = page(
    """
    OVERVIEW: Draw waveform and spectrogram as a picture or into the terminal, or
    write peaks for players.

    The waveform shows the extremes and the RMS of each stretch of time, the
    spectrogram how strong each frequency is. Memory does not grow with the length
    of the source. Many sources become a picture each, several at the same time.
    Peaks are those of BBC audiowaveform, version 2, which players in web pages
    take.

    USAGE: rawaudio plot [<options>] [<source> ...]

    ARGUMENTS:
      <source>                What to draw: any number of paths, or one of - for
                              standard input, alsa:NAME for a device, tone:440,
                              noise:white, noise:pink, sweep:20-20000 or silence:.

    OPTIONS:
    : start end duration fail-on

    EDITS:
    : channel-map

    : OPTIONS FOR MANY FILES

    : INPUT OPTIONS

    OUTPUT OPTIONS:
      -o, --output <path>     Where to write: a path, or - for standard output.
                              (default: standard output)
    : force
          --existing <what>   If an output exists already: fail, skip its source, or
                              replace it. (default: fail)
      -t, --type <type>       What to write: a picture (png, svg), or peaks (dat,
                              json). (default: by the output's name, else png)
          --json              Short for --type json.
          --dat               Short for --type dat.
          --terminal[=<style>]
                              Draw into the terminal, with its characters;
                              --terminal=blocks or --terminal=braille for one kind
                              only, --terminal=sixel for pixels, if the terminal
                              knows them. As large as the terminal, else 80 columns
                              by 24 rows. Plain text with NO_COLOR, and if standard
                              output is no terminal.
          --pixels-per-second <number>
                              Width of a second, which decides that of the picture;
                              of peaks, the pairs in a second. (default: as many as
                              fill the width)

    PICTURE OPTIONS:
      -c, --channels <count>  Channels to draw: 1 mixes all of them in one.
                              (default: the source's)
          --show <what>       What to draw of each channel: its waveform, its
                              spectrogram, or both. (default: both)
          --width <pixels>    Width of the picture; with --terminal, in columns.
                              (default: 800, or the terminal's)
          --height <pixels>   Height of the picture, more if the channels need it;
                              with --terminal, in rows. (default: by its content)
          --theme <theme>     Dark or light. (default: dark)
          --title <text>      The text above the picture. (default: the source's
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
                              scale has 0 dBFS. auto: as far as the sound reaches,
                              also in the waveforms. (default: -120,0)
          --waveform-scale <scale>
                              How amplitudes lie on their axis: linear, or db for
                              levels, 60 dB of them. (default: linear)
          --axis <axis>       The axis of time: time from the beginning, or clock
                              for times of day. (default: time)

    OPTIONS FOR PEAKS:
          --samples-per-pixel <samples>
                              Samples per channel in a pair of peaks. (default: 256)
          --bits <bits>       Bits of a peak: 8 or 16. (default: 16)
          --split-channels    Peaks of each channel, instead of those of their mean.

    : GENERAL OPTIONS

    EXAMPLES:
      A look at a file, in the terminal:
        rawaudio plot chord.wav --terminal
      A picture of each file, on white, with levels that fit it:
        rawaudio plot chord.wav sweep.flac --levels auto --theme light -o {stem}.svg
      Peaks for a player in a web page:
        rawaudio plot chord.wav --bits 8 -o chord.dat

    """)
}
