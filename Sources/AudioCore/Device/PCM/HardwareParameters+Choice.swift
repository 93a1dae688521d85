internal import CALSA

// Narrowing: a value that the user named is taken exactly or refused with what there is instead; any
// other comes as near as the device can.
extension HardwareParameters {
  /// The corresponding C function is `snd_pcm_hw_params_set_access`.
  func setInterleavedTransfer() throws(AudioError) {
    guard acceptsInterleavedTransfer() else {
      throw AudioError(
        .unsupported, cannot: "use device", device, because: "it takes no interleaved samples",
        advice: "name it as 'plug:\(device)'")
    }
    try callALSA("snd_pcm_hw_params_set_access", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
    }
  }

  /// - Throws: `unsupported`, naming the rates there are, where `sampleRate` is not among them.
  func set(exactSampleRate sampleRate: Int) throws(AudioError) {
    guard accepts(sampleRate: sampleRate) else {
      throw refusal(
        "\(sampleRate) Hz", offered: offeredSampleRates().map { "\($0)" }, unit: " Hz")
    }
    try callALSA("snd_pcm_hw_params_set_rate", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(sampleRate), 0)
    }
  }

  /// Returns the rate that was taken. The corresponding C function is
  /// `snd_pcm_hw_params_set_rate_near`.
  func set(sampleRateNear sampleRate: Int) throws(AudioError) -> Int {
    var rate = UInt32(sampleRate)
    try callALSA("snd_pcm_hw_params_set_rate_near", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil)
    }
    return Int(rate)
  }

  /// - Throws: `unsupported`, naming the counts there are, where `channelCount` is not among them.
  func set(exactChannelCount channelCount: Int) throws(AudioError) {
    guard accepts(channelCount: channelCount) else {
      throw refusal(
        "\(channelCount) channel\(channelCount == 1 ? "" : "s")",
        offered: ranges(of: offeredChannelCounts()), unit: " channels")
    }
    try callALSA("snd_pcm_hw_params_set_channels", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(channelCount))
    }
  }

  /// The corresponding C function is `snd_pcm_hw_params_set_channels_near`.
  func set(channelCountNear channelCount: Int) throws(AudioError) {
    var count = UInt32(channelCount)
    try callALSA("snd_pcm_hw_params_set_channels_near", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_channels_near(pcm, parameters, &count)
    }
  }

  /// Sets the first of `candidates` that is accepted and returns it.
  ///
  /// - Throws: `unsupported`, naming the encodings there are, where none is.
  func set(
    firstAccepted candidates: [SampleLayout], for encoding: SampleEncoding
  ) throws(AudioError) -> SampleLayout {
    guard let layout = candidates.first(where: { accepts($0) }) else {
      throw refusal(encoding.rawValue, offered: offeredEncodings().map(\.rawValue), unit: "")
    }
    try callALSA("snd_pcm_hw_params_set_format", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_format(pcm, parameters, layout.alsaFormat)
    }
    return layout
  }

  /// Takes the nearest sizes, the period first: a device's period is the coarser choice.
  func set(periodNear period: Int, bufferNear buffer: Int) throws(AudioError) {
    var periodSize = snd_pcm_uframes_t(period)
    var bufferSize = snd_pcm_uframes_t(buffer)
    try callALSA("snd_pcm_hw_params_set_period_size_near", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_period_size_near(pcm, parameters, &periodSize, nil)
    }
    try callALSA("snd_pcm_hw_params_set_buffer_size_near", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &bufferSize)
    }
  }

  private func refusal(_ wanted: String, offered: [String], unit: String) -> AudioError {
    AudioError(
      .unsupported, cannot: "use device", device, because: "it does not give \(wanted)",
      advice: offered.isEmpty
        ? "it gives none that is supported"
        : "it gives \(offered.joined(separator: ", "))\(unit)")
  }

  /// `[1, 2, 3, 4, 8]` as `["1-4", "8"]`.
  private func ranges(of counts: [Int]) -> [String] {
    var ranges: [ClosedRange<Int>] = []
    for count in counts {
      if let last = ranges.last, last.upperBound + 1 == count {
        ranges[ranges.count - 1] = last.lowerBound...count
      } else {
        ranges.append(count...count)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
  }
}
