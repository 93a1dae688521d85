/// A play list: several sources one after the other, without a gap.
///
/// All are initialised at the start, so that a missing one is reported before anything is heard. The stream
/// has the highest rate and the most channels among them; those that differ are converted.
public final class SequenceSource: AudioSource {
  private let items: [any AudioSource]
  private let quality: ResamplerQuality
  private var formats: [StreamFormat] = []
  private var format: StreamFormat?
  private var current = 0
  /// Items whose `initialize` was called.
  private var openedCount = 0
  private var isCurrentStarted = false
  /// Converts the current item, in the session's sample type; nil where that needs no conversion.
  private var conversion: (any ItemConversion)?

  /// - Parameters:
  ///   - items: at least one.
  ///   - quality: of the conversion of those that differ.
  public init(_ items: [any AudioSource], quality: ResamplerQuality = .high) {
    self.items = items
    self.quality = quality
  }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    var descriptions: [SourceDescription] = []
    for item in items {
      openedCount += 1
      descriptions.append(try item.initialize(proposing: proposal, wakeup: wakeup))
    }
    formats = descriptions.map { $0.format }
    let format = try StreamFormat(
      sampleRate: formats.map { $0.sampleRate }.max() ?? 0,
      channelCount: formats.map { $0.channelCount }.max() ?? 0)
    self.format = format
    var length: Int64? = 0
    for description in descriptions {
      guard let total = length, let part = description.samplesPerChannel else {
        length = nil
        break
      }
      let ratio = ResamplingRatio(
        from: description.format.sampleRate, to: format.sampleRate)
      length = total + ratio.outputLength(of: part)
    }
    return SourceDescription(
      format: format, encoding: .widest(descriptions.map { $0.encoding }),
      samplesPerChannel: length, pace: descriptions.contains { $0.isLive } ? .arrival : .unpaced)
  }

  public func start() throws(AudioError) {
    guard current < items.count else { return }
    try items[current].start()
    isCurrentStarted = true
  }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    while current < items.count {
      let status =
        formats[current] == format
        ? try items[current].read(into: &output) : try convert(into: &output)
      if status != .ended { return status }
      try advance()
    }
    return .ended
  }

  public func stop() {
    if isCurrentStarted { items[current].stop() }
    isCurrentStarted = false
  }

  public func dispose() {
    conversion = nil
    for item in items.prefix(openedCount) { item.dispose() }
    openedCount = 0
  }

  private func advance() throws(AudioError) {
    stop()
    conversion = nil
    current += 1
    try start()
  }

  private func convert<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard let format else { return .ended }
    let chain: any ItemConversion
    if let conversion {
      chain = conversion
    } else {
      let made = Chain<Sample>(format: formats[current])
      try made.convert(to: format, quality: quality)
      chain = made
      conversion = made
    }
    while !chain.take(into: &output) {
      if chain.isEnded { return .ended }
      if try chain.fill(from: items[current]) == .pending { return .pending }
    }
    return .ready
  }
}

/// What a chain does for a play list.
private protocol ItemConversion: ErasedChain {
  func fill(from source: any AudioSource) throws(AudioError) -> SourceStatus
}

extension Chain: ItemConversion {}
