// SPDX-License-Identifier: Apache-2.0
internal import CALSA

/// A sound server behind a PCM.
///
/// A server moves samples in steps of its own, the *quantum*, set by the client with the shortest request. The
/// shorter the quantum is, the more samples the server itself loses on a busy machine, silently and for all clients:
/// docs/pipewire.md has figures.
enum SoundServer: Sendable, CaseIterable {
  case pipeWire
  case pulseAudio

  /// The server in libasound's description of a PCM; nil if it mentions none.
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
  /// That is 2,048 samples at 48 kHz, or at 44.1 kHz if the server runs at that rate. PipeWire rounds down to a power
  /// of two, so one sample less would halve it. PulseAudio's plugin behaves alike on a PipeWire server.
  static func period(at sampleRate: Int) -> Int {
    let rate = sampleRate.isMultiple(of: 11_025) ? 44_100 : 48_000
    return (2_048 * sampleRate + rate - 1) / rate
  }
}

extension PCMHandle {
  /// The sound server behind this PCM, also behind plugins that convert; nil if there is none or an unknown one.
  ///
  /// Only this dump names a plugin.
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
  /// These options, with unset sizes fitted to a sound server.
  ///
  /// - Parameter server: nil if there is none; then nothing changes.
  func suited(to server: SoundServer?, for direction: DeviceDirection, at rate: Int) -> AlsaOptions
  {
    guard server != nil, period == nil else { return self }
    var options = self
    let period = SoundServer.period(at: rate)
    options.period = .samplesPerChannel(period)
    if buffer == nil {
      // The buffer must hold one quantum for the server while the thread sleeps through another.
      let usual = self.buffer(for: direction, at: rate)
      options.buffer = .samplesPerChannel(max(usual, 5 * period))
    }
    return options
  }
}
