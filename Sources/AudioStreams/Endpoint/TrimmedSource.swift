// SPDX-License-Identifier: Apache-2.0
/// A part of another source, from one point to another or for a duration.
public final class TrimmedSource: AudioSource, ComposedSource {
  private enum End {
    case source
    case after(TimePosition)
    case at(SourcePoint)
  }

  let base: any AudioSource
  package var sources: [any AudioSource] { [base] }
  private let beginning: SourcePoint
  private let ending: End
  /// In hertz. Known after `initialize`.
  package private(set) var sampleRate = 1
  private var toSkip: Int64 = 0
  /// The beginning of the part, in samples per channel of the base. Known after `initialize`.
  package private(set) var firstSample: Int64 = 0
  /// The requested samples per channel. Nil if neither an end nor a duration states them. Known after `initialize`.
  package private(set) var length: Int64?
  private var remaining = Int64.max
  private var channelCount = 1
  private var session: Wakeup?
  private var hasBegun = false

  /// Whether a part that begins behind the end of the source is an error; otherwise it is empty. `initialize` throws
  /// `invalidParameter` then, or `read` if the length is not known beforehand. May be changed until `initialize`.
  public var requiresBeginning = false

  /// How many samples per channel of the part lie behind the source's end. Known after `initialize` if the source knows
  /// its length, otherwise once `read` has answered `ended`.
  public private(set) var missingSamplesPerChannel: Int64 = 0

  /// - Parameters:
  ///   - base: the source to take a part of.
  ///   - start: the beginning in the source; if it is negative, `initialize` throws `invalidParameter`.
  ///   - duration: nil = to the end; if it is negative, `initialize` throws `invalidParameter`.
  public init(_ base: any AudioSource, start: TimePosition, duration: TimePosition?) {
    self.base = base
    beginning = .fromStart(start)
    ending = duration.map { .after($0) } ?? .source
  }

  /// Makes the part between two points. `initialize` throws `unsupported` if one of them is counted from the end of a
  /// source of unknown length, and `invalidParameter` if the end lies before the start.
  ///
  /// - Parameters:
  ///   - base: the source to take a part of.
  ///   - start: its first sample; a point before the beginning becomes the beginning.
  ///   - end: the first sample behind it; nil, or a point beyond the end of the source = to the end of the source.
  public init(_ base: any AudioSource, from start: SourcePoint, to end: SourcePoint? = nil) {
    self.base = base
    beginning = start
    ending = end.map { .at($0) } ?? .source
  }

  public var takesProposedFormat: Bool { base.takesProposedFormat }

  public func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    var description = try base.initialize(proposing: proposal, wakeup: wakeup)
    channelCount = description.format.channelCount
    session = wakeup
    let rate = description.format.sampleRate
    sampleRate = rate
    let whole = description.samplesPerChannel
    toSkip = try beginning.samples(at: rate, in: whole, as: "start")
    remaining = try remaining(behind: toSkip, at: rate, in: whole)
    firstSample = toSkip
    length = remaining == .max ? nil : remaining
    if let whole {
      if requiresBeginning, toSkip > 0, toSkip >= whole { throw beginsBehind(end: whole) }
      if let length { missingSamplesPerChannel = max(0, length - (whole - toSkip)) }
      description.samplesPerChannel = min(max(0, whole - toSkip), remaining)
    } else if let length {
      description.samplesPerChannel = length
    }
    if try base.skip(samplesPerChannel: toSkip) { toSkip = 0 }
    return description
  }

  public func metadata() throws(AudioError) -> Metadata? {
    try base.metadata()?.trimmed(from: firstSample, length: length)
  }

  /// Returns the length of the part that begins at `start`, in samples per channel.
  private func remaining(
    behind start: Int64, at rate: Int, in length: Int64?
  ) throws(AudioError) -> Int64 {
    switch ending {
    case .source: return .max
    case .after(let duration): return try duration.length(at: rate, as: "duration")
    case .at(let point):
      let end = try point.samples(at: rate, in: length, as: "end")
      // If the source ends before both points, the part is empty.
      guard end >= start || (length.map { start >= $0 } ?? false) else {
        throw AudioError(
          .invalidParameter, cannot: "take this part of the source", "",
          because: "its end, sample \(end), lies before its start, sample \(start)")
      }
      return max(0, end - start)
    }
  }

  public func start() throws(AudioError) { try base.start() }

  public func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    if remaining == 0 { return .ended }
    while toSkip > 0 {
      let status = try base.read(into: &output)
      if status == .ended { try requireBeginning() }
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
    if status == .ended {
      try requireBeginning()
      if length != nil { missingSamplesPerChannel = remaining }
    }
    return status == .ready ? limit(&output) : status
  }

  public func silenceStoodIn(samplesPerChannel count: Int64) {
    remaining -= min(count, remaining)
    base.silenceStoodIn(samplesPerChannel: count)
  }

  public func stop() { base.stop() }

  public func dispose() { base.dispose() }

  /// Throws if the source has ended before the part begins, unless the session was asked to end.
  private func requireBeginning() throws(AudioError) {
    guard requiresBeginning, !hasBegun, firstSample > 0,
      let session, session.request == nil
    else {
      return
    }
    throw beginsBehind(end: nil)
  }

  private func beginsBehind(end: Int64?) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "take this part of the source", "",
      because: "it begins at sample \(firstSample), and the source ends "
        + (end.map { "after \($0) samples per channel" } ?? "before"))
  }

  private func dropFirst<Sample: AudioSample>(_ count: Int, of output: inout OutputSpan<Sample>) {
    unsafe output.withUnsafeMutableBufferPointer { samples, initializedCount in
      initializedCount -= count
      unsafe _ = samples.update(
        fromContentsOf: UnsafeMutableBufferPointer(
          rebasing: samples[count..<count + initializedCount]))
    }
  }

  private func limit<Sample: AudioSample>(_ output: inout OutputSpan<Sample>) -> SourceStatus {
    hasBegun = true
    let read = Int64(output.count / channelCount)
    if read > remaining { output.removeLast(Int(read - remaining) * channelCount) }
    remaining -= min(read, remaining)
    return .ready
  }
}

/// A place in a source, counted from its beginning or back from its end.
public enum SourcePoint: Sendable, Hashable {
  case fromStart(TimePosition)
  /// This long before the end; the length of the source must be known beforehand.
  case fromEnd(TimePosition)

  /// Whether finding the place needs the source's length.
  public var needsLength: Bool {
    if case .fromEnd = self { true } else { false }
  }

  /// Returns the place in samples per channel; a place before the beginning becomes 0.
  ///
  /// - Parameters:
  ///   - sampleRate: the source's, in hertz.
  ///   - length: the length of the source in samples per channel; nil if it is unknown.
  /// - Throws: `invalidParameter` for a negative time, `unsupported` if the length is needed and unknown.
  func samples(
    at sampleRate: Int, in length: Int64?, as name: String
  ) throws(AudioError) -> Int64 {
    switch self {
    case .fromStart(let time): return try time.length(at: sampleRate, as: name)
    case .fromEnd(let time):
      let distance = try time.length(at: sampleRate, as: name)
      guard let length else {
        throw AudioError(
          .unsupported, cannot: "count from the end of the source", "",
          because: "its length is unknown before it ends",
          advice: "read it into a SpooledSource first")
      }
      return max(0, length - distance)
    }
  }
}
