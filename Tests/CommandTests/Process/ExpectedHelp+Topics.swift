// SPDX-License-Identifier: Apache-2.0
extension ExpectedHelp {
  static let formats = page(
    """
    OVERVIEW: Containers, as named by --type or by the end of a file's name.

    The container of an output follows its name, else --type; that of an input
    follows its content. The encoding is the input's own if the container can hold
    it, else the narrowest that loses nothing; --format chooses another. Each
    container is listed with the encodings that can be written in it.

    READ AND WRITTEN:
      wav                     RIFF WAVE, RF64 if it grows past 4 GiB: u8, s16, s24,
                              s32, f32, f64, ulaw, alaw, ima-adpcm, ms-adpcm,
                              gsm610, nms-adpcm-16, nms-adpcm-24, nms-adpcm-32,
                              g721-32.
      wavex                   WAVE with a channel mask always: u8, s16, s24, s32,
                              f32, f64, ulaw, alaw.
      rf64                    WAVE with 64-bit sizes from the start (bw64): u8, s16,
                              s24, s32, f32, f64, ulaw, alaw.
      w64                     Sony Wave64: u8, s16, s24, s32, f32, f64, ulaw, alaw,
                              ima-adpcm, ms-adpcm, gsm610.
      aiff                    AIFF and AIFF-C (aif, aifc): s8, u8, s16, s24, s32,
                              f32, f64, ulaw, alaw, ima-adpcm, gsm610, dwvw16,
                              dwvw24.
      au                      Sun and NeXT (snd): s8, s16, s24, s32, f32, f64, ulaw,
                              alaw, g721-32, g723-24, g723-40.
      caf                     Apple Core Audio: s8, s16, s24, s32, f32, f64, ulaw,
                              alaw, alac16, alac20, alac24.
      flac                    Free Lossless Audio Codec: s8, s16, s24.
      ogg                     Ogg with Vorbis (oga): vorbis.
      opus                    Ogg with Opus: opus.
      mp3                     MPEG audio: mp3.
      raw                     Samples without a header (pcm): s8, u8, s16, s24, s32,
                              f32, f64, ulaw, alaw, gsm610, vox-adpcm, nms-adpcm-16,
                              nms-adpcm-24, nms-adpcm-32, dwvw12, dwvw16, dwvw24.

    READ AND WRITTEN, OLDER ONES:
      voc                     Creative Voice: u8, s16, ulaw, alaw.
      svx                     Amiga IFF (iff, 8svx): s8, s16.
      nist                    NIST SPHERE (sph): s8, s16, s24, s32, ulaw, alaw.
      ircam                   Berkeley, IRCAM, CARL (sf): s16, s32, f32, ulaw, alaw.
      paf                     Ensoniq PARIS: s8, s16, s24.
      mat4                    MATLAB 4.2, GNU Octave 2.0: s16, s32, f32, f64.
      mat5                    MATLAB 5, GNU Octave 2.1 (mat): u8, s16, s32, f32,
                              f64.
      pvf                     Portable Voice Format: s8, s16, s32.
      xi                      FastTracker 2 instrument: dpcm8, dpcm16.
      htk                     HMM Tool Kit: s16.
      sds                     MIDI Sample Dump: s8, s16, s24.
      avr                     Audio Visual Research: s8, u8, s16.
      mpc2k                   Akai MPC 2000 (snd2000): s16.
      wve                     Psion: alaw.

    READ ONLY:
      sd2, sox; and containers that ffmpeg decodes, if installed (--decoder): m4a,
      mp4, aac, wv, ape, spx, wma, mkv, webm and others. For these as outputs, pipe
      a WAV stream into ffmpeg.

    ON PIPES:
      Written: wav, wavex, rf64, au, flac, ogg, opus, mp3, raw, pvf. Read: all of
      them; containers that need seeking are held in a temporary file
      (--spool-limit).

    EXAMPLES:
      FLAC, by its name:
        rawaudio convert take.wav -o take.flac
      An M4A file, through ffmpeg:
        rawaudio convert take.wav | ffmpeg -i - -c:a aac -c:v copy take.m4a

    """)

  static let encodings = page(
    """
    OVERVIEW: How a sample is stored, as named by --format.

    Names may be in upper or lower case. A byte order may follow the plain ones, as
    in s16be or S16_LE; without one a file has the usual one of its container, and
    headerless data that of this machine. FLAC has none, so that any will do. Which
    container holds which encoding is shown by 'rawaudio help formats'.

    PLAIN SAMPLES:
      s16                     16 bits. Also S16_LE, pcm_s16le, int16.
      s24                     24 bits in three bytes. Also S24_3LE, pcm_s24le,
                              int24.
      s32                     32 bits. Also S32_LE, pcm_s32le, int32.
      f32                     32-bit floating point, full scale at 1.0. Also
                              FLOAT_LE, pcm_f32le, flt, fltp, float32.
      f64                     64-bit floating point. Also FLOAT64_LE, pcm_f64le,
                              dbl, dblp, double.
      u8                      8 bits without a sign. Also U8, pcm_u8, uint8.
      s8                      8 bits. Also S8, pcm_s8, int8.
      ulaw                    8 bits of G.711 µ-law. Also MU_LAW, pcm_mulaw.
      alaw                    8 bits of G.711 A-law. Also A_LAW, pcm_alaw.
      S24_LE                  24 bits in four bytes, in headerless data and on
                              devices.

    WITH RATE AND CHANNELS:
      cd                      s16, 44,100 Hz, stereo, unless --rate and --channels
                              say otherwise.
      dat                     s16, 48,000 Hz, stereo, likewise.

    LOSSLESS CODECS:
      dwvw12, dwvw16, dwvw24, alac16, alac20, alac24, alac32.

    LOSSY CODECS:
      ima-adpcm, ms-adpcm, gsm610, vox-adpcm, nms-adpcm-16, nms-adpcm-24,
      nms-adpcm-32, g721-32, g723-24, g723-40, dpcm8, dpcm16, vorbis, opus, mp1,
      mp2, mp3.

    EXAMPLES:
      Raw samples as numpy.float32 reads them:
        rawaudio convert take.wav -f float32 -t raw -o take.f32
      As on a compact disc:
        rawaudio convert take.flac -f cd -o cd.wav

    """)

  static let observers = page(
    #"""
    OVERVIEW: See or change the audio on its way, with --observe.

    --observe 'POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT]', any number of
    times. Each gets the audio in the rate, channel count and samples per call that
    it asks for. Several at one position come in order: later ones see the changes
    of earlier ones.

    POSITIONS:
      record                  The local source: in capture, convert and session.
      before-mixing           Each source of a sum by itself: in mix, play and
                              session. @SOURCE is one of them by its id.
      playback                The sum of the sources: in mix, play and session.
      mixed                   Record and playback together: in mix, play and
                              session.

    KINDS THAT EDIT:
      gain=DB                 Changes the level by so many decibels.
      invert                  Inverts the polarity.
      fade-in=TIME[,CURVE]    Fades in from where it begins; CURVE is linear,
                              equal-power, raised-cosine or logarithmic.
      fade-out=TIME[,CURVE]   Fades out before the end of the audio, which it delays
                              by TIME.
      channel-map=LIST        Puts other channels, or sums of them, in the place of
                              these.
      delay=TIMES             Delays single channels, in order: 0,3ms,12S. The
                              stream becomes longer by the longest.
      resample=HERTZ          Converts the rate; the stream goes on at that rate.
      highpass=HZ[,order=N]   Cuts sound below a frequency: Butterworth, of order 1
                              to 8 (2, 12 dB an octave).
      lowpass=HZ[,order=N]    Cuts sound above a frequency, likewise (order 4).
      bandpass=HZ[,q=Q]       Passes sound around a frequency; q is how narrow (1).
      notch=HZ[,q=Q]          Cuts sound around a frequency; q is how narrow (1).
      peak=HZ,gain=DB[,q=Q]   Changes the level around a frequency by so many
                              decibels.
      lowshelf=HZ,gain=DB[,q=Q]
                              Changes the level below a frequency by so many
                              decibels.
      highshelf=HZ,gain=DB[,q=Q]
                              Changes the level above a frequency by so many
                              decibels.
      limit=DBTP[,release=TIME][,lookahead=TIME]
                              Keeps the true peak at or below a limit, by one smooth
                              gain for all channels, which begins to fall 5 ms ahead
                              (lookahead) and goes back in 100 ms (release). Nothing
                              moves in time.
      mix=SOURCE              Adds a file or a generated source.
      exec=COMMAND            Raw samples through any program, by /bin/sh.
                              RAWAUDIO_RATE, RAWAUDIO_CHANNELS, RAWAUDIO_ENCODING,
                              RAWAUDIO_SAMPLES_PER_CALL, RAWAUDIO_POSITION,
                              RAWAUDIO_SOURCE and RAWAUDIO_GROUP describe them.
      lv2=PLUGIN[,KEY=VALUE...]
                              An LV2 plug-in: its URI, or words of its name that no
                              other has; its controls, and preset=NAME. 'rawaudio
                              plugins NAME' lists them. Nothing moves in time, and a
                              plug-in that crashes does so alone.
      ladspa=PLUGIN[,KEY=VALUE...]
                              A LADSPA plug-in, likewise: LIBRARY:LABEL, or words of
                              its name.

    KINDS THAT TELL:
      tap=FILE                Writes the audio to a sound file; %s in the name is
                              the source's id (GROUP-ID with groups), %% a percent
                              sign.
      meter                   Shows peak and RMS; a square wave of full scale has 0
                              dBFS.
      loudness[=FILE]         Momentary, short-term and integrated loudness once a
                              second, a line of JSON each.
      events[=FILE]           A line of JSON a call, on standard error or in a file.

    KEYS:
      rate                    The rate in which it gets the audio.
      channels                The channels that it gets.
      samples-per-call        Over all channels; at least 10 ms and a multiple of
                              the channel count. Else that of --samples-per-call, or
                              10 ms.
      mode                    read-only (its changes are dropped), read-write or
                              write-only (it gets silence).
      encoding                For tap and exec: s16, f32, ...
      align                   For tap: session or source, where its file begins.
      latency                 For exec, lv2 and ladspa: in a live session how far it
                              may be behind, in samples per channel.
      length                  For exec: equal (as many samples back as it gets), or
                              free, which is not for live sessions.
      timeout                 For exec, lv2 and ladspa: how long it may do nothing
                              (10s).
      block                   For lv2 and ladspa: samples per channel of a run: a
                              power of two (1024).

    EXAMPLES:
      A meter on the way:
        rawaudio convert take.wav --observe record:meter -o copy.wav
      A track of each source, as a recogniser wants it:
        rawaudio mix a.wav b.wav -o mix.wav \
          --observe 'before-mixing,rate=16000,channels=1:tap=track-%s.wav'
      Through another program:
        rawaudio convert in.wav -o out.wav --observe 'record:exec=sox -t raw \
          -r $RAWAUDIO_RATE -c $RAWAUDIO_CHANNELS -e float -b 32 - -t raw - bass +3'

    """#)

  static let pieces = page(
    """
    OVERVIEW: How a recording is cut into pieces.

    Pieces are cut sample-exactly, at the source's rate, before anything else. A
    source is read once for all of its pieces, in any order, and they may overlap.
    Each piece is written as if it were converted alone.

    TABLES (--segments):
      CSV, TSV                With a head: start (onset, begin time), end or
                              duration, and optionally source, id, label, output.
                              Names may end in a unit, as start_ms. So also
                              BirdNET's and Raven's tables.
      JSON lines              Objects with the same names.
      others                  Labels of Audacity, segments of Kaldi, RTTM, cue
                              sheets, SubRip and WebVTT. The content tells.

    PLACES:
      Times are written as for --start (see 'rawaudio help times'). A piece without
      an end lasts to the start of the next one. A row names its source by its path,
      its file's name, or that without extension; without sources on the command
      line, the table names them.

    NAMES:
      Any column is a field of the output's name: {label}, {common_name}. Characters
      that no name may have become _. {nnn} is the row's number in three digits.

    MARKS AND CHAPTERS:
      --split marks makes a piece of each, and of the sound in front of the first
      one; --at takes one of them. Their labels are {label}.

    QUIET PLACES AND OVERLAPS:
      --split 30,quiet=5 makes parts of at most 30 s, each cut at the quietest 50 ms
      of its last 5 s. With overlap=2 each part begins 2 s before the end of the one
      before. Both go together, and with live sources.

    THE CLOCK:
      --start @04:00 and --end @2026-05-02T05:30 take a part of a file that says
      when it began: by bext, iXML, GUANO, or a name such as 20260502_040000.
      'concat' takes it across the parts of a recording, with silence in the gaps.

    SOUNDS:
      --split event makes a part of each sound that reaches --threshold, from
      --pre-roll before it to --hold behind it. --labels writes a table of the
      parts, with their places in the source, also for -o null:. Many sources have
      names such as '{stem}-%03d.wav'.

    EXAMPLES:
      The labels of Audacity, each as a file:
        rawaudio convert long.wav --segments labels.txt -o 'cut/{nnn}-{label}.wav'
      The utterances of a data folder of Kaldi:
        rawaudio convert wav/*.wav --segments segments -r 16000 -o 'out/{id}.flac'
      Parts for a recogniser, and a table of their places:
        rawaudio convert long.wav --split 30,quiet=5 -o 'p-%03d.wav' --labels p.csv

    """)

  static let times = page(
    """
    OVERVIEW: How times and lengths are written.

    Options that take a time (--start, --duration, --offset, --split, --hold, ...)
    understand all of these. A number with a unit is a time at every rate; a count
    of samples is one of samples per channel, at the rate of the source (of the sum,
    in a mix). A time is rounded to the nearest sample.

    TIMES:
      90                      90 seconds.
      2.5, .5                 Seconds with decimal places, as many as 18.
      1:30, 1:30.5            Minutes and seconds.
      1:00:00                 Hours, minutes and seconds.
      2s, 500ms, 2m, 1h       Seconds, milliseconds, minutes, hours.
      1h30m, 1m2.5s           Several units, the longest first.

    SAMPLES:
      88200S, 88200samples    88,200 samples per channel.

    BUFFERS:
      --period-size, --buffer-size and --ring-size take samples per channel without
      a unit (480, 480S), and times with one (10ms).

    RATES:
      Hertz, or kilohertz: 44100, 44.1k, 48kHz.

    EXAMPLES:
      Half a second, from a minute and a half on:
        rawaudio convert long.wav --start 1:30 -d 500ms -o part.wav
      Exactly 48,000 samples:
        rawaudio convert tone:1k -d 48000S -o second.wav

    """)
}
