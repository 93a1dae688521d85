/// Tells every frame that it sees in one line of JSON: an ordinary read-only observer.
///
/// The lines are described in `docs/events.md`. It sees `Double`, which holds every sample of a session
/// in either precision.
public final class EventObserver: UniformObserver {
  public typealias Sample = Double

  /// The version of the lines; grows when a member changes its meaning or goes away.
  public static let schemaVersion: Int64 = 1

  public let positions: ObservationPositions
  /// What registering this observer returned. With it every line tells how many calls were late;
  /// without it that member is left out, for only the session knows.
  public var registration: ObserverRegistration?

  private let asked: FrameParameters
  private let lines: BackgroundLines
  private var indices: [StreamIdentity: Int64] = [:]
  private var levels: [Level] = []
  private var isWanted = true

  /// - Parameters:
  ///   - positions: where it is called.
  ///   - parameters: the shape of the frames that a line tells of.
  ///   - lines: where the lines go; completed when the last stream has ended.
  public init(
    _ positions: ObservationPositions, parameters: FrameParameters = FrameParameters(),
    to lines: BackgroundLines
  ) {
    self.positions = positions
    asked = parameters
    self.lines = lines
  }

  public func parameters(at position: ObservationPosition) -> FrameParameters { asked }

  public func begin(_ stream: ObservedStream) throws(AudioError) {
    indices[stream.identity] = 0
  }

  public func observe(_ frame: inout AudioFrame<Double>, at position: ObservationPosition) -> Bool {
    let key = StreamIdentity(of: frame, at: position)
    guard isWanted, let index = indices[key] else { return true }
    indices[key] = index + 1
    levels.removeAll(keepingCapacity: true)
    levels.append(contentsOf: repeatElement(Level(), count: frame.channelCount))
    Level.measure(frame.samples.span, into: &levels)
    let event = FrameEvent(frame, at: position, index: index, levels, late: late(position))
    do {
      isWanted = try lines.write(line: event.json.compact) == .accepted
    } catch {
      isWanted = false
    }
    return true
  }

  /// - Throws: what writing failed with. A reader that went away is no failure.
  public func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    indices.removeValue(forKey: stream.identity)
    // Lines are worth having however the session ends. What failed before, this throws again.
    if indices.isEmpty { try lines.close(.finished) }
  }

  private func late(_ position: ObservationPosition) -> Int64? {
    registration.map { Int64($0.statistics[position]?.lateCalls ?? 0) }
  }
}
