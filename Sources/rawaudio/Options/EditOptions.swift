// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// What is done to one source before anybody observes it, in the order in which it is done.
struct EditRequest: Sendable, Hashable {
  var start: SourcePoint?
  var end: SourcePoint?
  var channelMap: ChannelMap?
  /// In dBFS: what is below, at both ends, is left out.
  var silenceLevel: Double?
  /// In dBFS: what the largest magnitude becomes.
  var peak: Double?
  /// How loud it becomes.
  var loudness: LoudnessRequest?
  var isInverted = false
  var fadeIn: TimePosition?
  var fadeOut: TimePosition?
  var curve = FadeCurve.linear
  var padding: Padding?
}

extension EditRequest {
  /// Whether one of the edits has to know the whole source first.
  var needsWhole: Bool { needsLength || silenceLevel != nil || peak != nil || loudness != nil }

  /// Whether the length of the source has to be known.
  var needsLength: Bool { (start?.needsLength ?? false) || (end?.needsLength ?? false) }

  /// Throws where the end is said twice.
  func requireOneEnd(beside duration: TimePosition?) throws(UsageError) {
    guard end != nil, duration != nil else { return }
    throw UsageError(
      "'--\(EditOptions.end.declaration.name)' and '--\(ProcessingOptions.duration.declaration.name)' both say"
        + " where to end; one is enough")
  }
}

/// The options that edit sources, once for all or once for each.
enum EditOptions {
  static let start = Option(
    "start", .sourcePoint, default: "0",
    help: """
      Where in the source to begin: \(TimePosition.forms); with a minus in front, counted back from its end.
      """)
  static let end = Option(
    "end", .sourcePoint, default: "the source's end",
    help: "Where in the source to end, written as --start.")
  static let channelMap = Option(
    "channel-map", .channelMap, group: .edits,
    help: """
      Take these channels, in order: numbers from 1 (2,1), names (L, R, C, LFE, Ls, Rs, Lb, Rb, Cs), or mix for all \
      of them in one.
      """)
  static let silence = Option(
    "trim-silence", .level, group: .edits,
    help: """
      Leave out what lies before the first sample, and behind the last one, that reaches this level in dBFS.
      """)
  static let normalize = Option(
    "normalize", .decibels, group: .edits,
    help: """
      Change the level so that the largest sample is at so many dBFS. The source is read twice; a pipe goes through \
      a temporary file. --gain comes on top.
      """)
  static let fadeIn = Option(
    "fade-in", .length, group: .edits, help: "Fade in from the beginning, for so long.")
  static let fadeOut = Option(
    "fade-out", .length, group: .edits, help: "Fade out before the end, for so long.")
  static let curve = Option(
    "fade-curve", .choice(name: "curve", FadeCurve.allCases), default: FadeCurve.linear.rawValue,
    group: .edits,
    help: """
      How fades go: linear, equal-power (sine; for crossfades), raised-cosine (no corners) or logarithmic (in \
      decibels).
      """)
  static let pad = Option(
    "pad", .padding, group: .edits,
    help: "Add silence at the end, or, as in 1,2, in front and at the end; behind the fades.")
  static let invert = Flag("invert", group: .edits, help: "Invert the polarity.")
  static let invertSome = Option(
    "invert", .sourceNumbers, impliedValue: "all", group: .edits,
    help: "Invert the polarity of all sources, or of some: --invert=2,3.")

  /// All but `start`, `end` and the option that inverts.
  private static let shared: [any Declared] = [
    channelMap, silence, normalize, fadeIn, fadeOut, curve, pad,
  ]
  /// Of a command with one source.
  static let parameters: [any Declared] = shared + [invert]
  /// Of a command that sums sources.
  static let parametersForEach: [any Declared] = shared + [invertSome]

  /// The edits of each of `sources`.
  ///
  /// - Throws: for a source that has no end and an edit that needs it.
  static func requests(
    _ arguments: ParsedArguments, for sources: [SourceEndpoint]
  ) throws(UsageError) -> [EditRequest] {
    let count = sources.count
    let starts = try arguments.values(of: start, perInput: count)
    let ends = try arguments.values(of: end, perInput: count)
    let maps = try arguments.values(of: channelMap, perInput: count)
    let levels = try arguments.values(of: silence, perInput: count)
    let peaks = try arguments.values(of: normalize, perInput: count)
    let fadeIns = try arguments.values(of: fadeIn, perInput: count)
    let fadeOuts = try arguments.values(of: fadeOut, perInput: count)
    let curves = try arguments.values(of: curve, perInput: count)
    let paddings = try arguments.values(of: pad, perInput: count)
    var requests: [EditRequest] = []
    for index in 0..<count {
      let request = EditRequest(
        start: starts[index], end: ends[index], channelMap: maps[index],
        silenceLevel: levels[index], peak: peaks[index], fadeIn: fadeIns[index],
        fadeOut: fadeOuts[index], curve: curves[index] ?? .linear, padding: paddings[index])
      try check(request, of: sources[index])
      requests.append(request)
    }
    return requests
  }

  /// The same of a command that sums `sources`.
  static func requestsForEach(
    _ arguments: ParsedArguments, of sources: [SourceEndpoint]
  ) throws(UsageError) -> [EditRequest] {
    var requests = try requests(arguments, for: sources)
    for numbers in try arguments.values(of: invertSome) {
      if case .some(let some) = numbers, let last = some.max(), last > sources.count {
        throw UsageError(
          invalid: "\(last)", for: invertSome.declaration,
          because: "there are \(sources.count) sources")
      }
      for index in requests.indices where numbers.contains(index + 1) {
        requests[index].isInverted = true
      }
    }
    for (request, source) in zip(requests, sources) {
      // It has the rate of the sum, which nobody knows yet.
      guard source.isEndless, !source.isLive, request.silenceLevel != nil || request.peak != nil
      else {
        continue
      }
      let option = request.peak == nil ? silence.declaration : normalize.declaration
      throw UsageError("'\(option.label)' is for recordings; a generated signal has a known level")
    }
    return requests
  }

  /// Which part of each of `sources` is used; nothing else.
  static func parts(
    _ arguments: ParsedArguments, of sources: [SourceEndpoint]
  ) throws(UsageError) -> [EditRequest] {
    let starts = try arguments.values(of: start, perInput: sources.count)
    let ends = try arguments.values(of: end, perInput: sources.count)
    var requests: [EditRequest] = []
    for (index, source) in sources.enumerated() {
      let request = EditRequest(start: starts[index], end: ends[index])
      try check(request, of: source)
      requests.append(request)
    }
    return requests
  }

  /// The fades of one stream; nothing else.
  static func fades(_ arguments: ParsedArguments) throws(UsageError) -> EditRequest {
    EditRequest(
      fadeIn: try arguments.value(of: fadeIn), fadeOut: try arguments.value(of: fadeOut),
      curve: try arguments.value(of: curve) ?? .linear)
  }

  private static func check(
    _ request: EditRequest, of source: SourceEndpoint
  ) throws(UsageError) {
    if let start = request.start, let end = request.end, end.isKnown(notBehind: start) {
      throw UsageError("'\(end.label(self.end))' must lie behind '\(start.label(self.start))'")
    }
    let stray: Declaration? =
      if request.needsLength, source.isEndless {
        (request.start?.needsLength ?? false) ? start.declaration : end.declaration
      } else if source.isLive, request.peak != nil {
        normalize.declaration
      } else if source.isLive, request.silenceLevel != nil {
        silence.declaration
      } else {
        nil
      }
    guard let stray else { return }
    throw UsageError("'\(stray.label)' needs a source that ends; \(source.noun) does not")
  }
}

extension SourcePoint {
  fileprivate func label(_ option: Option<SourcePoint>) -> String { "--\(option.declaration.name)" }
}
