// SPDX-License-Identifier: Apache-2.0
internal import CALSA

/// The configurations that a PCM can still take, narrowed by each `set`.
///
/// Use it only while its PCM is open. Corresponds to `snd_pcm_hw_params_t`.
@safe
struct HardwareParameters: ~Copyable {
  let device: String
  let pcm: OpaquePointer
  let parameters: OpaquePointer

  /// All configurations of `handle`.
  init(of handle: borrowing PCMHandle) throws(AudioError) {
    let name = handle.name
    let pcm = unsafe handle.pcm
    let parameters = try unsafe allocateALSA(
      "snd_pcm_hw_params_malloc", cannot: "open device", name
    ) { unsafe snd_pcm_hw_params_malloc(&$0) }
    do {
      try callALSA("snd_pcm_hw_params_any", cannot: "open device", name) {
        unsafe snd_pcm_hw_params_any(pcm, parameters)
      }
    } catch {
      unsafe snd_pcm_hw_params_free(parameters)
      throw error
    }
    self.device = name
    unsafe self.pcm = pcm
    unsafe self.parameters = parameters
  }

  deinit { unsafe snd_pcm_hw_params_free(parameters) }

  private func install() throws(AudioError) {
    try callALSA("snd_pcm_hw_params", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params(pcm, parameters)
    }
  }
}

// The device's offer after the values set before.
extension HardwareParameters {
  /// The rates in use for audio, from telephony to eight times 96 kHz.
  static let usualSampleRates = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000,
    128_000, 176_400, 192_000, 352_800, 384_000, 705_600, 768_000,
  ]

  func accepts(sampleRate: Int) -> Bool {
    guard let rate = UInt32(exactly: sampleRate) else { return false }
    return unsafe snd_pcm_hw_params_test_rate(pcm, parameters, rate, 0) == 0
  }

  func accepts(channelCount: Int) -> Bool {
    guard let count = UInt32(exactly: channelCount) else { return false }
    return unsafe snd_pcm_hw_params_test_channels(pcm, parameters, count) == 0
  }

  func accepts(_ layout: SampleLayout) -> Bool {
    unsafe snd_pcm_hw_params_test_format(pcm, parameters, layout.alsaFormat) == 0
  }

  /// The accepted rates of ``usualSampleRates``, ascending; if none is accepted, the lowest and the highest rate.
  func offeredSampleRates() -> [Int] {
    let usual = Self.usualSampleRates.filter { accepts(sampleRate: $0) }
    if !usual.isEmpty { return usual }
    var lowest: UInt32 = 0
    var highest: UInt32 = 0
    var direction: CInt = 0
    unsafe snd_pcm_hw_params_get_rate_min(parameters, &lowest, &direction)
    unsafe snd_pcm_hw_params_get_rate_max(parameters, &highest, &direction)
    let limits = lowest == highest ? [lowest] : [lowest, highest]
    return limits.map { Int($0) }.filter { accepts(sampleRate: $0) }
  }

  /// The accepted counts of `StreamFormat.channelCounts`, ascending.
  func offeredChannelCounts() -> [Int] {
    StreamFormat.channelCounts.filter { accepts(channelCount: $0) }
  }

  /// The accepted encodings, each once, in any layout.
  func offeredEncodings() -> [SampleEncoding] {
    SampleEncoding.allCases.filter { encoding in
      SampleLayout.layouts(of: encoding).contains { accepts($0) }
    }
  }
}

// Narrowing: an explicit value is taken exactly or refused with the device's offer; any other value is approximated.
extension HardwareParameters {
  /// Samples move through read and write calls, interleaved.
  func setInterleavedTransfer() throws(AudioError) {
    guard unsafe snd_pcm_hw_params_test_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED) == 0
    else {
      throw AudioError(
        .unsupported, cannot: "use device", device, because: "it takes no interleaved samples",
        advice: "name it as 'plug:\(device)'")
    }
    try callALSA("snd_pcm_hw_params_set_access", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_access(pcm, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
    }
  }

  /// - Throws: `unsupported`, with the available rates, if `sampleRate` is not among them.
  func set(exactSampleRate sampleRate: Int) throws(AudioError) {
    guard accepts(sampleRate: sampleRate) else {
      throw refusal(
        "\(sampleRate) Hz", offered: offeredSampleRates().map { "\($0)" }, unit: " Hz")
    }
    try callALSA("snd_pcm_hw_params_set_rate", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_rate(pcm, parameters, UInt32(sampleRate), 0)
    }
  }

  /// Returns the rate that was taken.
  func set(sampleRateNear sampleRate: Int) throws(AudioError) -> Int {
    var rate = UInt32(sampleRate)
    try callALSA("snd_pcm_hw_params_set_rate_near", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_rate_near(pcm, parameters, &rate, nil)
    }
    return Int(rate)
  }

  /// - Throws: `unsupported`, with the available counts, if `channelCount` is not among them.
  func set(exactChannelCount channelCount: Int) throws(AudioError) {
    guard accepts(channelCount: channelCount) else {
      let isOffered = !offeredChannelCounts().isEmpty
      throw refusal(
        "\(channelCount) channel\(channelCount == 1 ? "" : "s")",
        offered: offeredChannelCounts().runs.map {
          $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)"
        },
        unit: " channels" + (isOffered ? "; ALSA converts them if it is named \(nameOfPlug)" : ""))
    }
    try callALSA("snd_pcm_hw_params_set_channels", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_channels(pcm, parameters, UInt32(channelCount))
    }
  }

  func set(channelCountNear channelCount: Int) throws(AudioError) {
    var count = UInt32(channelCount)
    try callALSA("snd_pcm_hw_params_set_channels_near", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_channels_near(pcm, parameters, &count)
    }
  }

  /// Sets the first of `candidates` that is accepted and returns it.
  ///
  /// - Throws: `unsupported`, with the available encodings, if none is accepted.
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

  /// The order in which the sizes are narrowed, and their values.
  private enum Sizes {
    /// The buffer, then this period or a quarter of the taken buffer.
    case bufferFirst(Int, period: Int?)
    /// The period, then the buffer: a device's period is the coarser choice.
    case periodFirst(Int, buffer: Int)
    case own
  }

  /// Takes the nearest sizes and installs this as the PCM's configuration.
  ///
  /// A device with a list of periods, such as ALSA's `jack`, may have none left for a taken buffer; and `plug` may
  /// finally refuse a configuration that it offered. So other orders and shorter periods are tried. The corresponding
  /// C functions are `snd_pcm_hw_params_copy` and `snd_pcm_hw_params`.
  ///
  /// - Parameter period: nil means about a quarter of the buffer, for a long period must not leave only two of them
  ///   in a short buffer.
  func install(periodNear period: Int?, bufferNear buffer: Int) throws(AudioError) {
    let usual = period ?? max(buffer / 4, 1)
    var attempts: [Sizes] = [
      .periodFirst(usual, buffer: buffer), .bufferFirst(buffer, period: period),
    ]
    if period == nil { attempts.reverse() }
    for shift in 1...4 { attempts.append(.periodFirst(max(usual >> shift, 1), buffer: buffer)) }
    attempts.append(.own)
    let before = try unsafe allocateALSA(
      "snd_pcm_hw_params_malloc", cannot: "configure device", device
    ) { unsafe snd_pcm_hw_params_malloc(&$0) }
    defer { unsafe snd_pcm_hw_params_free(before) }
    unsafe snd_pcm_hw_params_copy(before, parameters)
    var first: AudioError?
    for sizes in attempts {
      do throws(AudioError) {
        try narrow(to: sizes)
        try install()
        return
      } catch {
        // A device in use or gone is so at any size.
        guard error.kind == .unsupported else { throw first ?? error }
        first = first ?? error
        unsafe snd_pcm_hw_params_copy(parameters, before)
      }
    }
    if let first { throw first }
  }

  private func narrow(to sizes: Sizes) throws(AudioError) {
    switch sizes {
    case .bufferFirst(let buffer, let period):
      let taken = try setBuffer(near: buffer)
      try setPeriod(near: period ?? max(taken / 4, 1))
    case .periodFirst(let period, let buffer):
      try setPeriod(near: period)
      _ = try setBuffer(near: buffer)
    case .own: break
    }
  }

  private func setPeriod(near period: Int) throws(AudioError) {
    var size = snd_pcm_uframes_t(period)
    try callALSA("snd_pcm_hw_params_set_period_size_near", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_period_size_near(pcm, parameters, &size, nil)
    }
  }

  /// Returns the taken size.
  private func setBuffer(near buffer: Int) throws(AudioError) -> Int {
    var size = snd_pcm_uframes_t(buffer)
    try callALSA("snd_pcm_hw_params_set_buffer_size_near", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params_set_buffer_size_near(pcm, parameters, &size)
    }
    return Int(size)
  }

  private func refusal(_ wanted: String, offered: [String], unit: String) -> AudioError {
    AudioError(
      .unsupported, cannot: "use device", device, because: "it does not give \(wanted)",
      advice: offered.isEmpty
        ? "it gives none that is supported"
        : "it gives \(offered.joined(separator: ", "))\(unit)")
  }

  /// The device's name with ALSA's conversions, for a shell. A name with arguments stands in quotes.
  private var nameOfPlug: String {
    let hasArguments = device.contains(":") || device.contains(",")
    return hasArguments ? "\"plug:'\(device)'\"" : "plug:\(device)"
  }
}

extension HardwareParameters {
  /// The installed values, each read back: libasound may install another than was set.
  func negotiated(as layout: SampleLayout) throws(AudioError) -> DeviceParameters {
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
    return DeviceParameters(
      format: try StreamFormat(sampleRate: Int(rate), channelCount: Int(channels)),
      layout: layout, periodSize: Int(period), bufferSize: Int(buffer),
      canPause: unsafe snd_pcm_hw_params_can_pause(parameters) == 1)
  }
}
