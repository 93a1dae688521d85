extension PCMHandle {
  /// Agrees with the device on everything and prepares it.
  ///
  /// - Parameters:
  ///   - options: what the user named holds exactly or is refused.
  ///   - wish: what the stream has; the nearest is taken. 48 kHz and two channels where nil.
  /// - Throws: `unsupported` where the device refuses what `options` names, saying what it gives.
  borrowing func negotiate(
    _ options: AlsaOptions, wish: StreamFormat?
  ) throws(AudioError) -> AlsaParameters {
    let hardware = try HardwareParameters(of: self)
    try hardware.setInterleavedTransfer()
    // The named ones first: a wish must not narrow them away.
    if let rate = options.sampleRate, options.ratePolicy == .fail {
      try hardware.set(exactSampleRate: rate)
    }
    if let channels = options.channelCount { try hardware.set(exactChannelCount: channels) }
    let encoding = options.encoding ?? options.preferredEncoding
    let layout = try hardware.set(
      firstAccepted: options.encoding.map { SampleLayout.layouts(of: $0) }
        ?? SampleLayout.layouts(nearest: encoding),
      for: encoding)
    if options.channelCount == nil {
      try hardware.set(channelCountNear: wish?.channelCount ?? 2)
    }
    let rate: Int
    if let named = options.sampleRate, options.ratePolicy == .fail {
      rate = named
    } else {
      let nearest = options.sampleRate ?? wish?.sampleRate ?? 48_000
      rate = try hardware.set(sampleRateNear: nearest)
    }
    try hardware.set(
      periodNear: options.period(at: rate), bufferNear: options.buffer(for: direction, at: rate))
    try hardware.install()
    let parameters = try hardware.negotiated(as: layout)
    if let rate = options.sampleRate, options.ratePolicy == .fail,
      parameters.format.sampleRate != rate
    {
      throw AudioError(
        .unsupported, cannot: "use device", name,
        because: "it took \(parameters.format.sampleRate) Hz instead of \(rate) Hz")
    }
    try setSoftwareParameters(for: parameters)
    return parameters
  }
}
