internal import CALSA

extension HardwareParameters {
  /// What was installed, asked back value by value: libasound may take another than was set.
  func negotiated(as layout: SampleLayout) throws(AudioError) -> AlsaParameters {
    var rate: UInt32 = 0
    var channels: UInt32 = 0
    var format = SND_PCM_FORMAT_UNKNOWN
    var period: snd_pcm_uframes_t = 0
    var buffer: snd_pcm_uframes_t = 0
    let action = "read the parameters of device"
    try callALSA("snd_pcm_hw_params_get_rate", cannot: action, device) {
      unsafe snd_pcm_hw_params_get_rate(parameters, &rate, nil)
    }
    try callALSA("snd_pcm_hw_params_get_channels", cannot: action, device) {
      unsafe snd_pcm_hw_params_get_channels(parameters, &channels)
    }
    try callALSA("snd_pcm_hw_params_get_format", cannot: action, device) {
      unsafe snd_pcm_hw_params_get_format(parameters, &format)
    }
    try callALSA("snd_pcm_hw_params_get_period_size", cannot: action, device) {
      unsafe snd_pcm_hw_params_get_period_size(parameters, &period, nil)
    }
    try callALSA("snd_pcm_hw_params_get_buffer_size", cannot: action, device) {
      unsafe snd_pcm_hw_params_get_buffer_size(parameters, &buffer)
    }
    guard format == layout.alsaFormat else {
      throw AudioError(
        .unsupported, cannot: "use device", device,
        because: "it took another sample format than \(layout.encoding.rawValue)")
    }
    return AlsaParameters(
      format: try StreamFormat(sampleRate: Int(rate), channelCount: Int(channels)),
      layout: layout, periodSize: Int(period), bufferSize: Int(buffer),
      canPause: unsafe snd_pcm_hw_params_can_pause(parameters) == 1)
  }
}
