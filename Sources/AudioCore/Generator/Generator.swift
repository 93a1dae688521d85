// SPDX-License-Identifier: Apache-2.0
/// A source that computes its samples: a tone, a sweep, noise or silence.
///
/// Takes the proposed format unless it has its own; without either, 48 kHz and one channel. It always computes in
/// blocks of one size, so the signal does not depend on the sizes of reads. Session thread only.
public class Generator: AudioSource {
  /// Makes the signal for a format and its length in samples per channel; nil = endless.
  typealias SignalMaker = (StreamFormat, Int64?) throws(AudioError) -> any GeneratedSignal

  private let duration: TimePosition?
  private let encoding: SampleEncoding
  private let makeSignal: SignalMaker
  private let ownSampleRate: Int?
  private let ownChannelCount: Int?
  /// The signal; nil before `initialize` and after `dispose`.
  private var signal: (any GeneratedSignal)?
  private var channelCount = 1
  /// The unread part of the current block.
  private let block = SampleQueue<Double>()
  /// The position behind the block, in samples per channel.
  private var next: Int64 = 0
  /// The samples per channel left to read; nil = endless.
  private var remaining: Int64?

  /// - Parameters:
  ///   - duration: the length; nil = endless.
  ///   - encoding: the stated encoding, which affects the session's precision.
  ///   - sampleRate: in hertz; nil = as proposed.
  ///   - channelCount: nil = as proposed.
  ///   - maker: makes the signal.
  init(
    lasting duration: TimePosition?, as encoding: SampleEncoding, sampleRate: Int?,
    channelCount: Int?, _ maker: @escaping SignalMaker
  ) {
    ownSampleRate = sampleRate
    ownChannelCount = channelCount
    self.duration = duration
    self.encoding = encoding
    makeSignal = maker
  }

  /// Whether it has no rate of its own. A generator with one counts among the sources that set the rate of a sum.
  public final var takesProposedFormat: Bool { ownSampleRate == nil }

  /// - Throws: `invalidParameter` for a duration without a length in samples, an illegal rate or channel count, or a
  ///   frequency that is illegal at the rate.
  public final func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let format = try StreamFormat(
      sampleRate: ownSampleRate ?? proposal?.sampleRate ?? 48_000,
      channelCount: ownChannelCount ?? proposal?.channelCount ?? 1)
    let length = try duration?.length(at: format.sampleRate, as: "duration")
    signal = try makeSignal(format, length)
    channelCount = format.channelCount
    remaining = length
    block.removeAll()
    next = 0
    return SourceDescription(format: format, encoding: encoding, samplesPerChannel: length)
  }

  public final func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) -> SourceStatus {
    if signal == nil || remaining == 0 { return .ended }
    let block = block
    while output.freeCapacity >= channelCount, remaining != 0 {
      if block.isEmpty { fillBlock() }
      var length = min(block.count, output.freeCapacity) / channelCount
      if let remaining { length = Int(min(Int64(length), remaining)) }
      Sample.append(block.readable.extracting(first: length * channelCount), to: &output)
      block.consume(length * channelCount)
      remaining = remaining.map { $0 - Int64(length) }
    }
    return .ready
  }

  public final func stop() {}

  public final func dispose() { signal = nil }

  private func fillBlock() {
    let block = block
    block.appendSilence(signalBlockLength * channelCount)
    var samples = block.writable
    signal?.fill(&samples, channelCount: channelCount, from: next)
    next += Int64(signalBlockLength)
  }
}

/// The signal of a generator, computed in blocks in double precision.
protocol GeneratedSignal {
  /// Writes the next whole block of interleaved samples.
  ///
  /// - Parameter index: the position of the block's first sample in samples per channel since the start; always the
  ///   next multiple of the block's length.
  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64)
}

/// The samples per channel in a block of a signal.
let signalBlockLength = 256

/// The default amplitude of a generated signal: −3 dBFS.
@usableFromInline package let defaultSignalAmplitude = 0.707_945_784_384_137_9

extension StreamFormat {
  /// Checks that a sine of `frequency` hertz is possible at this rate: above 0 and below half the rate.
  func checkFrequency(_ frequency: Double) throws(AudioError) {
    let limit = Double(sampleRate) / 2
    guard frequency > 0, frequency < limit else {
      throw AudioError(
        .invalidParameter, cannot: "generate a sine of", "\(frequency) Hz",
        because: "at \(sampleRate) Hz it must lie above 0 and below \(limit) Hz")
    }
  }
}

/// Silence. The stated encoding is s16, so it never widens an output.
public final class SilenceSource: Generator {
  /// - Parameters:
  ///   - sampleRate: in hertz, 1 kHz to 768 kHz, for any proposal; nil = as proposed.
  ///   - channelCount: 1 to 64, for any proposal; nil = as proposed.
  ///   - duration: the length; nil = endless.
  public init(
    sampleRate: Int? = nil, channelCount: Int? = nil, duration: TimePosition? = nil
  ) {
    super.init(
      lasting: duration, as: .s16, sampleRate: sampleRate, channelCount: channelCount
    ) { _, _ in SilenceSignal() }
  }
}

private struct SilenceSignal: GeneratedSignal {
  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64) {
    block.update(repeating: 0)
  }
}
