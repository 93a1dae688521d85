// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
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

    INPUT OPTIONS:
    : input-type input-rate input-channels input-format ignore-length decoder spool-limit

    OUTPUT OPTIONS:
          --force             Replace existing files.
    : type
      -r, --rate <hertz>      Sample rate of the sums and of every file. (default:
                              the highest among the sources)
      -c, --channels <count>  Channels of the sums and of every file. (default: the
                              largest count among the sources)
    : format quality bitrate compression encoder

    RECORDING OPTIONS:
    : split utc keep threshold pre-roll hold sync

    UNATTENDED RECORDING:
    : on-part reopen alarm-silence silence-level alarm-level alarm-clipping alarm-xruns
    : alarm-space

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

    GENERAL OPTIONS:
    : quiet verbose help

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
