// SPDX-License-Identifier: Apache-2.0
/// The session's end of a push source: gives samples, silence for gaps, and conversions of other rates. Session thread
/// only.
final class PushReader {
  private let link: PushLink
  private let quality: ResamplerQuality
  private let format: StreamFormat
  /// Samples per channel taken from the ring.
  private var position = 0
  /// The rate of the samples at `position`.
  private var rate: Int
  /// The samples per channel of silence still to give, at the rate of the current run.
  private var silence: Int64 = 0
  /// The conversion of the run, in the session's sample type; nil without one.
  private var conversion: (any RunConversion)?
  /// The run that begins once the conversion is flushed.
  private var next: PushMark?
  private var isDry = true
  /// The end of the stream so far in samples per channel, including the session's silence.
  private var end: Int64 = 0
  private var filled = FilledRanges()
  /// The position of the converted run's first sample in the stream, shifted by the silence since.
  private var runStart: Int64 = 0
  /// The samples per channel of that run so far, at its rate.
  private var runLength: Int64 = 0
  /// The silence that the session has put into the stream.
  private var yielded: Int64 = 0
  /// The end of the samples in the ring that were dropped for the sender.
  private var cleared = 0
  /// Whether no sample has come since the sender has cleared the source.
  private var isInterrupted = false
  /// The end of the samples in the stream that were taken back, if the session does not know it.
  private var withdrawn: Int64?
  /// The next samples that come too late for their time, in samples per channel.
  private var late = 0
  /// Whether a run goes on whose conversion was dropped.
  private var needsConversion = false

  init(_ link: PushLink, quality: ResamplerQuality) {
    self.link = link
    self.quality = quality
    format = link.samples.format
    rate = format.sampleRate
  }

  /// Appends the available samples, up to the free capacity of `output`.
  ///
  /// - Parameters:
  ///   - isFinished: whether no more samples will be sent, read before this call.
  ///   - isMuted: whether the source is muted, so no samples are missing.
  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>, isFinished: Bool, isMuted: Bool
  ) throws(AudioError) -> SourceStatus {
    let before = output.count
    dropCleared()
    if needsConversion { _ = try makeConversion(Sample.self) }
    var isMoving = true
    while isMoving, output.freeCapacity >= format.channelCount {
      isMoving = try step(into: &output, isFinished: isFinished)
    }
    if output.count > before {
      isDry = false
      return .ready
    }
    if isMoving { return .pending }
    if isFinished { return .ended }
    if !isDry {
      isDry = true
      if !isMuted { link.underruns.add(1) }
    }
    return .pending
  }

  /// Returns the ranges of silence given since the last call, in samples per channel from the beginning of the stream.
  func takeFilled() -> [Range<Int64>] { filled.take(before: end) }

  /// Counts silence that the session put behind the samples read.
  func silenceStoodIn(samplesPerChannel count: Int64) {
    end += count
    runStart += count
    yielded += count
    link.rest(count, at: position)
  }

  /// Returns the end of the samples taken back since the last call; nil if there are none.
  func takeWithdrawn() -> Int64? {
    dropCleared()
    // The end of a conversion's filter is behind the last sample, and not heard either.
    if isInterrupted { return end }
    defer { withdrawn = nil }
    return withdrawn
  }

  /// Drops the samples that were in the ring when the sender cleared the source.
  private func dropCleared() {
    let last = link.clearedPosition
    guard cleared < last else { return }
    cleared = last
    isInterrupted = true
    let pending = next
    (silence, late, conversion, next) = (0, 0, nil, nil)
    if let pending { rate = pending.rate }
    if let pending, pending.position == last { silence = pending.silence }
    while position < last {
      let mark = link.marks.first
      if let mark, mark.position == position {
        link.marks.removeFirst()
        rate = mark.rate
      } else {
        let count = min(last, mark?.position ?? last) - position
        link.samples.ring.pop(count)
        position += count
      }
    }
    needsConversion = rate != format.sampleRate
    link.tellProgress()
  }

  /// Sets the silence in front of the first samples since then, or tells the sender that they follow at once.
  private func place(_ clearing: PushMark.Clearing) {
    let missing = clearing.place - clearing.silence - (end - yielded)
    if clearing.isTimed {
      let own = ResamplingRatio(from: format.sampleRate, to: rate)
      let gap = max(0, clearing.place - end)
      silence = conversion == nil ? gap : own.outputLength(of: gap)
      late = Int(own.outputLength(of: max(0, end - clearing.place)))
    } else {
      link.takenBack.add(max(0, missing - silence))
    }
  }

  /// - Returns: whether there may be more to do.
  private func step<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>, isFinished: Bool
  ) throws(AudioError) -> Bool {
    if let conversion, move(conversion, into: &output) { return true }
    if silence > 0 { return try giveSilence(into: &output) }
    // The ring is read first: the marks of its samples were written before them.
    let held = link.samples.ring.filled()
    let mark = link.marks.first
    if let mark, mark.position == position {
      link.marks.removeFirst()
      try apply(mark)
      return true
    }
    let count = min(held, mark.map { $0.position - position } ?? held)
    if late > 0, count > 0 {
      drop(min(count, late))
      return true
    }
    if count > 0 { return try take(count, into: &output) }
    guard isFinished, let conversion, !conversion.isEnded else { return false }
    try conversion.end()
    return true
  }

  private func drop(_ count: Int) {
    link.samples.ring.pop(count)
    position += count
    late -= count
    link.late.add(Int64(count))
  }

  private func apply(_ mark: PushMark) throws(AudioError) {
    guard mark.startsRun, let conversion else {
      rate = mark.rate
      silence = mark.silence
      if let clearing = mark.clearing { place(clearing) }
      return
    }
    try conversion.end()
    next = mark
  }

  /// Moves converted samples to `output`; drops the conversion once it is flushed and empty.
  ///
  /// - Returns: whether anything changed.
  private func move<Sample: AudioSample>(
    _ conversion: any RunConversion, into output: inout OutputSpan<Sample>
  ) -> Bool {
    let before = output.count
    if conversion.take(into: &output) {
      end += Int64((output.count - before) / format.channelCount)
      return true
    }
    guard conversion.isEnded, let run = next else { return false }
    self.conversion = nil
    next = nil
    rate = run.rate
    silence = run.silence
    if let clearing = run.clearing { place(clearing) }
    return true
  }

  private func giveSilence<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    let room =
      conversion == nil
      ? output.freeCapacity / format.channelCount : BlockSize.samplesPerChannel(format)
    let count = Int(min(silence, Int64(room)))
    silence -= Int64(count)
    if let conversion {
      try conversion.addSilence(count)
      filled.add(placeInStream(runLength)..<placeInStream(runLength + Int64(count)))
      runLength += Int64(count)
    } else {
      output.append(repeating: 0, count: count * format.channelCount)
      filled.add(end..<end + Int64(count))
      end += Int64(count)
    }
    return true
  }

  /// Returns the position of a sample of the converted run: sample k at rate r is at exactly k/r.
  private func placeInStream(_ index: Int64) -> Int64 {
    runStart + ResamplingRatio(from: rate, to: format.sampleRate).outputLength(of: index)
  }

  private func take<Sample: AudioSample>(
    _ count: Int, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    defer { link.tellProgress() }
    if isInterrupted { (isInterrupted, withdrawn) = (false, end) }
    if rate == format.sampleRate {
      let taken = link.samples.read(atMost: count, into: &output)
      position += taken
      end += Int64(taken)
      return true
    }
    let block = min(count, BlockSize.samplesPerChannel(format))
    let run: any RunConversion
    if let conversion { run = conversion } else { run = try makeConversion(Sample.self) }
    let taken = try run.add(block, from: link)
    position += taken
    runLength += Int64(taken)
    return true
  }

  private func makeConversion<Sample: AudioSample>(
    _ type: Sample.Type
  ) throws(AudioError) -> any RunConversion {
    let chain = Chain<Sample>(
      format: try StreamFormat(sampleRate: rate, channelCount: format.channelCount))
    try chain.convert(to: format, quality: quality, isLive: true)
    conversion = chain
    needsConversion = false
    runStart = end
    runLength = 0
    return chain
  }
}

/// The conversion of samples that were sent at another rate, as a chain.
private protocol RunConversion: ErasedChain {
  /// Converts silence, in samples per channel.
  func addSilence(_ count: Int) throws(AudioError)

  /// Converts at most `limit` samples per channel of the ring.
  ///
  /// - Returns: the samples per channel taken.
  func add(_ limit: Int, from link: PushLink) throws(AudioError) -> Int
}

extension Chain: RunConversion {
  fileprivate func addSilence(_ count: Int) throws(AudioError) {
    input.appendSilence(count * inputFormat.channelCount)
    try run()
  }

  fileprivate func add(_ limit: Int, from link: PushLink) throws(AudioError) -> Int {
    let taken = input.append(atMost: limit * inputFormat.channelCount) {
      (samples) throws(Never) in link.samples.read(atMost: limit, into: &samples)
    }
    try run()
    return taken
  }
}
