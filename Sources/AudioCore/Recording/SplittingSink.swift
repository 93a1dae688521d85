import Glibc
internal import Synchronization

/// Writes a stream into several sound files, one after the other: nothing between them is lost
/// or repeated, and each is complete before the next one begins.
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

  /// Asks for a new part from outside: from another thread or from a signal handler.
  public final class Control: Sendable {
    private let isRequested = Atomic(false)

    /// Asks for nothing yet.
    public init() {}

    /// The next samples that are written begin a part, unless the present one is empty. Any thread; also
    /// async-signal-safe.
    public func requestPart() { isRequested.store(true, ordering: .releasing) }

    func takeRequest() -> Bool { isRequested.exchange(false, ordering: .acquiringAndReleasing) }
  }

  /// A part that is complete.
  public struct Part: Sendable, Hashable {
    /// Its file.
    public var path: String
    /// Where it begins, in samples per channel from the start of the stream.
    public var position: Int64
    /// How long it is.
    public var samplesPerChannel: Int64
  }

  private let names: PartNames
  private let limits: [Limit]
  private let leadIn: TimePosition
  private let control: Control
  private let makeSink: (String) -> SoundFileSink
  private let onPart: (Part) -> Void
  private let marks = PendingMarks()
  /// What a part carries beside its samples that begins so many samples per channel into the stream, in a stream of
  /// this format; nil = nothing. May be changed until `initialize`.
  public var metadataOfPart: ((Int64, StreamFormat) -> Metadata?)?
  /// What of it the parts do not carry, each only once.
  public private(set) var metadataOmissions: [Metadata.Omission] = []
  /// Never opened: tells what all parts have in common.
  private let template: SoundFileSink
  private var wakeup = Wakeup()
  private var format: StreamFormat?
  /// When the stream began, in seconds since 1970.
  private var beginning = 0
  /// Where in the stream the next sample stands.
  private var position: Int64 = 0
  private var durations: PartDurations?
  private var current: OpenedPart?
  /// The paths of all parts.
  private var paths: [String] = []
  /// The quantiser of the last part, which the next one continues.
  private var quantiser: Quantiser?
  /// The totals of the parts before the current one.
  private var before = Totals()

  private struct Totals {
    var samplesPerChannel: Int64 = 0
    var clippedSamples = 0
    var notANumberSamples = 0
  }

  /// - Parameters:
  ///   - names: how the parts are called. Names that would come twice get `-1`, `-2` and so on before
  ///     their extension.
  ///   - limits: a part ends at the first that is reached; none = only where `control` asks.
  ///   - leadIn: how much of the source is left out before the stream begins: the times in names are
  ///     later by as much.
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

  /// Samples so far, over all channels and parts, that were not numbers.
  public var notANumberSamples: Int {
    before.notANumberSamples + (current?.sink.notANumberSamples ?? 0)
  }

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
    beginning = time(nil) + Int(leadIn.samples(at: rate) / Int64(rate))
    for case .duration(let length) in limits {
      durations = try PartDurations(length, sampleRate: format.sampleRate)
    }
    if limits.contains(.event) {
      try makeSink(nextPath()).checkLocation()
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

  /// Completes the part, unless it is empty: the next sample begins another. On the thread that writes.
  package func endPart() throws(AudioError) {
    if current?.isEmpty == false { try completePart(.finished) }
  }

  public func dispose() {
    current?.sink.dispose()
    current = nil
  }

  /// Puts a mark into the part that holds a sample of the stream, as
  /// ``SoundFileSink/mark(_:at:label:)`` does. Any thread, before that part is completed.
  ///
  /// - Parameters:
  ///   - position: in samples per channel from the start of the stream, at `sampleRate`.
  ///   - sampleRate: in hertz; another one than the stream's is converted.
  ///   - label: in one line.
  public func mark(_ position: Int64, at sampleRate: Int, label: String) {
    marks.append(.init(position: position, sampleRate: sampleRate, label: label))
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

  /// Gives the marks of `part` to its file. Marks before it belong to samples that were left out.
  private func handMarks(to part: OpenedPart) {
    guard let rate = format?.sampleRate else { return }
    for mark in marks.take(before: part.position + part.samplesPerChannel, at: rate) {
      let position = AudioTime.nearest(mark.position, from: mark.sampleRate, to: rate)
      guard position >= part.position else { continue }
      part.sink.mark(position - part.position, at: rate, label: mark.label)
    }
  }

  /// How many samples per channel the part can take; 0 where it is full.
  private func roomLeft(_ part: OpenedPart) throws(AudioError) -> Int64 {
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
  private func openedPart(_ format: StreamFormat) throws(AudioError) -> OpenedPart {
    if let current { return current }
    let path = nextPath()
    let sink = makeSink(path)
    sink.quantiser = quantiser
    sink.isPart = true
    if let metadata = metadataOfPart?(position, format) { sink.metadata = metadata }
    do {
      let taken = try sink.initialize(proposing: format, wakeup: wakeup)
      metadataOmissions += sink.metadataOmissions.filter { !metadataOmissions.contains($0) }
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

  private func write<Sample: AudioSample>(
    _ samples: Span<Sample>, to part: OpenedPart
  ) throws(AudioError) -> SinkStatus {
    do {
      return try part.write(samples)
    } catch {
      throw telling(error)
    }
  }

  private func completePart(_ reason: StopReason) throws(AudioError) {
    guard let part = current else { return }
    // A part that ends for another reason than its duration restarts the count.
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
    before.notANumberSamples += part.sink.notANumberSamples
    before.samplesPerChannel += part.samplesPerChannel
    guard reason == .finished else { return }
    onPart(
      Part(path: part.path, position: part.position, samplesPerChannel: part.samplesPerChannel))
  }

  /// The name of the next part, which no other has.
  private func nextPath() -> String {
    let seconds = format.map { position / Int64($0.sampleRate) } ?? 0
    let path = names.path(number: paths.count, time: beginning + Int(seconds))
    if !paths.contains(path) { return path }
    let name = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
    func numbered(_ number: Int) -> String { "\(path[..<dot])-\(number)\(path[dot...])" }
    var number = 1
    while paths.contains(numbered(number)) { number += 1 }
    return numbered(number)
  }

  /// The error, with the advice how much is kept, and in how many parts.
  private func telling(_ error: AudioError) -> AudioError {
    let isBegun = current?.isEmpty == false
    let count = paths.count - (current == nil || isBegun ? 0 : 1)
    guard count > 1 || count == 1 && !isBegun else { return error }
    let kept = before.samplesPerChannel + (isBegun ? current?.sink.keptSamplesPerChannel ?? 0 : 0)
    var error = error
    error.advice =
      "\(kept) samples per channel are kept in \(count) \(count == 1 ? "part" : "parts")"
    return error
  }
}
