/// The session's end of a push source: samples, silence for gaps, and conversion of other rates.
/// Session thread only.
final class PushReader {
  private let channel: PushChannel
  private let quality: ResamplerQuality
  private let format: StreamFormat
  /// Samples per channel taken from the ring.
  private var position = 0
  /// The rate of the samples at `position`.
  private var rate: Int
  /// Samples per channel of silence still to give, at the rate of whatever is open.
  private var silence: Int64 = 0
  /// The `Strand` that converts the run, in the session's sample type; nil where nothing is converted.
  private var conversion: AnyObject?
  /// The run that begins once the conversion is drained.
  private var next: PushMark?
  private var isDry = true

  init(_ channel: PushChannel, quality: ResamplerQuality) {
    self.channel = channel
    self.quality = quality
    format = channel.samples.format
    rate = format.sampleRate
  }

  /// Appends what is there, up to the free capacity of `output`.
  ///
  /// - Parameter isFinished: whether nothing more will be sent, asked before this call.
  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>, isFinished: Bool
  ) throws(AudioError) -> SourceStatus {
    let before = output.count
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
      channel.countUnderrun()
    }
    return .pending
  }

  /// - Returns: whether there may be more to do.
  private func step<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>, isFinished: Bool
  ) throws(AudioError) -> Bool {
    let strand = conversion as? Strand<Sample>
    if let strand, drain(strand, into: &output) { return true }
    if silence > 0 { return try giveSilence(strand, into: &output) }
    // Samples first: the marks that belong to those seen here were written before them.
    let held = channel.samples.ring.filled()
    let mark = channel.marks.first
    if let mark, mark.position == position {
      channel.marks.removeFirst()
      try apply(mark, strand)
      return true
    }
    let count = min(held, mark.map { $0.position - position } ?? held)
    if count > 0 { return try take(count, strand, into: &output) }
    guard isFinished, let strand, !strand.isEnded else { return false }
    try strand.end()
    return true
  }

  private func apply<Sample: AudioSample>(
    _ mark: PushMark, _ strand: Strand<Sample>?
  ) throws(AudioError) {
    guard mark.startsRun, let strand else {
      rate = mark.rate
      silence = mark.silence
      return
    }
    try strand.end()
    next = mark
  }

  /// Moves converted samples on; drops the conversion once it is flushed and empty.
  ///
  /// - Returns: whether anything changed.
  private func drain<Sample: AudioSample>(
    _ strand: Strand<Sample>, into output: inout OutputSpan<Sample>
  ) -> Bool {
    let queue = strand.output
    if queue.isEmpty {
      guard strand.isEnded, let run = next else { return false }
      conversion = nil
      next = nil
      rate = run.rate
      silence = run.silence
      return true
    }
    let free = output.freeCapacity - output.freeCapacity % format.channelCount
    let count = min(queue.count, free)
    output.append(queue.readable.extracting(first: count), converting: { $0 })
    queue.consume(count)
    return true
  }

  private func giveSilence<Sample: AudioSample>(
    _ strand: Strand<Sample>?, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    let room =
      strand == nil
      ? output.freeCapacity / format.channelCount : BlockSize.samplesPerChannel(format)
    let count = Int(min(silence, Int64(room)))
    silence -= Int64(count)
    if let strand {
      strand.input.appendSilence(count * format.channelCount)
      try strand.run()
    } else {
      output.append(repeating: 0, count: count * format.channelCount)
    }
    return true
  }

  private func take<Sample: AudioSample>(
    _ count: Int, _ open: Strand<Sample>?, into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> Bool {
    defer { channel.progress.notify() }
    if rate == format.sampleRate {
      position += channel.samples.read(atMost: count, into: &output)
      return true
    }
    let strand: Strand<Sample>
    if let open { strand = open } else { strand = try makeConversion() }
    let block = min(count, BlockSize.samplesPerChannel(format))
    let samples = channel
    position += strand.input.append(atMost: block * format.channelCount) {
      (input) throws(Never) in
      samples.samples.read(atMost: block, into: &input)
    }
    try strand.run()
    return true
  }

  private func makeConversion<Sample: AudioSample>() throws(AudioError) -> Strand<Sample> {
    let strand = Strand<Sample>(
      format: try StreamFormat(sampleRate: rate, channelCount: format.channelCount))
    try strand.convert(to: format, quality: quality)
    conversion = strand
    return strand
  }
}
