// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Writes a stream into several sound files, one after the other: nothing between them is lost
/// or repeated, and each is complete before the next one begins.
///
/// A part ends at the first limit that is reached, or when a ``Control`` asks for it. The next one begins with the next
/// sample, so the last is never empty. Session thread only. Its settings may be changed until `initialize`; its closures are
/// called on the thread that writes.
public final class SplittingSink: AudioSink {
  let names: PartNames
  private let limits: [Limit]
  private let leadIn: TimePosition
  private let control: Control
  private let makeSink: (String) -> SoundFileSink
  let onPart: (Part) -> Void
  private let marks = PendingMarks()
  /// Gives the metadata of a part that begins at a position of the stream, in samples per channel, in a stream of a
  /// format; nil = none.
  public var metadataOfPart: ((Int64, StreamFormat) -> Metadata?)?
  /// The clock of the parts' times; nil = the samples are counted from now on.
  public var clock: RecordingClock?
  /// Whether a name that exists is passed over: numbers go on after the highest on the disk; names without a number get the
  /// next second, or `_x2` and so on. Otherwise such a file ends the stream with an error, unless it may be replaced.
  public var goesOn = false
  /// The beginning of the part that is being opened, in nanoseconds since 1970; nil without a ``clock``. For
  /// ``metadataOfPart``, which is called then.
  public private(set) var partTime: Int64?
  /// The parts that stay, those of earlier runs included; nil = all. Names that come from the pattern count, in its
  /// folders; links are not followed. Whenever a part is complete, and at the beginning, others are removed, and folders
  /// of the pattern that are empty then.
  public var retention: PartRetention?
  /// Whether other work still needs the part of a path: ``retention`` then leaves it.
  package var sparesPart: (String) -> Bool = { _ in false }
  /// Whether the first part is opened with its first sample, which may come much later.
  package var opensLate = false
  /// Called before the first sample of a part, with an empty length.
  package var onBegin: ((Part) -> Void)?
  /// Called after a part was removed, or could not be.
  public var onRemoval: ((PartRemoval) -> Void)?
  /// Called after the clock of the day was set.
  package var onClockStep: ((ClockStep) -> Void)?
  /// Whether a full disk ends only the part: the next one begins when there is room again. Otherwise it is an error.
  package var waitsForRoom = false
  package var onFullDisk: ((FullDisk) -> Void)?
  /// Never opened: it knows the format of all parts.
  private let template: SoundFileSink
  var state = State.uninitialised
  var times: PartClock
  /// The position of the next sample in the stream.
  var position: Int64 = 0
  /// How long the next samples have waited.
  private var waited: Duration = .zero
  var durations: PartDurations?
  /// The positions at which parts end that are still to come.
  private var ends: ArraySlice<Int64> = []
  private var hasBegun = false
  /// The next samples per channel that are in the last part already.
  private var repeated: Int64 = 0
  var keeper: PartKeeper?
  var wait = RoomWait()
  /// The error that ended the stream.
  var failure: AudioError?
  /// The totals of the parts before the current one.
  var before = (samplesPerChannel: Int64(0), clippedSamples: 0, notANumberSamples: 0)

  enum State {
    case uninitialised
    /// No part is open: the next sample begins one.
    case between(PartOpener)
    case writing(OpenedPart, PartOpener)
  }

  /// - Parameters:
  ///   - names: the names of the parts, and their folders, which are created. Names that would come twice get `_x2`,
  ///     `_x3` and so on before their extension.
  ///   - limits: a part ends at the first that is reached; none = only if `control` asks.
  ///   - leadIn: the part of the source before the stream begins. The times in names are later by as much.
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
    times = PartClock(RecordingTimeline(.stated(0), leadIn: 0, sampleRate: 1), nil, in: .utc)
  }

  public var precision: SamplePrecision { template.precision }
  public var room: Int { .max }

  /// How the parts are written.
  public var fileFormat: FileFormat { template.fileFormat }

  /// Whether parts are forced onto the disk.
  package var isSynchronizing: Bool { template.synchronization != .never }

  /// The most samples per channel of the part that begins; nil = any number.
  package var lengthOfPart: Int64? { durations?.remaining(after: 0) }
  /// Whether no part is left.
  package var leftNoFile: Bool { opener?.count == 0 }

  var opener: PartOpener? {
    switch state {
    case .uninitialised: nil
    case .between(let opener), .writing(_, let opener): opener
    }
  }

  var current: OpenedPart? {
    if case .writing(let part, _) = state { part } else { nil }
  }

  /// The metadata that the parts do not carry, each only once.
  public var metadataOmissions: [Metadata.Omission] { opener?.metadataOmissions ?? [] }

  /// Samples so far, over all channels and parts, that the encoding could not hold.
  public var clippedSamples: Int { before.clippedSamples + (current?.sink.clippedSamples ?? 0) }

  /// Samples so far, over all channels and parts, that were not numbers.
  public var notANumberSamples: Int {
    before.notANumberSamples + (current?.sink.notANumberSamples ?? 0)
  }

  /// Opens the first part. If parts begin with events or late, it only checks whether it could.
  ///
  /// - Throws: as ``SoundFileSink/initialize(proposing:wakeup:)``; `invalidParameter` if a limit leaves no room
  ///   for a sample.
  public func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try template.format(for: proposal)
    times = try PartClock(
      clock, for: names, limits, leadIn: leadIn, sampleRate: format.sampleRate)
    let opener = PartOpener(
      names, format, goesOn: goesOn, synchronizing: isSynchronizing, wakeup,
      making: makeSink)
    state = .between(opener)
    if let retention {
      keeper = try PartKeeper(names, retention, sparing: sparesPart)
    }
    for case .duration(let length) in limits {
      durations = try PartDurations(length, sampleRate: format.sampleRate)
    }
    for case .positions(let positions) in limits {
      ends = positions.filter { $0 > 0 }.sorted()[...]
    }
    if opensLate || limits.contains(.event) {
      try opener.check(at: times.second(of: 0))
    } else {
      do {
        _ = try roomLeft(try openedPart(opener))
      } catch {
        try suspend(after: error)
      }
    }
    return format
  }

  public func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    guard let opener else {
      throw AudioError(
        .lifeCycle, cannot: "write to", names.pattern, because: "the sink is not initialised")
    }
    if control.takeRequest(before: waited) { try endPart() }
    let channelCount = opener.format.channelCount
    let total = samples.count / channelCount
    if repeated == 0 { try followClock(to: position + Int64(total)) }
    // A recording that never begins removes nothing.
    if !hasBegun { removeParts() }
    hasBegun = true
    var done = 0
    while done < total {
      guard hasRoom else {
        position += Int64(total - done)
        repeated = max(0, repeated - Int64(total - done))
        return .accepted
      }
      let before = position
      do {
        let rest = samples.extracting(done * channelCount..<total * channelCount)
        if try writePiece(of: rest, opener) == .readerGone { return .readerGone }
      } catch {
        try suspend(after: error)
      }
      done += Int(position - before)
    }
    return .accepted
  }

  /// Writes as many samples as belong into one part, or ends a full one.
  private func writePiece<Sample: AudioSample>(
    of samples: Span<Sample>, _ opener: PartOpener
  ) throws(AudioError) -> SinkStatus {
    let channelCount = opener.format.channelCount
    ends = ends.drop { $0 <= position }
    var part = try openedPart(opener)
    if part.isEmpty {
      part = try renamed(part, opener)
      part.overlap = repeated
      times.beginPart(at: position)
      if part.time != nil { part.time = times.time(of: position) }
      onBegin?(Part(path: part.path, position: position, samplesPerChannel: 0, time: part.time))
    }
    let count = Int(min(Int64(samples.count / channelCount), try roomLeft(part)))
    guard count > 0 else {
      try completePart(.finished)
      return .accepted
    }
    if try part.write(samples.extracting(..<(count * channelCount))) == .readerGone {
      return .readerGone
    }
    position += Int64(count)
    repeated = max(0, repeated - Int64(count))
    if let durations, durations.remaining(after: part.samplesPerChannel) == 0 {
      try completePart(.finished)
      self.durations = durations.next
    }
    if ends.first == position { try endPart() }
    return .accepted
  }

  /// Compares the stream with the clock. After a step of the clock, its time may belong to another part.
  private func followClock(to end: Int64) throws(AudioError) {
    guard clock != nil, let step = times.observe(from: position, to: end, since: waited)
    else { return }
    onClockStep?(step)
    if times.isBeforePart(at: position) { try endPart() }
  }

  /// Completes the last part; an abandoned one is removed where ``SoundFileSink/stop(_:)`` would. Those
  /// before it stay.
  public func stop(_ reason: StopReason) throws(AudioError) {
    try completePart(reason)
    endWait()
  }

  /// Completes the part, unless it is empty: the next sample begins another. On the thread that writes.
  package func endPart() throws(AudioError) {
    if current?.isEmpty == false { try completePart(.finished) }
  }

  /// Completes the part. The next samples are the last ones of it, once more.
  ///
  /// - Parameter overlap: the number of those samples per channel.
  package func endPart(repeating overlap: Int64) throws(AudioError) {
    try endPart()
    position -= overlap
    repeated = overlap
  }

  public func dispose() {
    current?.dispose()
    if let opener { state = .between(opener) }
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
    case .idle:
      do {
        try current?.sink.receive(.idle)
      } catch {
        try suspend(after: error)
      }
    case .leftOut(upTo: let position):
      self.position = position
      if current?.isEmpty == true { current?.position = position }
    case .waited(let duration): waited = duration
    case .eventEnded:
      if limits.contains(.event) { try completePart(.finished) }
    }
  }

  /// The samples per channel that the part can take; 0 if it is full.
  private func roomLeft(_ part: OpenedPart) throws(AudioError) -> Int64 {
    var room = durations?.remaining(after: part.samplesPerChannel) ?? .max
    if let end = ends.first { room = min(room, end - position) }
    // A part that begins has a sample, even if an estimate leaves it no room.
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
  private func openedPart(_ opener: PartOpener) throws(AudioError) -> OpenedPart {
    if let current { return current }
    partTime = clock == nil ? nil : times.time(of: position)
    let part = try opener.open(
      at: position, time: partTime, second: times.second(of: position),
      metadataOfPart?(position, opener.format))
    state = .writing(part, opener)
    endWait()
    return part
  }

  /// The part, or another one if its name would tell that its first sample was taken later than it was opened. Some devices
  /// take their time to begin, and a trigger waits for a sound.
  private func renamed(
    _ part: OpenedPart, _ opener: PartOpener
  ) throws(AudioError) -> OpenedPart {
    let second = times.second(of: position)
    guard second > part.namedAt, names.differ(at: part.namedAt, and: second) else { return part }
    opener.giveBack(part)
    state = .between(opener)
    return try openedPart(opener)
  }

  private func completePart(_ reason: StopReason) throws(AudioError) {
    guard case .writing(let part, let opener) = state else { return }
    // A part that ends for another reason than its duration restarts the count.
    durations = durations?.restarted
    times.endPart(at: position)
    opener.quantiser = part.sink.quantiser
    part.take(marks)
    defer { part.dispose() }
    do {
      try part.sink.stop(reason)
    } catch {
      return try suspend(after: error)
    }
    state = .between(opener)
    if part.sink.leftNoFile { return opener.giveBack(part) }
    tell(part, part.samplesPerChannel, isComplete: reason == .finished)
    if reason == .finished { removeParts() }
  }

  var present: RecordingClock.Moment {
    if case .live(let look, _) = clock { look() } else { .now }
  }
}
