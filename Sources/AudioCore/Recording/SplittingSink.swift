/// Writes a stream into several sound files, one after the other: nothing is lost or comes twice between
/// them, and each is complete before the next one begins.
///
/// A part ends where one of the limits is reached, or where a ``Control`` asks for it. The next one begins
/// with the next sample, so the last is never empty. Session thread only.
public final class SplittingSink: AudioSink {
  /// Where a part ends.
  public enum Limit: Sendable, Hashable {
    /// After so much audio; n parts in a row are n times as long to the sample.
    case duration(TimePosition)
    /// Before the file, header included, has more bytes than this. Parts with a codec end a little
    /// earlier, for what the encoder still holds could be as long as uncompressed.
    case fileSize(Int64)
    /// Where a ``TriggeredSink`` in front ends an event.
    case event
  }

  let names: PartNames
  let limits: [Limit]
  private let leadIn: TimePosition
  private let control: Control
  let makeSink: (String) -> SoundFileSink
  let onPart: (Part) -> Void
  let marks = PendingMarks()
  /// Never opened: it answers for all of them.
  private let template: SoundFileSink
  private(set) var wakeup = Wakeup()
  private(set) var format: StreamFormat?
  /// When the stream began, in seconds since 1970.
  private(set) var beginning = 0
  /// Where in the stream the next sample stands.
  private(set) var position: Int64 = 0
  var durations: PartDurations?
  var current: OpenedPart?
  /// Of all parts.
  var paths: [String] = []
  /// The rounding of the last part, which goes on in the next.
  var quantiser: Quantiser?
  /// What the parts before the current one came to.
  var before = Totals()

  struct Totals {
    var samplesPerChannel: Int64 = 0
    var clippedSamples = 0
  }

  /// - Parameters:
  ///   - names: how the parts are called. Names that would come twice get `-1`, `-2` and so on before
  ///     their extension.
  ///   - limits: a part ends at the first that is reached; none = only where `control` asks.
  ///   - leadIn: how much of the source is left out before the stream begins, which the times in names
  ///     are later by.
  ///   - control: asks for a new part from outside.
  ///   - maker: makes the sink for a path, always of the same format.
  ///   - onPart: called when a part is complete, on the thread that writes.
  public init(
    _ names: PartNames, limits: [Limit], leadIn: TimePosition = .samples(0),
    control: Control = Control(),
    making maker: @escaping (String) -> SoundFileSink, onPart: @escaping (Part) -> Void = { _ in }
  ) {
    self.names = names
    self.limits = limits
    self.leadIn = leadIn
    self.control = control
    makeSink = maker
    self.onPart = onPart
    template = maker(names.pattern)
  }

  public var precision: SamplePrecision { template.precision }
  public var room: Int { .max }

  /// How the parts are written.
  public var fileFormat: FileFormat { template.fileFormat }

  /// Samples so far, over all channels and parts, that the encoding could not hold.
  public var clippedSamples: Int { before.clippedSamples + (current?.sink.clippedSamples ?? 0) }

  /// Opens the first part; where parts begin with events it only looks whether it could.
  ///
  /// - Throws: as ``SoundFileSink/initialize(proposing:wakeup:)``; `invalidParameter` where a limit
  ///   leaves no room for a sample.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    self.wakeup = wakeup
    let format = try template.format(for: proposal)
    self.format = format
    let rate = format.sampleRate
    beginning = WallClock.seconds + Int(leadIn.samples(at: rate) / Int64(rate))
    for case .duration(let length) in limits {
      durations = try PartDurations(length, sampleRate: format.sampleRate)
    }
    if limits.contains(.event) {
      try makeSink(nextPath()).checkPlace()
    } else {
      _ = try roomLeft(try openedPart(format))
    }
    return format
  }

  public func start() throws(AudioError) {}

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let format else {
      throw AudioError(
        .lifeCycle, cannot: "write to", names.pattern, because: "the sink is not initialised")
    }
    if control.takeRequest(), current?.isEmpty == false { try completePart(.finished) }
    let total = samples.count / format.channelCount
    var done = 0
    while done < total {
      let part = try openedPart(format)
      let count = Int(min(Int64(total - done), try roomLeft(part)))
      guard count > 0 else {
        try completePart(.finished)
        continue
      }
      let range = done * format.channelCount..<(done + count) * format.channelCount
      if try write(samples.extracting(range), to: part) == .readerGone { return .readerGone }
      done += count
      position += Int64(count)
      if let durations, durations.remaining(after: part.samplesPerChannel) == 0 {
        try completePart(.finished)
        self.durations = durations.next
      }
    }
    return .accepted
  }

  /// Completes the last part; an abandoned one is removed where ``SoundFileSink/stop(_:)`` would. Those
  /// before it stay.
  public func stop(_ reason: StopReason) throws(AudioError) { try completePart(reason) }

  public func dispose() {
    current?.sink.dispose()
    current = nil
  }

  public func receive(_ notice: SinkNotice) throws(AudioError) {
    switch notice {
    case .idle: try current?.sink.receive(.idle)
    case .leftOut(upTo: let position):
      self.position = position
      if current?.isEmpty == true { current?.position = position }
    case .eventEnded:
      if limits.contains(.event) { try completePart(.finished) }
    }
  }
}
