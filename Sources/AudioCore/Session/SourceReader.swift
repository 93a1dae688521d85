// SPDX-License-Identifier: Apache-2.0
/// Reads one source into its chain.
final class SourceReader<Sample: AudioSample> {
  private let life: SourceLife
  private let filling: (any FillingSource)?
  private let chain: Chain<Sample>
  /// Samples per channel read so far.
  let read: SampleCount
  /// The samples per channel of silence in the stream, in place of samples that the source did not have.
  private var yielded: Int64 = 0
  /// The samples per channel, at the source's rate, that silence stood in for.
  private(set) var missingSamplesPerChannel: Int64 = 0
  /// The silence since the source ran dry, in samples per channel from the stream's beginning.
  private var openGap: Range<Int64>?
  /// The finished gaps that were not reported yet.
  private var gaps: [Range<Int64>] = []
  /// Whether the source had no samples at the last read.
  private(set) var isDry = false
  /// Whether the source's next samples become silence.
  var isSilenced = false
  /// Whether silence stands in for a muted source.
  private var pause = Pause.none
  /// The error that ended the source early; its samples so far are delivered all the same.
  private(set) var failure: AudioError?
  var mayFail = false
  private var isFinishing = false
  /// Whether all samples were read and the stages are flushed.
  private var isEnding = false
  /// Whether another stream waits for this one, even if this one is full.
  var isWanted: () -> Bool = { false }
  /// The end of reading, in samples per channel.
  private var limit: Int64
  /// The end of the stream for now, in samples per channel; nil = only the room limits it.
  var ceiling: Int64?

  private enum Pause {
    case none
    /// The source is muted and gives no samples.
    case muted
    /// The source is unmuted and has not given a sample yet.
    case ending
  }

  /// - Parameters:
  ///   - read: counts the samples per channel that are read.
  ///   - limit: the end of reading, in samples per channel.
  init(
    _ life: SourceLife, into chain: Chain<Sample>, counting read: SampleCount = SampleCount(),
    atMost limit: Int64? = nil
  ) {
    self.read = read
    self.life = life
    filling = life.entry.source.filling
    self.chain = chain
    self.limit = limit ?? .max
  }

  var id: SourceKey { life.entry.key }
  var isLive: Bool { life.description.isLive }
  /// Whether its samples cannot be read again.
  private var isUnique: Bool { !life.description.isRepeatable }
  /// Whether the source ends by itself if the session is asked to finish.
  var endsByItself: Bool { isUnique && !isLive }
  /// The tolerated lateness of its samples.
  var latency: Duration { life.description.latency }
  /// The most time that a stream at the session's pace may be ahead of the session; nil = only the room limits it.
  var lead: Duration? { isLive ? filling?.lead.map { latency + $0 } : .zero }
  var hasClock: Bool { life.description.pace.clock != nil }
  var samplesPerChannel: Int64 { read.samplesPerChannel }
  /// The position of the stream in samples per channel: the samples read, and silence in place of missing ones.
  var position: Int64 { read.samplesPerChannel + yielded }
  var format: StreamFormat { life.description.format }
  var expectedSamplesPerChannel: Int64? {
    let length = life.description.samplesPerChannel
    return limit == .max ? length : min(limit, length ?? limit)
  }
  /// The samples so far, for the session's report.
  var account: SessionReport.Source {
    .init(
      key: id, format: format, samplesPerChannel: samplesPerChannel,
      missingSamplesPerChannel: missingSamplesPerChannel)
  }
  var isEnded: Bool { chain.isEnded }
  var isReading: Bool { !chain.isEnded && !isEnding && position < limit }
  var secondsRead: Double { Double(samplesPerChannel) / Double(format.sampleRate) }

  var isOpenEnded: Bool { expectedSamplesPerChannel == nil || isLive }

  func start() throws(AudioError) { try life.start() }

  /// Takes the samples that were read before the source had a chain.
  func adopt(_ samples: SampleQueue<Sample>) throws(AudioError) {
    count(Int64(samples.count / format.channelCount))
    if isSilenced {
      chain.input.appendSilence(samples.count)
    } else {
      chain.input.append(samples.readable)
    }
    _ = try move { () throws(AudioError) in try chain.run() }
  }

  /// Ends the stream after the samples read so far.
  func cut() throws(AudioError) {
    if chain.isEnded { return }
    isFinishing = true
    _ = try end()
  }

  /// Limits the stream to `length`, in samples per channel.
  func end(at length: Int64) { limit = min(limit, length) }

  func dispose() { life.dispose() }

  /// Tells the source whether it is muted. Silence in place of a muted source does not count as missing.
  func setMuted(_ isMuted: Bool) throws(AudioError) {
    if chain.isEnded || isFinishing { return }
    closeGap()
    do {
      guard try life.setMuted(isMuted) else { return }
      pause = isMuted ? .muted : .ending
    } catch {
      failure = failure ?? error
      try cut()
    }
  }

  /// Stops a live source: only the samples that it holds are still read.
  func finishEarly() {
    isFinishing = true
    if isLive { life.stop() }
  }

  /// Reads one block if there is room for it.
  ///
  /// - Returns: whether samples moved.
  func run() throws(AudioError) -> Bool {
    isDry = false
    if chain.isEnded || chain.isFull && !isFinishing && !isWanted() { return false }
    if isEnding { return try end() }
    if chain.isWaiting, !isFinishing {
      var hasMoved = false
      _ = try move { () throws(AudioError) in hasMoved = try chain.advance() }
      return hasMoved || failure != nil
    }
    if position >= limit || isFinishing && !isLive { return try end() }
    if let ceiling, position >= ceiling { return false }
    switch try readBlock() {
    case .ready:
      return try move { () throws(AudioError) in try chain.run() }
    case .pending:
      if isFinishing { return try end() }
      isDry = true
      return false
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
        from: life.entry.source, atMost: Int(min(limit, ceiling ?? .max) - position))
    } catch {
      if error.kind == .interrupted, endsByItself {
        // A pipe that gave no samples has nothing to complete.
        if samplesPerChannel == 0 { throw error }
      } else if error.kind == .interrupted {
        // The engine is about to see the request to end.
        status = .pending
      } else if isLive || mayFail || samplesPerChannel > 0 && (isUnique || error.keepsWhatCame) {
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
    count(Int64(length))
    if isSilenced {
      chain.input.removeLast(length * channelCount)
      chain.input.appendSilence(length * channelCount)
    }
    return status
  }

  /// Counts the samples read, and the silence among them that stands in for missing ones.
  ///
  /// - Parameter length: samples per channel.
  private func count(_ length: Int64) {
    if length == 0 { return }
    read.samplesPerChannel += length
    var given = length
    for range in filling?.takeFilled() ?? [] {
      given -= Int64(range.count)
      read.samplesPerChannel -= Int64(range.count)
      yielded += Int64(range.count)
      if pause == .none { countMissing(in: range) }
    }
    if pause == .ending, given > 0 { pause = .none }
    if let openGap, openGap.upperBound < position { closeGap() }
  }

  private func closeGap() {
    guard let gap = openGap else { return }
    gaps.append(gap)
    openGap = nil
  }

  /// Returns the finished gaps that were not reported yet.
  func takeGaps() -> [Range<Int64>] { gaps.isEmpty ? [] : gaps.takeAll() }

  /// Returns the end of the samples, in samples per channel of the stream, that the source has taken back since the last
  /// call; nil if none.
  func takeWithdrawn() -> Int64? { filling?.takeWithdrawn() }

  /// Appends silence to the stream of a source without samples.
  ///
  /// - Parameter count: samples per channel.
  func yieldSilence(_ count: Int64) throws(AudioError) {
    let count = min(count, limit - position)
    guard count > 0 else { return }
    if pause == .none { countMissing(in: position..<position + count) }
    chain.input.appendSilence(Int(count) * format.channelCount)
    yielded += count
    life.entry.source.silenceStoodIn(samplesPerChannel: count)
    _ = try move { () throws(AudioError) in try chain.run() }
  }

  /// Counts the silence in a range of the stream that stood in for the source.
  private func countMissing(in range: Range<Int64>) {
    if openGap?.upperBound != range.lowerBound { closeGap() }
    openGap = (openGap?.lowerBound ?? range.lowerBound)..<range.upperBound
    countMissing(Int64(range.count))
  }

  /// Counts silence that stood in for the source, in samples per channel.
  func countMissing(_ count: Int64) { missingSamplesPerChannel += count }

  private func end() throws(AudioError) -> Bool {
    isEnding = true
    life.stop()
    closeGap()
    return try move { () throws(AudioError) in try chain.end() }
  }

  /// Moves samples through the chain. If a stage fails and the samples cannot be read again, all samples up to there
  /// are delivered first.
  private func move(_ body: () throws(AudioError) -> Void) throws(AudioError) -> Bool {
    do {
      try body()
    } catch {
      guard isUnique || mayFail else { throw error }
      if failure == nil { failure = error }
    }
    return true
  }
}

/// Shows the beginning of a stream to the stages of another chain, and passes the rest.
///
/// A rate conversion behind it needs samples beyond the end that observers see.
final class BoundedStage<Sample: AudioSample>: StreamStage {
  private let observed: Chain<Sample>
  /// The samples still to be shown, across all channels.
  private var remaining: Int64

  let inputFormat: StreamFormat

  /// - Parameters:
  ///   - observed: a chain whose stages keep the format.
  ///   - length: the part of the stream for that chain, in samples per channel.
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
    observed.output.move(observed.output.count, to: output)
    output.append(input.extracting(last: input.count - shown))
  }

  func finish(into output: SampleQueue<Sample>) throws(AudioError) {
    try observed.end()
    observed.output.move(observed.output.count, to: output)
  }

  var isFinished: Bool { observed.isEnded }
}
