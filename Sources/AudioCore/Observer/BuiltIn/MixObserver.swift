// SPDX-License-Identifier: Apache-2.0
/// A read-write observer that adds another source into the stream.
///
/// The source begins with the stream, is converted to the observer's format and is added at a gain. If it ends first,
/// the stream goes on alone; if the stream ends first, the source is stopped. The session computes in double precision,
/// so a sum is rounded only at the output:
///
/// ```swift
/// try session.register(MixObserver(.record) { _ in ToneSource(…) })
/// ```
public final class MixObserver: UniformObserver {
  public typealias Sample = Double

  public let positions: ObservationPositions
  private let asked: FrameParameters
  private let gain: Double
  private let quality: ResamplerQuality?
  private let makeSource: MixSourceMaker
  private var added: [StreamIdentity: AddedSource] = [:]

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames, read-write unless they set a mode.
  ///   - gain: a factor for the added source.
  ///   - quality: the quality of the added source's rate conversion; nil = the session's.
  ///   - maker: makes one source for each stream: a source cannot feed two.
  public init(
    _ positions: ObservationPositions, parameters: FrameParameters = .readWrite, gain: Double = 1,
    quality: ResamplerQuality? = nil, adding maker: @escaping MixSourceMaker
  ) {
    self.positions = positions
    asked = parameters
    self.gain = gain
    self.quality = quality
    makeSource = maker
  }

  /// The samples per channel, over all streams, to which a live source had nothing to add.
  public private(set) var missingSamplesPerChannel: Int64 = 0

  public var neededPrecision: SamplePrecision { .double }

  public func parameters(at position: ObservationPosition) -> FrameParameters {
    asked.completed(by: .readWrite)
  }

  /// Makes, initialises and starts the source to add to `stream`.
  public func begin(_ stream: ObservedStream) throws(AudioError) {
    let source = try AudioError.wrapping(cannot: "make the source to add to", stream.name) {
      try makeSource(stream)
    }
    added[stream.identity] = try AddedSource(
      source, to: stream, gain: gain, quality: quality ?? stream.resamplerQuality)
  }

  public func observe(_ frame: inout AudioFrame<Double>, at position: ObservationPosition) -> Bool {
    added[StreamIdentity(of: frame, at: position)]?.add(to: &frame.samples)
    return true
  }

  /// Stops and disposes of the source.
  ///
  /// - Throws: the error of reading it.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    guard let source = added.removeValue(forKey: stream.identity) else { return }
    missingSamplesPerChannel += source.missingSamplesPerChannel
    try source.end()
  }
}

/// Makes the source that a ``MixObserver`` adds to a stream. An error ends the session: an ``AudioError`` unchanged,
/// any other error as the ``AudioError/underlying`` of one.
public typealias MixSourceMaker = (ObservedStream) throws -> any AudioSource

/// The source added to one stream, converted to the stream's format. Session thread only.
private final class AddedSource {
  private let source: any AudioSource
  private var claim: EndpointClaim?
  private let stream: ObservedStream
  private let gain: Double
  private let chain: Chain<Double>
  private var isRunning = false
  private var isDisposed = false
  private var failure: AudioError?
  /// The samples per channel to which a live source had nothing to add.
  private(set) var missingSamplesPerChannel: Int64 = 0

  /// Initialises and starts `source`; stops and disposes of it if that fails.
  init(
    _ source: any AudioSource, to stream: ObservedStream, gain: Double, quality: ResamplerQuality
  ) throws(AudioError) {
    self.source = source
    self.stream = stream
    self.gain = gain
    claim = try EndpointClaim(source, named: "to add to \(stream.name)")
    do {
      let description = try source.initialize(
        proposing: stream.format, wakeup: stream.control.wakeup)
      chain = Chain(
        format: description.format, source.channelLayout(in: description.format))
      try chain.convert(
        to: stream.format, quality: quality, isLive: stream.isLive || description.isLive)
    } catch {
      source.dispose()
      throw error
    }
    isRunning = true
    try source.start()
  }

  deinit { close() }

  /// Adds the source's next samples to `total`, at most its length.
  func add(to total: inout MutableSpan<Double>) {
    let chain = chain
    do {
      while chain.output.count < total.count, try read() {}
    } catch {
      // `end` throws this: a frame's callback cannot fail.
      failure = error
      stop()
      return
    }
    let queue = chain.output
    let count = min(queue.count, total.count)
    if !chain.isEnded {
      missingSamplesPerChannel += Int64((total.count - count) / stream.format.channelCount)
    }
    if gain != 1 {
      var part = queue.writable(0..<count)
      Double.scale(&part, by: gain)
    }
    Double.add(queue.readable.extracting(first: count), to: &total)
    queue.consume(count)
  }

  /// Stops and disposes of the source; throws the error of reading it.
  func end() throws(AudioError) {
    close()
    if let failure { throw failure }
  }

  /// Reads one block. Only a live session does not wait for a live source.
  ///
  /// - Returns: whether more samples may be ready now.
  private func read() throws(AudioError) -> Bool {
    guard isRunning else { return false }
    do {
      switch try chain.fill(from: source) {
      case .ready: return true
      case .pending:
        if stream.isLive || stream.control.request != nil { return false }
        stream.control.wakeup.wait(atMost: .milliseconds(20))
        return true
      case .ended:
        stop()
        return false
      }
    } catch  where error.kind == .interrupted {
      // The session is about to see the request itself.
      return false
    }
  }

  private func stop() {
    guard isRunning else { return }
    isRunning = false
    source.stop()
  }

  private func close() {
    stop()
    guard !isDisposed else { return }
    isDisposed = true
    source.dispose()
    claim = nil
  }
}
