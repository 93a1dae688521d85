// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The edits of one source before its observers, in the order of processing.
struct EditRequest: Sendable {
  var start: SourcePoint?
  var end: SourcePoint?
  var channelMap: ChannelMap?
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
      Where in the source to begin: \(TimePosition.forms); with a minus in front, counted back from its end.
      """)
  var starts: [SourcePoint]
  @Option(
    "end", .sourcePoint, default: "the source's end",
    help: "Where in the source to end, written as --start.")
  var ends: [SourcePoint]

  /// The part of each of `sources`, and no other edits.
  ///
  /// - Throws: if a source without an end has a point that needs it.
  func requests(for sources: [SourceEndpoint]) throws(UsageError) -> [EditRequest] {
    let starts = try _starts.each(of: sources.count)
    let ends = try _ends.each(of: sources.count)
    var requests: [EditRequest] = []
    for (index, source) in sources.enumerated() {
      let (start, end) = (starts[index], ends[index])
      if let start, let end, end.isKnown(notBehind: start) {
        throw UsageError("'\($ends.word)' must lie behind '\($starts.word)'")
      }
      let request = EditRequest(start: start, end: end)
      if request.needsLength, source.isEndless {
        throw UsageError(start?.needsLength == true ? $starts : $ends, needsEndOf: source)
      }
      requests.append(request)
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
      Take these channels, in order: numbers from 1 (2,1), names (L, R, C, LFE, Ls, Rs, Lb, Rb, Cs), or mix for all \
      of them in one.
      """)
  var maps: [ChannelMap]

  func each(of count: Int) throws(UsageError) -> [ChannelMap?] { try _maps.each(of: count) }
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

  /// The fades of a whole stream, and no other edits.
  var ofWhole: EditRequest {
    EditRequest(fadeIn: ins.last, fadeOut: outs.last, curve: curves.last ?? .linear)
  }

  func each(of count: Int) throws(UsageError) -> [EditRequest] {
    let (ins, outs) = (try _ins.each(of: count), try _outs.each(of: count))
    let curves = try _curves.each(of: count)
    return (0..<count).map {
      EditRequest(fadeIn: ins[$0], fadeOut: outs[$0], curve: curves[$0] ?? .linear)
    }
  }
}

/// The options that edit sources, given once for all or once for each.
struct EditOptions {
  var part = PartOptions()
  var channelMap = ChannelMapOptions()
  @Option(
    "trim-silence", .level, group: .edits,
    help: """
      Leave out all before the first sample, and behind the last one, that reaches this level in dBFS.
      """)
  var silenceLevels: [Double]
  @Option(
    "normalize", .decibels, group: .edits,
    help: """
      Change the level so that the largest sample is at so many dBFS. The source is read twice; a pipe goes through \
      a temporary file. --gain comes on top.
      """)
  var peaks: [Double]
  var filtering = FilterOptions()
  var fades = FadeOptions()
  @Option(
    "pad", .padding, group: .edits,
    help: "Add silence at the end, or, as in 1,2, in front and at the end; behind the fades.")
  var paddings: [Padding]

  /// The edits of each of `sources`.
  ///
  /// - Throws: if a source without an end has an edit that needs it.
  func requests(for sources: [SourceEndpoint]) throws(UsageError) -> [EditRequest] {
    let count = sources.count
    var requests = try part.requests(for: sources)
    let maps = try channelMap.each(of: count)
    let levels = try _silenceLevels.each(of: count)
    let peaks = try _peaks.each(of: count)
    let filters = try filtering.each(of: count)
    let fades = try fades.each(of: count)
    let paddings = try _paddings.each(of: count)
    for (index, source) in sources.enumerated() {
      requests[index].channelMap = maps[index]
      requests[index].silenceLevel = levels[index]
      requests[index].peak = peaks[index]
      requests[index].filters = filters[index]
      (requests[index].fadeIn, requests[index].fadeOut) = (
        fades[index].fadeIn, fades[index].fadeOut
      )
      requests[index].curve = fades[index].curve
      requests[index].padding = paddings[index]
      if source.isLive, let level = option(measuringFor: requests[index]) {
        throw UsageError(level, needsEndOf: source)
      }
    }
    return requests
  }

  /// The edits of each of `sources`, whose streams are summed.
  func requests(forSumOf sources: [SourceEndpoint]) throws(UsageError) -> [EditRequest] {
    let requests = try requests(for: sources)
    for (request, source) in zip(requests, sources) {
      // A generated signal has the sum's rate, which is still unknown.
      guard source.isEndless, !source.isLive, let level = option(measuringFor: request) else {
        continue
      }
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
  /// For an option that needs a source with an end.
  init(_ option: Declaration, needsEndOf source: SourceEndpoint) {
    self.init("'\(option.label)' needs a source that ends; \(source.noun) does not")
  }
}
