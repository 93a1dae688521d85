extension SplittingSink {
  /// A part that is complete.
  public struct Part: Sendable, Hashable {
    /// Its file.
    public var path: String
    /// Where it begins, in samples per channel from the start of the stream.
    public var position: Int64
    /// How long it is.
    public var samplesPerChannel: Int64
  }

  /// How many samples per channel the part can take; 0 where it is full.
  func roomLeft(_ part: OpenedPart) throws(AudioError) -> Int64 {
    var room = durations?.remaining(after: part.samplesPerChannel) ?? .max
    for case .fileSize(let limit) in limits {
      room = min(room, try part.samplesPerChannelThatFit(in: limit))
      guard room > 0 || !part.isEmpty else {
        throw AudioError(
          .invalidParameter, cannot: "begin", part.path,
          because: "\(limit) bytes leave no room for a sample", advice: "split at a larger size")
      }
    }
    return room
  }

  /// The part that is being written, or a new one.
  func openedPart(_ format: StreamFormat) throws(AudioError) -> OpenedPart {
    if let current { return current }
    let path = nextPath()
    let sink = makeSink(path)
    sink.quantiser = quantiser
    do {
      let taken = try sink.initialize(proposing: format, wakeup: wakeup)
      precondition(taken == format, "all parts have one format")
      try sink.start()
    } catch {
      sink.dispose()
      throw telling(error)
    }
    paths.append(path)
    let part = OpenedPart(sink, path, at: position)
    current = part
    return part
  }

  func write<Sample: AudioSample>(
    _ samples: Span<Sample>, to part: OpenedPart
  ) throws(AudioError) -> SinkStatus {
    do {
      return try part.write(samples)
    } catch {
      throw telling(error)
    }
  }

  func completePart(_ reason: StopReason) throws(AudioError) {
    guard let part = current else { return }
    // Whoever ends a part for another reason begins to count anew.
    durations = durations?.restarted
    quantiser = part.sink.quantiser
    handMarks(to: part)
    defer { part.sink.dispose() }
    do {
      try part.sink.stop(reason)
    } catch {
      let error = telling(error)
      current = nil
      throw error
    }
    current = nil
    before.clippedSamples += part.sink.clippedSamples
    before.samplesPerChannel += part.samplesPerChannel
    guard reason == .finished else { return }
    onPart(
      Part(path: part.path, position: part.position, samplesPerChannel: part.samplesPerChannel))
  }

  /// The name of the next part, which no other has.
  func nextPath() -> String {
    let seconds = format.map { position / Int64($0.sampleRate) } ?? 0
    let path = names.path(number: paths.count, time: beginning + Int(seconds))
    if !paths.contains(path) { return path }
    let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    func numbered(_ number: Int) -> String { "\(path[..<dot])-\(number)\(path[dot...])" }
    var number = 1
    while paths.contains(numbered(number)) { number += 1 }
    return numbered(number)
  }

  /// The error, and what all parts before it and the one it happened to hold.
  private func telling(_ error: AudioError) -> AudioError {
    let isBegun = current?.isEmpty == false
    let count = paths.count - (current == nil || isBegun ? 0 : 1)
    guard count > 1 || count == 1 && !isBegun else { return error }
    let kept = before.samplesPerChannel + (isBegun ? current?.sink.samplesPerChannel ?? 0 : 0)
    var error = error
    error.advice =
      "\(kept) samples per channel are kept in \(count) \(count == 1 ? "part" : "parts")"
    return error
  }
}
