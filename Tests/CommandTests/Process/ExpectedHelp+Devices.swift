// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let capture = page(
    #"""
    OVERVIEW: Record from a device.

    Records until the duration is reached or the command is interrupted, which
    completes the file. Rate, channels and format are also requested from the
    device. The recording keeps to the device's clock: silence stands for samples
    that were lost, and the end tells how many.

    USAGE: rawaudio capture [<options>]

    OPTIONS:
          --start <time>      How much of the beginning to leave out: 90, 1:30.5,
                              500ms or 44100S (see 'rawaudio help times'). (default:
                              0)
      -d, --duration <time>   How long: 90, 1:30.5, 500ms or 44100S (see 'rawaudio
                              help times'). (default: until interrupted)
    : gain resampler-quality dither fail-on json''

    EDITS:
    : highpass lowpass eq limit

    OUTPUT OPTIONS:
    : output force type
      -r, --rate <hertz>      Sample rate of the device and of the output. (default:
                              48000 if the device offers it)
      -c, --channels <count>  Channels of the device and of the output. (default:
                              the device's, at most 2)
      -f, --format <encoding>
                              Encoding of the device and of the output: s16,
                              S24_3LE, s32, f32, ... (default: s16)
    : quality bitrate compression encoder

    METADATA OPTIONS:
    : tag tags-from cover
          --no-bext           Do not write into the file when it was recorded, which
                              WAV has a 'bext' chunk for.

    : RECORDING OPTIONS

    : UNATTENDED RECORDING

    DEVICE OPTIONS:
    : device period-size buffer-size priority on-xrun
          --rate-policy <policy>
                              If the device does not give the rate of --rate: fail,
                              or resample from the nearest that it has. (default:
                              fail)
    : ring-size

    OBSERVERS:
    : meter observe samples-per-call

    : GENERAL OPTIONS

    EXAMPLES:
      Give another program stereo in pieces of 50 ms until Ctrl-C:
        rawaudio capture -r 44100 -c 2 --samples-per-call 4410 \
          | rawaudio convert - -o take.flac
      Five seconds, made quieter:
        rawaudio capture -d 5 | rawaudio convert - --gain -6 -o quiet.wav
      A file for each sound until Ctrl-C:
        rawaudio capture --threshold -40dB --split event -o sound-%03d.wav

    """#)

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

    : INPUT OPTIONS

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

    : GENERAL OPTIONS

    EXAMPLES:
      A tone of three seconds:
        rawaudio play tone:440 --gain -20 -d 3
      The output of another program:
        sox -n -t wav - synth 3 sine 440 | rawaudio play -

    """)

  static let session = page(
    #"""
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
                              As --remote, for a source that all share; its id is
                              shared unless one is named.
          --publish <sink>    Where the local source goes to.
          --playback <sink>   Where the sum of the remote and shared sources goes
                              to.
          --mixed <sink>      Where record and playback together go to.
          --playback-of <[group/]id=sink>
                              A file or pipe for all that one source hears: mixed
                              without itself (repeatable).
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
    : resampler-quality dither fail-on json''

    : INPUT OPTIONS

    OUTPUT OPTIONS:
          --force             Replace existing files.
          --existing <what>   If all files of the sinks exist already: fail, skip
                              the session, or replace them. (default: fail)
    : type
      -r, --rate <hertz>      Sample rate of the sums and of every file. (default:
                              the highest among the sources)
      -c, --channels <count>  Channels of the sums and of every file. (default: the
                              largest count among the sources)
    : format quality bitrate compression encoder

    : RECORDING OPTIONS

    : UNATTENDED RECORDING

    DEVICE OPTIONS:
    : period-size buffer-size priority on-xrun ring-size

    OBSERVERS:
    : meter
          --observe <observer>
                              See or change the audio on its way (repeatable, in
                              order):
                              POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT].
                              POSITION is record, before-mixing, shared, playback or
                              mixed. For example record:meter; see 'rawaudio help
                              observers'.
    : samples-per-call

    : GENERAL OPTIONS

    EXAMPLES:
      Two voices and music: the sum, and a track for each:
        rawaudio session --remote room/anna=tone:300 --remote room/ben=tone:500 \
          --shared music=noise:pink -d 3 --observe before-mixing:gain=-12 \
          --observe before-mixing:tap=track-%s.wav --playback heard.wav
      A meeting: the microphone in one file, everything in another:
        rawaudio session --local alsa:default --remote heard.wav -d 3 \
          --publish me.wav --mixed meeting.wav
      All sources that join, in one file and in aligned tracks:
        rawaudio session --listen joining.sock -d 3 --playback joined.wav \
          --observe before-mixing:tap=joined-%s.wav

    """#)
}
