// SPDX-License-Identifier: Apache-2.0
internal import CALSA

/// A sound server that a PCM leads to.
///
/// A server moves samples in steps of its own, the *quantum*, which it takes from the client that asks for the
/// shortest. The shorter it is, the more samples the server itself loses on a busy machine, for all of its clients
/// and without a word to them: docs/pipewire.md has figures.
enum SoundServer: Sendable, CaseIterable {
  case pipeWire
  case pulseAudio

  /// The server that libasound's description of a PCM tells of; nil where it tells of none.
  ///
  /// - Parameter description: with a line such as `ALSA <-> PipeWire PCM I/O Plugin`.
  init?(description: String) {
    if description.place(of: "ALSA <-> PipeWire") != nil {
      self = .pipeWire
    } else if description.place(of: "ALSA <-> PulseAudio") != nil {
      self = .pulseAudio
    } else {
      return nil
    }
  }

  /// The period, in samples per channel, for which PipeWire takes the longest quantum that it usually allows.
  ///
  /// That is 2,048 samples at 48 kHz, or at 44.1 kHz where the server runs at that. It rounds down to a power of two,
  /// so one sample less would halve it. With PulseAudio's plugin the same holds where PipeWire stands in for that.
  static func period(at sampleRate: Int) -> Int {
    let rate = sampleRate.isMultiple(of: 11_025) ? 44_100 : 48_000
    return (2_048 * sampleRate + rate - 1) / rate
  }
}

extension PCMHandle {
  /// The sound server behind this PCM, and behind plugins that convert; nil where there is none, or none that is known.
  ///
  /// Only here a plugin says what it is called. The corresponding C function is `snd_pcm_dump`.
  borrowing func soundServer() -> SoundServer? {
    if unsafe snd_pcm_type(pcm) == SND_PCM_TYPE_HW { return nil }
    var opened: OpaquePointer?
    guard unsafe snd_output_buffer_open(&opened) == 0, let output = unsafe opened else {
      return nil
    }
    defer { unsafe _ = snd_output_close(output) }
    guard unsafe snd_pcm_dump(pcm, output) == 0 else { return nil }
    var text: UnsafeMutablePointer<CChar>?
    let length = unsafe snd_output_buffer_string(output, &text)
    guard let text = unsafe text else { return nil }
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: length)
    return SoundServer(description: unsafe String(decoding: bytes, as: UTF8.self))
  }
}

extension AlsaOptions {
  /// What suits a sound server, where these options leave it open.
  ///
  /// - Parameter server: nil where there is none; then nothing changes.
  func suited(to server: SoundServer?, for direction: DeviceDirection, at rate: Int) -> AlsaOptions
  {
    guard server != nil, period == nil else { return self }
    var options = self
    let period = SoundServer.period(at: rate)
    options.period = .samplesPerChannel(period)
    if buffer == nil {
      // What the server takes at once has to be there while the thread sleeps through as much again.
      let usual = self.buffer(for: direction, at: rate)
      options.buffer = .samplesPerChannel(max(usual, 5 * period))
    }
    return options
  }
}
