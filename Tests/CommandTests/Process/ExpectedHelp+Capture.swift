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
    : tag tags-from
          --no-bext           Do not write into the file when it was recorded, which
                              WAV has a 'bext' chunk for.

    RECORDING OPTIONS:
    : split utc keep threshold pre-roll hold sync

    UNATTENDED RECORDING:
    : on-part reopen alarm-silence silence-level alarm-level alarm-clipping alarm-xruns
    : alarm-space

    DEVICE OPTIONS:
    : device period-size buffer-size priority on-xrun
          --rate-policy <policy>
                              If the device does not give the rate of --rate: fail,
                              or resample from the nearest that it has. (default:
                              fail)
    : ring-size

    OBSERVERS:
    : meter observe samples-per-call

    GENERAL OPTIONS:
    : quiet verbose help

    EXAMPLES:
      Give another program stereo in pieces of 50 ms until Ctrl-C:
        rawaudio capture -r 44100 -c 2 --samples-per-call 4410 \
          | rawaudio convert - -o take.flac
      Five seconds, made quieter:
        rawaudio capture -d 5 | rawaudio convert - --gain -6 -o quiet.wav
      A file for each sound until Ctrl-C:
        rawaudio capture --threshold -40dB --split event -o sound-%03d.wav

    """#)
}
