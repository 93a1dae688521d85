// SPDX-License-Identifier: Apache-2.0
internal import CALSA

/// Always in non-blocking mode: a blocking read hangs for ever if, for example, a JACK server dies, whereas
/// `snd_pcm_wait` has a time limit. `deinit` ignores errors. Corresponds to `snd_pcm_t`.
@safe
struct PCMHandle: ~Copyable, @unchecked Sendable {
  let name: String
  let direction: DeviceDirection
  /// For the calls in this folder only; libasound locks inside, so any thread may use it.
  let pcm: OpaquePointer

  init(opening name: String, for direction: DeviceDirection) throws(AudioError) {
    var code = 0
    do {
      try self.init(opening: name, for: direction, code: &code)
    } catch {
      throw KernelSound().explain(error, code: code, opening: name, direction)
    }
  }

  /// - Parameter code: set to the result of `snd_pcm_open`.
  init(
    opening name: String, for direction: DeviceDirection, code: inout Int
  ) throws(AudioError) {
    let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
    var pcm: OpaquePointer?
    var answer: CInt = 0
    defer { code = Int(answer) }
    try callALSA("snd_pcm_open", cannot: "open device", name) {
      if direction == .capture, let played = PipeWireTarget.monitored(by: name) {
        answer = whileCapturingMonitors {
          unsafe snd_pcm_open(&pcm, Pathname(played).cString, stream, SND_PCM_NONBLOCK)
        }
      } else {
        answer = unsafe snd_pcm_open(&pcm, Pathname(name).cString, stream, SND_PCM_NONBLOCK)
      }
      return answer
    }
    guard let pcm = unsafe pcm else {
      throw AudioError(.notFound, cannot: "open device", name, because: "no such device")
    }
    self.name = name
    self.direction = direction
    unsafe self.pcm = pcm
  }

  deinit { unsafe snd_pcm_close(pcm) }

  /// Negotiates all parameters with the device and prepares it.
  ///
  /// - Parameters:
  ///   - options: an explicit value holds exactly or is refused.
  ///   - wish: the stream's format, approximated; nil means 48 kHz and two channels.
  /// - Throws: `unsupported`, with the device's offer, if it refuses an explicit option.
  borrowing func negotiate(
    _ options: AlsaOptions, wish: StreamFormat?
  ) throws(AudioError) -> DeviceParameters {
    let hardware = try HardwareParameters(of: self)
    try hardware.setInterleavedTransfer()
    // Explicit options first: a wish must not exclude them.
    let exactRate = options.ratePolicy == .fail ? options.sampleRate : nil
    if let exactRate { try hardware.set(exactSampleRate: exactRate) }
    if let channels = options.channelCount { try hardware.set(exactChannelCount: channels) }
    let encoding = options.encoding ?? options.preferredEncoding
    let layout = try hardware.set(
      firstAccepted: options.encoding.map { SampleLayout.layouts(of: $0) }
        ?? SampleLayout.layouts(nearest: encoding),
      for: encoding)
    if options.channelCount == nil {
      try hardware.set(channelCountNear: wish?.channelCount ?? 2)
    }
    let rate =
      if let exactRate { exactRate } else {
        try hardware.set(sampleRateNear: options.sampleRate ?? wish?.sampleRate ?? 48_000)
      }
    let options = options.suited(to: soundServer(), for: direction, at: rate)
    let buffer = options.buffer(for: direction, at: rate)
    try hardware.install(
      periodNear: options.takesPeriodOfBuffer ? nil : options.period(at: rate), bufferNear: buffer)
    let parameters = try hardware.negotiated(as: layout)
    if let exactRate, parameters.format.sampleRate != exactRate {
      throw AudioError(
        .unsupported, cannot: "use device", name,
        because: "it took \(parameters.format.sampleRate) Hz instead of \(exactRate) Hz")
    }
    try setSoftwareParameters(for: parameters)
    return parameters
  }

  /// Sets when the device starts, wakes its thread, and stops.
  ///
  /// - A capture starts by hand; a playback when its buffer is full but for one period.
  /// - A capture that ALSA's own counters follow never stops by itself: its available samples beyond the buffer size
  ///   are the loss of an overrun (PulseAudio does this, too). The converters of other devices would hide an overrun,
  ///   so these devices stop, and their loss is estimated.
  /// - The thread wakes once a period.
  /// - Status reports carry the time of the monotonic clock.
  /// - Unwritten samples play as silence (`silence_size` = boundary), so that no old samples follow a last part
  ///   shorter than a period. Nothing is padded: ALSA does not count this silence as written.
  borrowing func setSoftwareParameters(for parameters: DeviceParameters) throws(AudioError) {
    let device = name
    let pcm = unsafe pcm
    let action = "configure device"
    let software = try unsafe allocateALSA("snd_pcm_sw_params_malloc", cannot: action, device) {
      unsafe snd_pcm_sw_params_malloc(&$0)
    }
    defer { unsafe snd_pcm_sw_params_free(software) }
    try callALSA("snd_pcm_sw_params_current", cannot: action, device) {
      unsafe snd_pcm_sw_params_current(pcm, software)
    }
    try callALSA("snd_pcm_sw_params_set_avail_min", cannot: action, device) {
      unsafe snd_pcm_sw_params_set_avail_min(
        pcm, software, snd_pcm_uframes_t(parameters.periodSize))
    }
    try callALSA("snd_pcm_sw_params_set_tstamp_mode", cannot: action, device) {
      unsafe snd_pcm_sw_params_set_tstamp_mode(pcm, software, SND_PCM_TSTAMP_ENABLE)
    }
    try callALSA("snd_pcm_sw_params_set_tstamp_type", cannot: action, device) {
      unsafe snd_pcm_sw_params_set_tstamp_type(pcm, software, SND_PCM_TSTAMP_TYPE_MONOTONIC)
    }
    var boundary: snd_pcm_uframes_t = 0
    try callALSA("snd_pcm_sw_params_get_boundary", cannot: action, device) {
      unsafe snd_pcm_sw_params_get_boundary(software, &boundary)
    }
    if direction == .capture, countsThroughOverruns {
      try callALSA("snd_pcm_sw_params_set_stop_threshold", cannot: action, device) {
        unsafe snd_pcm_sw_params_set_stop_threshold(pcm, software, boundary)
      }
    }
    if direction == .playback {
      let threshold = max(parameters.bufferSize - parameters.periodSize, 1)
      try callALSA("snd_pcm_sw_params_set_start_threshold", cannot: action, device) {
        unsafe snd_pcm_sw_params_set_start_threshold(
          pcm, software, snd_pcm_uframes_t(threshold))
      }
      try callALSA("snd_pcm_sw_params_set_silence_size", cannot: action, device) {
        unsafe snd_pcm_sw_params_set_silence_size(pcm, software, boundary)
      }
    }
    try callALSA("snd_pcm_sw_params", cannot: action, device) {
      unsafe snd_pcm_sw_params(pcm, software)
    }
  }

  /// Whether the device's position counts on through an overrun, as hardware does.
  private var countsThroughOverruns: Bool {
    let type = unsafe snd_pcm_type(pcm)
    return type == SND_PCM_TYPE_HW || type == SND_PCM_TYPE_IOPLUG
  }
}

/// The memory of a status report, allocated once.
///
/// Corresponds to `snd_pcm_status_t`.
@safe
struct DeviceStatus: ~Copyable, @unchecked Sendable {
  /// For the calls in this folder only; one thread at a time.
  let status: OpaquePointer

  init(for device: String) throws(AudioError) {
    unsafe status = try allocateALSA("snd_pcm_status_malloc", cannot: "open device", device) {
      unsafe snd_pcm_status_malloc(&$0)
    }
  }

  deinit { unsafe snd_pcm_status_free(status) }
}
