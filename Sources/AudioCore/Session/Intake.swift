/// Reads one source into its chain.
final class Intake<Sample: AudioSample> {
  private let life: SourceLife
  private let chain: Chain<Sample>
  /// Samples per channel read so far.
  let read = SampleCount()
  /// Why a live source ended before its time; what it had given is delivered all the same.
  private(set) var failure: AudioError?
  private var isFinishing = false
  private let limit: Int64

  /// - Parameter limit: samples per channel after which no more is read.
  init(_ life: SourceLife, into chain: Chain<Sample>, atMost limit: Int64? = nil) {
    self.life = life
    self.chain = chain
    self.limit = limit ?? .max
  }

  var id: SourceID { life.entry.id }
  var isLive: Bool { life.description.isLive }
  var samplesPerChannel: Int64 { read.samplesPerChannel }
  var format: StreamFormat { life.description.format }
  var expectedSamplesPerChannel: Int64? {
    let length = life.description.samplesPerChannel
    return limit == .max ? length : min(limit, length ?? limit)
  }
  var isEnded: Bool { chain.isEnded }
  var secondsRead: Double { Double(samplesPerChannel) / Double(format.sampleRate) }

  /// Whether nobody can tell when the source will end.
  var isOpenEnded: Bool { expectedSamplesPerChannel == nil || isLive }

  func start() throws(AudioError) { try life.start() }

  /// Takes nothing more than what a live source holds already.
  func finishEarly() {
    isFinishing = true
    if isLive { life.stop() }
  }

  /// Reads one block where there is room for it.
  ///
  /// - Returns: whether anything moved.
  func run() throws(AudioError) -> Bool {
    if chain.isEnded || chain.isFull && !isFinishing { return false }
    if samplesPerChannel == limit || isFinishing && !isLive { return try end() }
    switch try readBlock() {
    case .ready:
      return try move { () throws(AudioError) in try chain.run() }
    case .pending:
      return isFinishing ? try end() : false
    case .ended:
      return try end()
    }
  }

  private func readBlock() throws(AudioError) -> SourceStatus {
    let before = chain.input.count
    let channelCount = format.channelCount
    var status = SourceStatus.ended
    do {
      status = try chain.read(
        from: life.entry.source, atMost: Int(min(Int64(Int.max), limit - samplesPerChannel)))
    } catch {
      if error.kind == .interrupted {
        // The engine is about to see for itself that it is asked to end.
        status = .pending
      } else if isLive {
        failure = error
      } else {
        throw error
      }
    }
    let (length, rest) = (chain.input.count - before)
      .quotientAndRemainder(dividingBy: channelCount)
    guard rest == 0 else {
      throw AudioError(
        .lifeCycle, cannot: "read source", id.description,
        because: "it gave a part of a sample of its \(channelCount) channels")
    }
    self.read.samplesPerChannel += Int64(length)
    return status
  }

  private func end() throws(AudioError) -> Bool {
    life.stop()
    return try move { () throws(AudioError) in try chain.end() }
  }

  /// Moves samples through the chain. What a live source gave cannot be had again: where a stage fails,
  /// everything up to there is delivered first.
  private func move(_ body: () throws(AudioError) -> Void) throws(AudioError) -> Bool {
    do {
      try body()
    } catch {
      guard isLive else { throw error }
      if failure == nil { failure = error }
    }
    return true
  }
}

/// Shows the beginning of a stream to the stages of another chain, and lets what follows pass.
///
/// A rate conversion behind it needs some of what lies behind the end that observers are shown.
final class BoundedStage<Sample: AudioSample>: StreamStage {
  private let observed: Chain<Sample>
  /// Samples, across all channels, that are still to be shown.
  private var remaining: Int64

  let inputFormat: StreamFormat
  var outputFormat: StreamFormat { inputFormat }

  /// - Parameters:
  ///   - observed: a chain whose stages leave the format as it is.
  ///   - length: how much of the stream it is given, in samples per channel.
  init(_ observed: Chain<Sample>, atMost length: Int64) {
    self.observed = observed
    inputFormat = observed.format
    remaining = length * Int64(observed.format.channelCount)
  }

  func process(_ input: Span<Sample>, into output: SampleQueue<Sample>) throws(AudioError) {
    let shown = Int(min(remaining, Int64(input.count)))
    if shown > 0 {
      observed.input.append(input.extracting(first: shown))
      remaining -= Int64(shown)
      try observed.run()
    }
    if remaining == 0 { try observed.end() }
    move(to: output)
    output.append(input.extracting(last: input.count - shown))
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    try observed.end()
    move(to: output)
  }

  private func move(to output: SampleQueue<Sample>) {
    let queue = observed.output
    output.append(queue.readable)
    queue.removeAll()
  }
}
