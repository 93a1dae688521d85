// SPDX-License-Identifier: Apache-2.0
/// Gives the time of day of a sample of a session, from its position in samples per channel and the rate in hertz; nil if
/// it is unknown.
package typealias SampleTiming = @Sendable (_ position: Int64, _ sampleRate: Int) -> String?

/// A read-only observer that writes one line of JSON for every frame.
///
/// `docs/events.md` describes the lines. Its frames are `Double`, which holds every sample of a session in either
/// precision.
package final class EventObserver: UniformObserver {
  package typealias Sample = Double

  /// The version of the lines; grows if a member changes its meaning or is removed.
  package static let schemaVersion: Int64 = 1

  package let positions: ObservationPositions
  private let asked: FrameParameters
  private let timing: SampleTiming?
  private let lines: BackgroundLines
  /// The length of audio that a line covers; nil = a call.
  private let interval: TimePosition?
  private var streams: [StreamIdentity: Entry] = [:]
  private var isWanted = true

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames.
  ///   - interval: the length of audio that a line covers, in whole calls; nil = one call.
  ///   - timing: gives the time of day of a sample of the session, from its position and the rate in hertz; nil if it is
  ///     unknown.
  ///   - lines: the output of the lines: flushed when the last stream has ended, since other streams may begin, and
  ///     closed when the observer is released.
  package init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    interval: TimePosition? = nil,
    timing: SampleTiming? = nil,
    to lines: BackgroundLines
  ) {
    self.positions = positions
    asked = parameters
    self.interval = interval
    self.timing = timing
    self.lines = lines
  }

  deinit { lines.release() }

  package func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  package func begin(_ stream: ObservedStream) throws(AudioError) {
    lines.watch(stream.control.wakeup)
    streams[stream.identity] = Entry(
      stream, every: interval.map { max(1, $0.samples(at: stream.format.sampleRate)) })
  }

  package func observe(_ frame: inout AudioFrame<Double>, at position: ObservationPosition) -> Bool
  {
    let key = StreamIdentity(of: frame, at: position)
    guard isWanted, let entry = streams[key] else { return true }
    if entry.add(frame) { write(entry) }
    return true
  }

  /// - Throws: the error of a write. A reader that went away is no failure.
  package func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    if let entry = streams.removeValue(forKey: stream.identity), isWanted { write(entry) }
    if streams.isEmpty { try lines.end(reason) }
  }

  private func write(_ entry: Entry) {
    let late = entry.stream.registration.statistics[entry.stream.position]?.lateCalls ?? 0
    if let line = entry.takeLine(late: late, timing) { isWanted = lines.take(line) }
  }

  /// A stream with the frames of its next line.
  private final class Entry {
    let stream: ObservedStream
    /// In samples per channel.
    private let interval: Int64?
    /// The number of earlier lines.
    private var index: Int64 = 0
    /// The samples per channel of all frames.
    private var total: Int64 = 0
    private var start: (position: Int64, time: Int64, sampleRate: Int)?
    private var length: Int64 = 0
    private var levels: [Level] = []

    init(_ stream: ObservedStream, every interval: Int64?) {
      self.stream = stream
      self.interval = interval
    }

    /// - Returns: whether the line is complete.
    func add(_ frame: borrowing AudioFrame<Double>) -> Bool {
      if start == nil {
        start = (frame.samplePosition, frame.renderTime, frame.sampleRate)
        levels.removeAll(keepingCapacity: true)
        levels.append(contentsOf: repeatElement(Level(), count: frame.channelCount))
      }
      Level.measure(frame.samples.span, into: &levels)
      length += Int64(frame.samplesPerChannel)
      let before = total
      total += Int64(frame.samplesPerChannel)
      return interval.map { before / $0 < total / $0 } ?? true
    }

    /// The line of the frames since the last one; nil without frames.
    func takeLine(
      late: Int, _ timing: SampleTiming?
    ) -> JSONValue? {
      guard let start else { return nil }
      var members = stream.members()
      members += [
        ("index", .integer(index)),
        ("samplePosition", .integer(start.position)),
        ("renderTime", .integer(start.time)),
      ]
      if let time = timing?(start.position, start.sampleRate) {
        members.append(("time", .string(time)))
      }
      members += [
        ("sampleRate", .integer(Int64(start.sampleRate))),
        ("samplesPerChannel", .integer(length)),
        ("peak", .array(levels.map { .rounded($0.peakDecibels) })),
        ("rms", .array(levels.map { .rounded($0.rmsDecibels) })),
        ("clipped", .integer(levels.reduce(0) { $0 + $1.clippedSamples })),
        ("notANumber", .integer(levels.reduce(0) { $0 + $1.notANumberSamples })),
        ("late", .integer(Int64(late))),
      ]
      index += 1
      length = 0
      self.start = nil
      return .object(members)
    }
  }
}

extension EventObserver: TraitedObserver {
  package var traits: ObserverTraits { .hasOwnMode }
}

// The parts of every line about a stream, for all observers that write such lines.

extension ObservedStream {
  /// The first members of a line, in the order of `docs/events.md`.
  func members(event: String? = nil) -> [(name: String, value: JSONValue)] {
    func name(_ id: SourceID?) -> JSONValue { id.map { .string($0.description) } ?? .null }
    var members: [(name: String, value: JSONValue)] = [
      ("schema", .integer(EventObserver.schemaVersion))
    ]
    if let event { members.append(("event", .string(event))) }
    members += [
      ("position", .string(position.rawValue)), ("source", name(source)), ("group", name(group)),
    ]
    if isShared { members.append(("shared", .boolean(true))) }
    return members
  }
}

extension JSONValue {
  /// Rounds a level to a thousandth of a decibel; −∞ and NaN become null.
  static func rounded(_ decibels: Double?) -> JSONValue {
    decibels.map { .number(($0 * 1_000).rounded() / 1_000) } ?? .null
  }
}

extension BackgroundLines {
  /// Writes a value as a line.
  ///
  /// - Returns: false if no further line is wanted: the reader is gone, or the write failed. ``end(_:)`` throws the
  ///   failure.
  func take(_ value: JSONValue) -> Bool { (try? write(line: value.compact)) == .accepted }

  /// Waits until all lines of ended streams are written. The log of a finished stream without lines is empty.
  func end(_ reason: StopReason) throws(AudioError) {
    if reason == .finished || hasBegun { try flush() }
  }
}
