internal import CALSA

extension PCMHandle {
  /// When the device starts, wakes its thread, and stops.
  ///
  /// - Capture starts by hand; playback when its buffer is full but for one period.
  /// - A capture that ALSA's own counters follow never stops by itself: how much more than its buffer it
  ///   then has to give is what an overrun lost (PulseAudio does the same). Behind the converters of other
  ///   devices an overrun would go unnoticed, so these stop, and what they lost is estimated.
  /// - The thread wakes once a period.
  /// - Status reports carry the time of the monotonic clock.
  /// - What was not written yet plays as silence (`silence_size` = boundary), so that a last part
  ///   shorter than a period is not followed by old samples. Nothing is padded: ALSA does not count
  ///   this silence as written.
  ///
  /// The corresponding C function is `snd_pcm_sw_params`.
  borrowing func setSoftwareParameters(for parameters: AlsaParameters) throws(AudioError) {
    var allocated: OpaquePointer?
    let device = name
    let pcm = unsafe pcm
    let action = "configure device"
    try callALSA("snd_pcm_sw_params_malloc", cannot: action, device) {
      unsafe snd_pcm_sw_params_malloc(&allocated)
    }
    guard let software = unsafe allocated else {
      throw AudioError(.unavailable, cannot: action, device, because: "out of memory")
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

  /// Whether the device's position goes on through an overrun as the hardware's does.
  ///
  /// The corresponding C function is `snd_pcm_type`.
  private var countsThroughOverruns: Bool {
    let type = unsafe snd_pcm_type(pcm)
    return type == SND_PCM_TYPE_HW || type == SND_PCM_TYPE_IOPLUG
  }
}
