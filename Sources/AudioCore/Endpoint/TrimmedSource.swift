/// A part of another source: from `start`, for `duration`.
public final class TrimmedSource: AudioSource {
  let base: any AudioSource
  private let beginning: TimePosition
  private let duration: TimePosition?
  private var toSkip: Int64 = 0
  /// The part, in samples per channel of the base.
  private var firstSample: Int64 = 0
  private var length: Int64?
  private var remaining = Int64.max
  private var channelCount = 1

  /// - Parameters:
  ///   - base: the source to take a part of.
  ///   - start: in the source's own samples; negative, `initialize` throws `invalidParameter`.
  ///   - duration: nil = to the end; negative, likewise.
  public init(_ base: any AudioSource, start: TimePosition, duration: TimePosition?) {
    self.base = base
    beginning = start
    self.duration = duration
  }

  public var takesProposedFormat: Bool { base.takesProposedFormat }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    var description = try base.initialize(proposing: proposal, wakeup: wakeup)
    channelCount = description.format.channelCount
    let rate = description.format.sampleRate
    toSkip = try beginning.length(at: rate, as: "start")
    if let duration { remaining = try duration.length(at: rate, as: "duration") }
    firstSample = toSkip
    length = duration == nil ? nil : remaining
    if let length = description.samplesPerChannel {
      description.samplesPerChannel = min(max(0, length - toSkip), remaining)
    } else if duration != nil {
      description.samplesPerChannel = remaining
    }
    if try base.skip(samplesPerChannel: toSkip) { toSkip = 0 }
    return description
  }

  public func metadata() throws(AudioError) -> Metadata? {
    try base.metadata()?.trimmed(from: firstSample, length: length)
  }

  public func start() throws(AudioError) { try base.start() }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if remaining == 0 { return .ended }
    while toSkip > 0 {
      let status = try base.read(into: &output)
      guard status == .ready else { return status }
      let read = Int64(output.count / channelCount)
      if read > toSkip {
        dropFirst(Int(toSkip) * channelCount, of: &output)
        toSkip = 0
        return limit(&output)
      }
      toSkip -= read
      output.removeAll()
    }
    let status = try base.read(into: &output)
    return status == .ready ? limit(&output) : status
  }

  public func silenceStoodIn(samplesPerChannel count: Int64) {
    remaining -= min(count, remaining)
    base.silenceStoodIn(samplesPerChannel: count)
  }

  public func stop() { base.stop() }

  public func dispose() { base.dispose() }

  private func dropFirst<Sample: AudioSample>(_ count: Int, of output: inout OutputSpan<Sample>) {
    var samples = output.mutableSpan
    for index in count..<samples.count { samples[index - count] = samples[index] }
    output.removeLast(count)
  }

  private func limit<Sample: AudioSample>(_ output: inout OutputSpan<Sample>) -> SourceStatus {
    let read = Int64(output.count / channelCount)
    if read > remaining { output.removeLast(Int(read - remaining) * channelCount) }
    remaining -= min(read, remaining)
    return .ready
  }
}
