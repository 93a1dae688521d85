// SPDX-License-Identifier: Apache-2.0
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
  private let timing: (@Sendable (_ position: Int64, _ sampleRate: Int) -> String?)?
  private let lines: BackgroundLines
  /// The current streams, each with its number of lines.
  private var streams: [StreamIdentity: (stream: ObservedStream, lines: Int64)] = [:]
  private var levels: [Level] = []
  private var isWanted = true

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames.
  ///   - timing: gives the time of day of a sample of the session, from its position and the rate in hertz; nil if it is
  ///     unknown.
  ///   - lines: the output of the lines: flushed when the last stream has ended, since other streams may begin, and
  ///     closed when the observer is released.
  package init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    timing: (@Sendable (_ position: Int64, _ sampleRate: Int) -> String?)? = nil,
    to lines: BackgroundLines
  ) {
    self.positions = positions
    asked = parameters
    self.timing = timing
    self.lines = lines
  }

  deinit { lines.release() }

  package func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  package func begin(_ stream: ObservedStream) throws(AudioError) {
    lines.watch(stream.control.wakeup)
    streams[stream.identity] = (stream, 0)
  }

  package func observe(_ frame: inout AudioFrame<Double>, at position: ObservationPosition) -> Bool
  {
    let key = StreamIdentity(of: frame, at: position)
    guard isWanted, let (stream, index) = streams[key] else { return true }
    streams[key] = (stream, index + 1)
    levels.removeAll(keepingCapacity: true)
    levels.append(contentsOf: repeatElement(Level(), count: frame.channelCount))
    Level.measure(frame.samples.span, into: &levels)
    let late = stream.registration.statistics[position]?.lateCalls ?? 0
    isWanted = lines.take(line(of: frame, in: stream, index: index, late: late))
    return true
  }

  /// - Throws: the error of a write. A reader that went away is no failure.
  package func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    streams.removeValue(forKey: stream.identity)
    if streams.isEmpty { try lines.end(reason) }
  }

  private func line(
    of frame: borrowing AudioFrame<Double>, in stream: ObservedStream, index: Int64, late: Int
  ) -> JSONValue {
    var members = stream.members()
    members += [
      ("index", .integer(index)),
      ("samplePosition", .integer(frame.samplePosition)),
      ("renderTime", .integer(frame.renderTime)),
    ]
    if let time = timing?(frame.samplePosition, frame.sampleRate) {
      members.append(("time", .string(time)))
    }
    members += [
      ("sampleRate", .integer(Int64(frame.sampleRate))),
      ("samplesPerChannel", .integer(Int64(frame.samplesPerChannel))),
      ("peak", .array(levels.map { .rounded($0.peakDecibels) })),
      ("rms", .array(levels.map { .rounded($0.rmsDecibels) })),
      ("clipped", .integer(levels.reduce(0) { $0 + $1.clippedSamples })),
      ("notANumber", .integer(levels.reduce(0) { $0 + $1.notANumberSamples })),
      ("late", .integer(Int64(late))),
    ]
    return .object(members)
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
