// SPDX-License-Identifier: Apache-2.0
/// The track that a tap writes of one stream, or of all stays of one source. Session thread only.
final class TapTrack {
  private let sink: BackgroundSink
  private var claim: EndpointClaim?
  private let format: StreamFormat
  /// The gaps of the track; nil if it is not aligned with the session.
  private let gaps: TrackGaps?
  private let quality: ResamplerQuality
  /// The samples per channel handed to the sink.
  private var written: Int64 = 0
  /// The end of the track in the session, in samples per channel at its rate.
  private var length: Int64 = 0
  /// The samples per channel dropped because the queue of gaps was full.
  private var untold: Int64 = 0
  /// The conversion of a stay whose format differs from the track's.
  private var conversion: (any ErasedChain)?
  private var isWanted = true
  private(set) var hasEnded = false
  private var failure: AudioError?
  /// The requested end.
  private var reason: StopReason?

  /// Makes and opens the sink.
  ///
  /// - Throws: the error of the sink; `unsupported` if the sink wants another format; `lifeCycle` if it is in use.
  init(
    _ stream: ObservedStream, _ alignment: TapAlignment, to maker: TapSinkMaker,
    on writer: BackgroundWriter
  ) throws(AudioError) {
    let made = try AudioError.wrapping(cannot: "make the sink for", stream.name) {
      try maker(stream)
    }
    claim = try EndpointClaim(made, named: "of \(stream.name)")
    gaps = alignment == .session ? TrackGaps() : nil
    sink = BackgroundSink(
      gaps.map { PaddedSink(made, $0) } ?? made, named: stream.name, on: writer,
      overflow: stream.isLive ? .drop : .wait)
    format = stream.format
    quality = stream.resamplerQuality
    do throws(AudioError) {
      let format = try sink.initialize(proposing: stream.format, wakeup: stream.control.wakeup)
      guard format == stream.format else {
        throw AudioError(
          .unsupported, cannot: "tap", stream.name,
          because: "the sink wants \(format) and the frames have \(stream.format)",
          advice: "ask for frames in that format")
      }
      try sink.start()
    } catch {
      // Throw the first error.
      try? sink.stop(.abandoned)
      sink.dispose()
      throw error
    }
  }

  /// A stream without an end lost its observer by unregistering: its samples so far are complete.
  deinit { try? end(.finished) }

  /// The samples per channel that did not reach the sink in time.
  var droppedSamplesPerChannel: Int64 { sink.droppedSamplesPerChannel + untold }

  /// Writes the next samples of the stream.
  ///
  /// - Parameter position: the position of the first sample in the session, in samples per channel of `format`.
  func write<Sample: AudioSample>(
    _ samples: Span<Sample>, _ format: StreamFormat, at position: Int64
  ) {
    guard isWanted else { return }
    do throws(AudioError) {
      guard gaps != nil else {
        isWanted = try sink.write(samples) == .accepted
        return
      }
      if format == self.format { return try place(samples, at: position) }
      let chain = try chain(Sample.self, from: format, at: position)
      chain.input.append(samples)
      try chain.run()
      try place(chain)
    } catch {
      failure = error
      isWanted = false
    }
  }

  /// Flushes the conversion when the source leaves.
  func rest() throws(AudioError) {
    guard let conversion else { return }
    self.conversion = nil
    func flush<Sample: AudioSample>(_ type: Sample.Type) throws(AudioError) -> Bool {
      guard let chain = conversion as? Chain<Sample> else { return false }
      try chain.end()
      try place(chain)
      return true
    }
    guard isWanted else { return }
    if try flush(Float.self) { return }
    _ = try flush(Double.self)
  }

  /// Whether ``end(_:)`` returns without waiting.
  var isClosed: Bool { sink.isClosed }

  /// Asks the writer to end the sink, without waiting.
  func requestEnd(_ reason: StopReason) {
    self.reason = reason
    sink.requestStop(failure == nil ? reason : .abandoned)
  }

  /// Completes the sink, or with `abandoned` removes an incomplete one. The reason of ``requestEnd(_:)`` precedes
  /// `reason`. A second call does nothing.
  ///
  /// - Throws: the error of a write.
  func end(_ reason: StopReason) throws(AudioError) {
    if hasEnded { return }
    hasEnded = true
    defer {
      sink.dispose()
      claim = nil
    }
    if let failure {
      try? sink.stop(.abandoned)
      throw failure
    }
    try sink.stop(self.reason ?? reason)
  }

  private func chain<Sample: AudioSample>(
    _ type: Sample.Type, from format: StreamFormat, at position: Int64
  ) throws(AudioError) -> Chain<Sample> {
    if let chain = conversion as? Chain<Sample> { return chain }
    let chain = Chain<Sample>(format: format)
    // A part of a recording is complete up to the last update of its file.
    try chain.convert(to: self.format, quality: quality, isLive: true)
    conversion = chain
    let start = AudioTime.nearest(
      position, from: format.sampleRate, to: self.format.sampleRate)
    pad(to: start)
    return chain
  }

  /// Writes the conversion's output directly behind the track.
  private func place<Sample: AudioSample>(_ chain: Chain<Sample>) throws(AudioError) {
    let output = chain.output
    try place(output.readable, at: length)
    output.consume(output.count)
  }

  /// Writes samples at `position`, without those that overlap the track.
  private func place<Sample: AudioSample>(
    _ samples: Span<Sample>, at position: Int64
  ) throws(AudioError) {
    let count = Int64(samples.count / format.channelCount)
    let overlap = min(max(length - position, 0), count)
    // If the queue of gaps is full, drop the samples: they would stand in the wrong place.
    guard overlap < count else { return }
    guard pad(to: position) else {
      untold += count - overlap
      return
    }
    let rest = samples.extracting(droppingFirst: Int(overlap) * format.channelCount)
    let dropped = sink.droppedSamplesPerChannel
    isWanted = try sink.write(rest) == .accepted
    // The dropped samples are a gap before the next ones.
    let taken = count - overlap - (sink.droppedSamplesPerChannel - dropped)
    written += taken
    length += taken
  }

  /// Extends the track by silence.
  ///
  /// - Returns: whether the track now reaches `position`.
  @discardableResult
  private func pad(to position: Int64) -> Bool {
    guard let gaps, position > length else { return true }
    guard gaps.queue.append(TrackGap(index: written, length: position - length)) else {
      return false
    }
    length = position
    return true
  }
}
