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
  private let lines: BackgroundLines
  /// The current streams, each with its number of lines.
  private var streams: [StreamIdentity: (stream: ObservedStream, lines: Int64)] = [:]
  private var levels: [Level] = []
  private var isWanted = true

  /// - Parameters:
  ///   - positions: the positions to observe at.
  ///   - parameters: the shape of the frames.
  ///   - lines: the output of the lines: flushed when the last stream has ended, since other streams may begin, and
  ///     closed when the observer is released.
  package init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    to lines: BackgroundLines
  ) {
    self.positions = positions
    asked = parameters
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
    let event = FrameEvent(frame, of: stream, index: index, levels, late: late)
    do {
      isWanted = try lines.write(line: event.json.compact) == .accepted
    } catch {
      isWanted = false
    }
    return true
  }

  /// - Throws: the error of a write. A reader that went away is no failure.
  package func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    streams.removeValue(forKey: stream.identity)
    // `flush` throws an earlier failure again. The log of a finished stream without frames is empty.
    if streams.isEmpty, reason == .finished || lines.hasBegun { try lines.flush() }
  }
}

/// The line of one frame in an event log.
private struct FrameEvent {
  /// The members, in the order of `docs/events.md`.
  let json: JSONValue

  init(
    _ frame: borrowing AudioFrame<Double>, of stream: ObservedStream, index: Int64,
    _ levels: [Level], late: Int
  ) {
    var members: [(name: String, value: JSONValue)] = [
      ("schema", .integer(EventObserver.schemaVersion)),
      ("position", .string(stream.position.rawValue)),
      ("source", Self.name(frame.source)),
      ("group", Self.name(frame.group)),
    ]
    if stream.isShared { members.append(("shared", .boolean(true))) }
    members += [
      ("index", .integer(index)),
      ("samplePosition", .integer(frame.samplePosition)),
      ("renderTime", .integer(frame.renderTime)),
      ("sampleRate", .integer(Int64(frame.sampleRate))),
      ("samplesPerChannel", .integer(Int64(frame.samplesPerChannel))),
      ("peak", .array(levels.map { Self.rounded($0.peakDecibels) })),
      ("rms", .array(levels.map { Self.rounded($0.rmsDecibels) })),
      ("clipped", .integer(levels.reduce(0) { $0 + $1.clippedSamples })),
      ("notANumber", .integer(levels.reduce(0) { $0 + $1.notANumberSamples })),
      ("late", .integer(Int64(late))),
    ]
    json = .object(members)
  }

  private static func name(_ id: SourceID?) -> JSONValue {
    id.map { .string($0.description) } ?? .null
  }

  /// Rounds to a thousandth of a decibel; −∞ and NaN become null.
  private static func rounded(_ decibels: Double) -> JSONValue {
    .number((decibels * 1_000).rounded() / 1_000)
  }
}

extension EventObserver: LookingObserver {}
