/// The source that a ``MixObserver`` adds to one stream, kept to its life cycle and converted to the
/// stream's format. Session thread only.
final class AddedSource<Sample: AudioSample> {
  private let source: any AudioSource
  private let control: SessionControl
  private let gain: Double
  private let isLive: Bool
  private let channelCount: Int
  private let strand: Strand<Sample>
  private var isRunning = false
  private var isDisposed = false
  private var failure: AudioError?
  /// Samples per channel to which a live source had nothing to add.
  private(set) var missingSamplesPerChannel: Int64 = 0

  /// Initialises and starts `source`; stops and disposes of it where that fails.
  init(
    _ source: any AudioSource, to stream: ObservedStream, gain: Double, quality: ResamplerQuality,
    control: SessionControl
  ) throws(AudioError) {
    self.source = source
    self.control = control
    self.gain = gain
    isLive = stream.isLive
    channelCount = stream.format.channelCount
    do {
      let description = try source.initialize(proposing: stream.format, wakeup: control.wakeup)
      strand = Strand(format: description.format)
      try strand.convert(to: stream.format, quality: quality)
    } catch {
      source.dispose()
      throw error
    }
    isRunning = true
    try source.start()
  }

  deinit { close() }

  /// Adds the next samples to `total`, as far as there are any.
  func add(to total: inout MutableSpan<Sample>) {
    let strand = strand
    do {
      while strand.output.count < total.count, try read() {}
    } catch {
      // Told at the end of the stream: a frame's callback has no way to fail.
      failure = error
      stop()
      return
    }
    let queue = strand.output
    let count = min(queue.count, total.count)
    if !strand.isEnded { missingSamplesPerChannel += Int64((total.count - count) / channelCount) }
    if gain != 1 {
      var part = queue.writable(0..<count)
      Sample.scale(&part, by: gain)
    }
    Sample.add(queue.readable.extracting(first: count), to: &total)
    queue.consume(count)
  }

  /// Stops and disposes of the source; throws what reading it failed with.
  func end() throws(AudioError) {
    close()
    if let failure { throw failure }
  }

  /// Reads one block. A live session does not wait for a live source; any other does.
  ///
  /// - Returns: whether there may be more now.
  private func read() throws(AudioError) -> Bool {
    guard isRunning else { return false }
    do {
      switch try strand.fill(from: source) {
      case .ready: return true
      case .pending:
        if isLive || control.request != .none { return false }
        control.wakeup.wait(milliseconds: 20)
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
  }
}
