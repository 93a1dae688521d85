// SPDX-License-Identifier: Apache-2.0
// The observers that come, change and go while the session runs. Session thread only.
extension Participation {
  /// Places a new observer in every stream that it observes.
  func register(_ observer: RegisteredObserver) throws(AudioError) {
    observers.append(observer)
    observers.removeAll { !$0.hold.isActive }
    try addSum(for: observer)
    for stream in graph.streams {
      _ = try stream.observers.change(observer, to: try plan(observer, in: stream))
    }
  }

  /// Adds the sum without a source for its first observer.
  private func addSum(for observer: RegisteredObserver) throws(AudioError) {
    guard let key = observer.except,
      !graph.streams.contains(where: { $0.route.origin.except == key }),
      let route = try planner(of: []).route(except: key, in: plan)
    else { return }
    _ = try graph.add(route)
  }

  /// Plans an observer's place in a running stream; nil if it does not observe the stream.
  private func plan(
    _ observer: RegisteredObserver, in stream: RunningStream<Sample>
  ) throws(AudioError) -> PlannedObserver? {
    let position = stream.route.observation.position
    let origin = stream.route.origin
    guard observer.observes(position, of: origin.source?.entry.key, except: origin.except) else {
      return nil
    }
    return try observer.planned(
      at: position, native: stream.observers.format(before: observer),
      session: session.parameters[position])
  }

  /// Updates an observer in every stream to its new answers. If they are illegal, the old ones stay.
  func refresh(_ observer: RegisteredObserver) throws(AudioError) {
    guard let place = observers.firstIndex(where: { $0.hold === observer.hold }) else { return }
    var plans: [PlannedObserver?] = []
    do throws(AudioError) {
      try observer.requireCallbacks()
      try live.requireStreams(for: observer)
      try addSum(for: observer)
      for stream in graph.streams { plans.append(try plan(observer, in: stream)) }
    } catch {
      return observer.registration.reject(error)
    }
    observers[place] = observer
    for (stream, plan) in zip(graph.streams, plans) {
      if let slow = try stream.observers.change(observer, to: plan) { ending.append(slow) }
    }
    graph.forgetLed()
  }
}
