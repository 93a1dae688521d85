/// What a generated source is once it is initialised: hands out a ``GeneratedSignal`` in portions of any
/// size.
///
/// The signal itself is always computed in the same blocks, so that what it gives does not depend on
/// how it is read.
final class GeneratedStream<Signal: GeneratedSignal> {
  /// Samples per channel in a block.
  static var blockLength: Int { 256 }

  let format: StreamFormat
  private var signal: Signal
  /// What of the block has not been read.
  private let block = SampleQueue<Double>()
  /// The first sample per channel after the block.
  private var next: Int64 = 0
  private let samplesPerChannel: Int64?
  /// Samples per channel that are still to be read; nil for no limit.
  private var remaining: Int64?

  /// - Parameters:
  ///   - proposal: what the session would like; 48 kHz and one channel where it has no wish.
  ///   - duration: nil = for ever.
  ///   - makeSignal: makes the signal for the format and, if it ends, so many samples per channel.
  /// - Throws: what `makeSignal` does; `invalidParameter` for a duration that has no length in samples.
  init(
    proposing proposal: StreamFormat?, lasting duration: TimePosition?,
    _ makeSignal: (StreamFormat, Int64?) throws(AudioError) -> Signal
  ) throws(AudioError) {
    format =
      if let proposal { proposal } else { try StreamFormat(sampleRate: 48_000, channelCount: 1) }
    samplesPerChannel = try duration?.length(at: format.sampleRate, as: "duration")
    signal = try makeSignal(format, samplesPerChannel)
    remaining = samplesPerChannel
  }

  func description(encoding: SampleEncoding) -> SourceDescription {
    SourceDescription(format: format, encoding: encoding, samplesPerChannel: samplesPerChannel)
  }

  func read<Sample: AudioSample>(into output: inout OutputSpan<Sample>) -> SourceStatus {
    let block = block
    let width = format.channelCount
    if remaining == 0 { return .ended }
    while output.freeCapacity >= width, remaining != 0 {
      if block.isEmpty { fillBlock() }
      var length = min(block.count, output.freeCapacity) / width
      if let remaining { length = Int(min(Int64(length), remaining)) }
      Sample.append(block.readable.extracting(first: length * width), to: &output)
      block.consume(length * width)
      remaining = remaining.map { $0 - Int64(length) }
    }
    return .ready
  }

  private func fillBlock() {
    let block = block
    block.appendSilence(Self.blockLength * format.channelCount)
    var samples = block.writable
    signal.fill(&samples, channelCount: format.channelCount, from: next)
    next += Int64(Self.blockLength)
  }
}
