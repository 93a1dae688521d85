// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Writes a stream into several sound files, one after the other: nothing between them is lost
/// or repeated, and each is complete before the next one begins.
///
/// A part ends where one of the limits is reached, or where a ``Control`` asks for it. The next one begins
/// with the next sample, so the last is never empty. Session thread only.
public final class SplittingSink: AudioSink {
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
  /// By what the times of parts are known; nil = from now on, by the samples. May be changed until `initialize`.
  public var clock: RecordingClock?
  /// Whether a name that exists is passed over: numbers go on after the highest on the disk; where names have none, the
  /// next second is taken, or `-1` and so on. Otherwise such a file ends the stream with an error, unless it may be
  /// replaced. May be changed until `initialize`.
  public var goesOn = false
  /// When the part that is being opened begins, in nanoseconds since 1970; nil without a ``clock``. For
  /// ``metadataOfPart``, which is called then.
  public private(set) var partTime: Int64?
  /// Which parts stay, those of earlier runs included; nil = all. Names that come from the pattern count, in its
  /// folders; links are not followed. Whenever a part is complete, and at the beginning, others are removed, and folders
  /// of the pattern that are empty then. May be changed until `initialize`.
  package var retention: PartRetention?
  /// Called when a part was removed, or could not be, on the thread that writes. May be changed until `initialize`.
  package var onRemoval: ((PartRemoval) -> Void)?
  /// Called when the clock of the day was set, on the thread that writes. May be changed until `initialize`.
  package var onClockStep: ((ClockStep) -> Void)?
  /// What of it the parts do not carry, each only once.
  public private(set) var metadataOmissions: [Metadata.Omission] = []
  /// Never opened: tells what all parts have in common.
  private let template: SoundFileSink
  private var wakeup = Wakeup()
  private var format: StreamFormat?
  private var times: PartClock
  /// Where in the stream the next sample stands.
  private var position: Int64 = 0
  /// For how long what is written next has been there.
  private var waited: Duration = .zero
  private var durations: PartDurations?
  private var current: OpenedPart?
  private var paths: PartPaths
  private let folders: PartFolders
  private var partCount = 0
  private var keeper: PartKeeper?
  private var hasBegun = false
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
  ///   - names: how the parts are called, and in which folders, which are made. Names that would come twice get
  ///     `-1`, `-2` and so on before their extension.
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
    paths = PartPaths(names, goesOn: false)
    folders = PartFolders(names, synchronizing: template.synchronization != .never)
    times = PartClock(RecordingTimeline(.stated(0), leadIn: 0, sampleRate: 1), nil, in: .utc)
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
    times = try PartClock(
      clock, for: names, limits, leadIn: leadIn, sampleRate: format.sampleRate)
    paths = PartPaths(names, goesOn: goesOn)
    if let retention {
      keeper = try PartKeeper(names, retention)
      keeper?.begin(at: present)
    }
    for case .duration(let length) in limits {
      durations = try PartDurations(length, sampleRate: format.sampleRate)
    }
    if limits.contains(.event) {
      let path = try paths.next(at: times.second(of: 0))
      if try folders.check(for: path) { try makeSink(path).checkLocation() }
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
    if control.takeRequest(before: waited), current?.isEmpty == false {
      try completePart(.finished)
    }
    let total = samples.count / format.channelCount
    try followClock(to: position + Int64(total))
    if !hasBegun { removeParts() }
    hasBegun = true
    var done = 0
    while done < total {
      var part = try openedPart(format)
      if part.isEmpty {
        part = try renamed(part, format)
        times.beginPart(at: position)
        if part.time != nil { part.time = times.time(of: position) }
      }
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

  /// Learns how the stream lies to the clock. What a clock shows that was set may be of another stretch.
  private func followClock(to end: Int64) throws(AudioError) {
    guard clock != nil, let step = times.observe(from: position, to: end, since: waited)
    else { return }
    onClockStep?(step)
    if current?.isEmpty == false, times.isBeforePart(at: position) { try completePart(.finished) }
  }

  /// Completes the last part; an abandoned one is removed where ``SoundFileSink/stop(_:)`` would. Those
  /// before it stay.
  public func stop(_ reason: StopReason) throws(AudioError) { try completePart(reason) }

  /// Completes the part, unless it is empty: the next sample begins another. On the thread that writes.
  package func endPart() throws(AudioError) {
    if current?.isEmpty == false { try completePart(.finished) }
  }

  public func dispose() {
    current?.dispose()
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
    case .waited(let duration): waited = duration
    case .eventEnded:
      if limits.contains(.event) { try completePart(.finished) }
    }
  }

  /// How many samples per channel the part can take; 0 where it is full.
  private func roomLeft(_ part: OpenedPart) throws(AudioError) -> Int64 {
    var room = durations?.remaining(after: part.samplesPerChannel) ?? .max
    // Whatever an estimate says, a part that begins has a sample.
    room = min(room, max(part.isEmpty ? 1 : 0, times.remaining(from: position)))
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
    var part: OpenedPart?
    var attempts = 0
    while part == nil {
      let path = try paths.next(at: times.second(of: position))
      do {
        part = try open(path, format)
      } catch {
        // Somebody else took the name since it was looked up.
        attempts += 1
        guard goesOn, error.kind == .alreadyExists, attempts < 100 else { throw telling(error) }
        paths.avoid(path)
      }
    }
    guard let part else { preconditionFailure("a part was opened, or an error thrown") }
    paths.take(part.path)
    partCount += 1
    current = part
    return part
  }

  /// The part, or another in its place where its name tells that its first sample was taken later than it was opened, as
  /// that of a device that takes its time to begin, or of a sound that was waited for.
  private func renamed(
    _ part: OpenedPart, _ format: StreamFormat
  ) throws(AudioError) -> OpenedPart {
    let second = times.second(of: position)
    guard second > part.namedAt, names.differ(at: part.namedAt, and: second) else { return part }
    part.dispose()
    paths.giveBack(part.path)
    partCount -= 1
    current = nil
    return try openedPart(format)
  }

  private func open(_ path: String, _ format: StreamFormat) throws(AudioError) -> OpenedPart {
    let time = times.time(of: position)
    let sink = makeSink(path)
    sink.quantiser = quantiser
    sink.isPart = true
    partTime = clock == nil ? nil : time
    if let metadata = metadataOfPart?(position, format) { sink.metadata = metadata }
    let made = try folders.make(for: path)
    do {
      let taken = try sink.initialize(proposing: format, wakeup: wakeup)
      metadataOmissions += sink.metadataOmissions.filter { !metadataOmissions.contains($0) }
      precondition(taken == format, "all parts have one format")
      try sink.start()
    } catch {
      sink.dispose()
      PartFolders.remove(made)
      throw error
    }
    return OpenedPart(
      sink, path, at: position, time: partTime, namedAt: times.second(of: position), folders: made)
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
    times.endPart(at: position)
    quantiser = part.sink.quantiser
    part.take(marks)
    defer { part.dispose() }
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
    part.isComplete = true
    onPart(
      Part(
        path: part.path, position: part.position, samplesPerChannel: part.samplesPerChannel,
        time: part.time))
    keeper?.completed(part.path, at: present)
    removeParts()
  }

  /// Removes the parts that are not kept.
  private func removeParts() {
    for removal in keeper?.clear(beside: current?.path, at: present) ?? [] { onRemoval?(removal) }
  }

  private var present: RecordingClock.Moment {
    if case .live(let look) = clock { look() } else { .now }
  }

  /// The error, with the advice how much is kept, and in how many parts. A part that failed counts if its file stays.
  private func telling(_ error: AudioError) -> AudioError {
    let ofLast = current.map { $0.isEmpty ? 0 : $0.sink.keptSamplesPerChannel } ?? 0
    let count = partCount - (current == nil || ofLast > 0 ? 0 : 1)
    guard count > 1 || count == 1 && ofLast == 0 else { return error }
    var error = error
    error.advice = """
      \(before.samplesPerChannel + ofLast) samples per channel are kept in \(count) \
      \(count == 1 ? "part" : "parts")
      """
    return error
  }
}
