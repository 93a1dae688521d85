// SPDX-License-Identifier: Apache-2.0
/// A source that computes its samples: a tone, a sweep, noise or silence.
///
/// Takes the proposed format unless it is given its own, else 48 kHz and one channel. The signal is always computed in the same blocks,
/// so that what it gives does not depend on how it is read. Session thread only.
public class Generator: AudioSource {
  /// Makes the signal for a format and, where it ends, for so many samples per channel.
  typealias SignalMaker = (StreamFormat, Int64?) throws(AudioError) -> any GeneratedSignal

  private let duration: TimePosition?
  private let encoding: SampleEncoding
  private let makeSignal: SignalMaker
  private let ownSampleRate: Int?
  private let ownChannelCount: Int?
  /// Nil before `initialize` and after `dispose`.
  private var signal: (any GeneratedSignal)?
  private var channelCount = 1
  /// What of the present block has not been read.
  private let block = SampleQueue<Double>()
  /// The first sample per channel after the block.
  private var next: Int64 = 0
  /// Samples per channel that are still to be read; nil for no limit.
  private var remaining: Int64?

  /// - Parameters:
  ///   - duration: nil = for ever.
  ///   - encoding: what it calls itself, by which a session chooses its precision.
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

  /// Whether no rate of its own was asked for, which counts among those that decide the rate of a sum.
  public final var takesProposedFormat: Bool { ownSampleRate == nil }

  /// - Throws: `invalidParameter` for a duration that has no length in samples, a rate or a channel count that is none,
  ///   or a frequency that the rate does not allow.
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

  public final func start() {}

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

/// What a generator plays, computed block after block in double precision.
protocol GeneratedSignal {
  /// Writes the next whole block of interleaved samples.
  ///
  /// - Parameter index: of the block's first sample, in samples per channel since the start: always
  ///   the multiple of the block's length that follows the one before.
  mutating func fill(_ block: inout MutableSpan<Double>, channelCount: Int, from index: Int64)
}

/// Samples per channel in a block of a signal.
let signalBlockLength = 256

/// The amplitude of a generated signal that names none: −3 dBFS.
public let defaultSignalAmplitude = 0.707_945_784_384_137_9

extension StreamFormat {
  /// Refuses a frequency, in hertz, that no sine at this rate has.
  func checkFrequency(_ frequency: Double) throws(AudioError) {
    let limit = Double(sampleRate) / 2
    guard frequency > 0, frequency < limit else {
      throw AudioError(
        .invalidParameter, cannot: "generate a sine of", "\(frequency) Hz",
        because: "at \(sampleRate) Hz it must lie above 0 and below \(limit) Hz")
    }
  }
}
