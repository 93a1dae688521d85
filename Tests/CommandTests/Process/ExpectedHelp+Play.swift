// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let play = page(
    """
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
    : duration gain resampler-quality dither fail-on

    EDITS:
    : highpass lowpass eq limit

    INPUT OPTIONS:
    : input-type input-rate input-channels input-format ignore-length decoder spool-limit

    DEVICE OPTIONS:
    : device period-size buffer-size priority

    OBSERVERS:
          --force             Replace existing files of taps and events.
    : meter observe'
          --samples-per-call <samples>
                              Samples per call of an observer that names no number
                              itself. The samples of all channels count: 4410 at
                              44100 Hz are 100 ms in mono, 50 ms in stereo.
                              (default: 10 ms)

    GENERAL OPTIONS:
    : quiet verbose help

    EXAMPLES:
      A tone of three seconds:
        rawaudio play tone:440 --gain -20 -d 3
      The output of another program:
        sox -n -t wav - synth 3 sine 440 | rawaudio play -

    """)
}
