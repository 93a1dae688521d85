internal import CALSA

// What the device accepts, given what was set before.
extension HardwareParameters {
  /// The rates in use for audio, from telephony to eight times 96 kHz.
  static let usualSampleRates = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    128_000, 176_400, 192_000, 352_800, 384_000, 705_600, 768_000,
  ]

  /// The corresponding C function is `snd_pcm_hw_params_test_rate`.
  func accepts(sampleRate: Int) -> Bool {
    guard let rate = UInt32(exactly: sampleRate) else { return false }
    return unsafe snd_pcm_hw_params_test_rate(pcm, parameters, rate, 0) == 0
  }

  /// The corresponding C function is `snd_pcm_hw_params_test_channels`.
  func accepts(channelCount: Int) -> Bool {
    guard let count = UInt32(exactly: channelCount) else { return false }
    return unsafe snd_pcm_hw_params_test_channels(pcm, parameters, count) == 0
  }

  /// The corresponding C function is `snd_pcm_hw_params_test_format`.
  func accepts(_ layout: SampleLayout) -> Bool {
    unsafe snd_pcm_hw_params_test_format(pcm, parameters, layout.alsaFormat) == 0
  }

  /// Those of ``usualSampleRates`` that are accepted, ascending; where none is, the lowest and the
  /// highest rate.
  func offeredSampleRates() -> [Int] {
    let usual = Self.usualSampleRates.filter { accepts(sampleRate: $0) }
    if !usual.isEmpty { return usual }
    let (lowest, highest) = sampleRateLimits()
    return (lowest == highest ? [lowest] : [lowest, highest]).filter { accepts(sampleRate: $0) }
  }

  /// The corresponding C functions are `snd_pcm_hw_params_get_rate_min` and
  /// `snd_pcm_hw_params_get_rate_max`.
  private func sampleRateLimits() -> (lowest: Int, highest: Int) {
    var lowest: UInt32 = 0
    var highest: UInt32 = 0
    var direction: CInt = 0
    unsafe snd_pcm_hw_params_get_rate_min(parameters, &lowest, &direction)
    unsafe snd_pcm_hw_params_get_rate_max(parameters, &highest, &direction)
    return (Int(lowest), Int(highest))
  }

  /// Those of `StreamFormat.channelCounts` that are accepted, ascending.
  func offeredChannelCounts() -> [Int] {
    StreamFormat.channelCounts.filter { accepts(channelCount: $0) }
  }

  /// The accepted encodings, each once, in whatever layout.
  func offeredEncodings() -> [SampleEncoding] {
    SampleEncoding.allCases.filter { encoding in
      SampleLayout.layouts(of: encoding).contains { accepts($0) }
    }
  }

  /// Whether the device moves samples through read and write calls, interleaved.
  func acceptsInterleavedTransfer() -> Bool {
    unsafe snd_pcm_hw_params_test_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) == 0
  }
}
