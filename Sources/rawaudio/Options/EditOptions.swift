// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The edits of one source before its observers, in the order of processing.
struct EditRequest: Sendable {
  var start: SourcePoint?
  var end: SourcePoint?
  /// The part by the clock. Nil = by `start` and `end`.
  var clock: ClockPart?
  var channelMap: ChannelMap?
  /// The delays of channels, behind the fades.
  var delays: ChannelDelays?
  /// The move of the sound: a cut in front of the other edits, or silence behind them.
  var shift: Shift?
  /// The level in dBFS below which both ends are trimmed.
  var silenceLevel: Double?
  /// The largest magnitude after normalisation, in dBFS.
  var peak: Double?
  /// The loudness to reach.
  var loudness: LoudnessOptions?
  var isInverted = false
  var isReversed = false
  /// The filters, applied in order.
  var filters: [SoundFilter] = []
  var fadeIn: TimePosition?
  var fadeOut: TimePosition?
  var curve = FadeCurve.linear
  var padding: Padding?
}

extension EditRequest {
  /// Returns the edits and the duration of an item of a list. The part that it states takes the place of theirs.
  ///
  /// - Parameter part: nil = no list.
  func limited(
    to part: ListedFile?, _ duration: TimePosition?
  ) -> (edits: EditRequest, duration: TimePosition?) {
    guard let part else { return (self, duration) }
    var edits = self
    if let start = part.offset { edits.start = .fromStart(start) }
    if let end = part.end { edits.end = .fromStart(end) }
    return (edits, part.duration ?? (part.end == nil ? duration : nil))
  }

  /// Whether an edit must measure the whole source first.
  var needsWhole: Bool { needsLength || silenceLevel != nil || peak != nil || loudness != nil }

  /// Whether an edit needs the length of the source.
  var needsLength: Bool { (start?.needsLength ?? false) || (end?.needsLength ?? false) }
}

/// The used part of each source.
struct PartOptions {
  @Option(
    "start", .sourcePoint, default: "0",
    help: """
      Where in the source to begin: \(TimePosition.forms); with a minus, counted from its end; @13:37 by the clock.
      """)
  var starts: [PartPoint]
  @Option(
    "end", .sourcePoint, default: "the source's end",
    help: "Where in the source to end, written as --start.")
  var ends: [PartPoint]

  /// The part by the clock. Nil if there is none.
  ///
  /// - Parameter civilTime: the zone of times without one.
  /// - Throws: if several sources have several times, or a time counts from the beginning.
  func clockPart(in civilTime: CivilTime) throws(UsageError) -> ClockPart? {
    let points = starts + ends
    guard points.contains(where: { $0.clock != nil }) else { return nil }
    guard starts.count <= 1, ends.count <= 1, points.allSatisfy({ $0.clock != nil }) else {
      throw UsageError("'\($starts.word)' and '\($ends.word)' by the clock are one time each")
    }
    return ClockPart(
      start: starts.first?.clock, end: ends.first?.clock, civilTime: civilTime)
  }

  /// The part of each of `sources`, and no other edits.
  ///
  /// - Parameter civilTime: the zone of times without one.
  /// - Throws: if a source without an end has a point that needs it.
  func requests(
    for sources: [SourceEndpoint], in civilTime: CivilTime
  ) throws(UsageError) -> [EditRequest] {
    var requests = sources.map { _ in EditRequest() }
    let clock = try clockPart(in: civilTime)
    for index in requests.indices { requests[index].clock = clock }
    try _starts.apply(to: &requests) { $0.start = $1.place }
    try _ends.apply(to: &requests) { $0.end = $1.place }
    for (request, source) in zip(requests, sources) {
      if clock != nil, source.filePath == nil {
        throw UsageError(
          "A time of day is for files, which say when they began; \(source.noun) does not")
      }
      if let start = request.start, let end = request.end, end.isKnown(notBehind: start) {
        throw UsageError("'\($ends.word)' must lie behind '\($starts.word)'")
      }
      if request.needsLength, !source.canBeReadAhead {
        throw UsageError(request.start?.needsLength == true ? $starts : $ends, needsEndOf: source)
      }
    }
    return requests
  }

  /// - Throws: if the end is given twice.
  func requireOneEnd(beside duration: Declaration) throws(UsageError) {
    guard $ends.isGiven, duration.isGiven else { return }
    throw UsageError(
      "'\($ends.word)' and '\(duration.word)' both say where to end; one is enough")
  }
}

struct ChannelMapOptions {
  @Option(
    "channel-map", .channelMap, group: .edits,
    help: """
      Take these channels, in order: numbers from 1 (2,1), names (L, R, C, LFE, Ls, Rs, Lb, Rb, Cs), mix for all \
      in one, sums (0.5*L+0.5*R), -1 inverted, 0 for silence.
      """)
  var maps: [ChannelMap]

  func apply(to requests: inout [EditRequest]) throws(UsageError) {
    try _maps.apply(to: &requests) { $0.channelMap = $1 }
  }
}

/// The filters of sources, applied before the fades.
struct FilterOptions {
  @Option(
    "highpass", .soundFilter(.highpass), group: .edits,
    help: """
      Cut sound below so many hertz (12 dB an octave; with ,order=N, 1 to 8, N times 6 dB).
      """)
  var highpasses: [SoundFilter]
  @Option(
    "lowpass", .soundFilter(.lowpass), group: .edits,
    help: "Cut sound above so many hertz (24 dB an octave, or ,order=N).")
  var lowpasses: [SoundFilter]
  @Option(
    "eq", .band, group: .edits,
    help: """
      A band of an equaliser (repeatable, in order): peak=HZ,gain=DB[,q=Q], lowshelf=HZ,gain=DB, highshelf=HZ,gain=DB, \
      notch=HZ[,q=Q] or bandpass=HZ[,q=Q].
      """)
  var bands: [SoundFilter]

  /// Returns the filters of a whole stream, and no other edits.
  ///
  /// - Throws: if a high-pass or a low-pass is given twice.
  func ofWhole() throws(UsageError) -> EditRequest {
    let passes = [try _highpasses.single(), try _lowpasses.single()]
    return EditRequest(filters: passes.compactMap(\.self) + bands)
  }

  /// High-passes and low-passes are given once for all or once for each. All bands apply to each source.
  func apply(to requests: inout [EditRequest]) throws(UsageError) {
    try _highpasses.apply(to: &requests) { $0.filters.append($1) }
    try _lowpasses.apply(to: &requests) { $0.filters.append($1) }
    for index in requests.indices { requests[index].filters += bands }
  }
}

struct FadeOptions {
  @Option("fade-in", .length, group: .edits, help: "Fade in from the beginning, for so long.")
  var ins: [TimePosition]
  @Option("fade-out", .length, group: .edits, help: "Fade out before the end, for so long.")
  var outs: [TimePosition]
  @Option(
    "fade-curve", .choice(name: "curve"), default: "linear",
    group: .edits,
    help: """
      How fades go: linear, equal-power (sine; for crossfades), raised-cosine (no corners) or logarithmic (in \
      decibels).
      """)
  var curves: [FadeCurve]

  /// Returns the fades of a whole stream, and no other edits.
  ///
  /// - Throws: if one of them is given twice.
  func ofWhole() throws(UsageError) -> EditRequest {
    EditRequest(
      fadeIn: try _ins.single(), fadeOut: try _outs.single(),
      curve: try _curves.single() ?? .linear)
  }

  /// - Parameter joint: another option whose fades have the curve.
  /// - Throws: if there is a curve and nothing that fades.
  func requireFade(or joint: Declaration? = nil) throws(UsageError) {
    let fading = [$ins, $outs] + (joint.map { [$0] } ?? [])
    guard $curves.isGiven, !fading.contains(where: \.isGiven) else { return }
    throw UsageError($curves, needs: fading)
  }

  func apply(to requests: inout [EditRequest]) throws(UsageError) {
    try requireFade()
    try _ins.apply(to: &requests) { $0.fadeIn = $1 }
    try _outs.apply(to: &requests) { $0.fadeOut = $1 }
    try _curves.apply(to: &requests) { $0.curve = $1 }
  }
}

/// The options that edit sources, given once for all or once for each.
struct EditOptions {
  var part = PartOptions()
  var channelMap = ChannelMapOptions()
  @Option(
    "trim-silence", .level, group: .edits,
    help: """
      Leave out silence at both ends: all that does not reach this level in dBFS.
      """)
  var silenceLevels: [Double]
  @Option var peaks: [Double]
  var filtering = FilterOptions()
  var fades = FadeOptions()
  @Option(
    "delay", .channelDelays, group: .edits,
    help: "Delay all channels, 120ms, or each in order, 0,3ms,12S; behind the fades.")
  var delays: [ChannelDelays]
  @Option(
    "pad", .padding, group: .edits,
    help: "Add silence at the end (as in 1,2 in front and at the end), behind the fades.")
  var paddings: [Padding]

  /// - Parameter normalizing: what --normalize does.
  init(
    normalizing: String = """
    Change the level so that the largest sample is at so many dBFS. The source is read twice; a pipe goes through \
    a temporary file. --gain comes on top.
    """
  ) {
    _peaks = Option("normalize", .peak, group: .edits, help: normalizing)
  }

  /// The largest sample of a sum, in dBFS. Nil if it stays, or if each source has its own.
  var peakOfSum: Double? { peaks.count == 1 ? peaks[0] : nil }

  /// The edits of each of `sources`.
  ///
  /// - Parameter civilTime: the zone of times of day without one.
  /// - Throws: if a source without an end has an edit that needs it.
  func requests(
    for sources: [SourceEndpoint], in civilTime: CivilTime = .local
  ) throws(UsageError) -> [EditRequest] {
    var requests = try part.requests(for: sources, in: civilTime)
    try channelMap.apply(to: &requests)
    try _silenceLevels.apply(to: &requests) { $0.silenceLevel = $1 }
    try _peaks.apply(to: &requests) { $0.peak = $1 }
    try filtering.apply(to: &requests)
    try fades.apply(to: &requests)
    try _delays.apply(to: &requests) { $0.delays = $1 }
    try _paddings.apply(to: &requests) { $0.padding = $1 }
    for (request, source) in zip(requests, sources) where source.isLive {
      guard let level = option(measuringFor: request) else { continue }
      throw UsageError(level, needsEndOf: source)
    }
    return requests
  }

  /// The edits of each of `sources`, whose streams are summed.
  func requests(forSumOf sources: [SourceEndpoint]) throws(UsageError) -> [EditRequest] {
    var requests = try requests(for: sources)
    if peakOfSum != nil {
      for index in requests.indices { requests[index].peak = nil }
    }
    for (request, source) in zip(requests, sources) {
      // A generated signal has the sum's rate, which is still unknown.
      guard source.isGenerated, let level = option(measuringFor: request) else { continue }
      throw UsageError("'\(level.label)' is for recordings; a generated signal has a known level")
    }
    return requests
  }

  /// The option that requires a measurement of the source's level. Nil if there is none.
  private func option(measuringFor request: EditRequest) -> Declaration? {
    request.peak != nil ? $peaks : request.silenceLevel != nil ? $silenceLevels : nil
  }
}

extension UsageError {
  /// For an option that needs a source whose end is known before the session reads it.
  init(_ option: Declaration, needsEndOf source: SourceEndpoint) {
    let need = source.isEndless ? "ends" : "waits"
    self.init("'\(option.label)' needs a source that \(need); \(source.noun) does not")
  }
}

/// The zone of times of day, of commands that read them and record nothing.
struct ZoneOptions {
  @Flag(
    "utc",
    help: "Take times of day that state no zone in UTC, not in local time (or that of TZ).")
  var isUTC: Bool

  var civilTime: CivilTime { isUTC ? .utc : .local }
}
