internal import AudioCore

/// The sources that a `mix` observer adds, one for each stream. Main thread only.
final class MixedInSources {
  private let endpoint: SourceEndpoint
  private let duration: TimePosition?
  /// Those that were made so far.
  private(set) var inputs: [SessionInput] = []

  /// - Parameter duration: how long a sweep takes.
  init(_ endpoint: SourceEndpoint, duration: TimePosition?) {
    self.endpoint = endpoint
    self.duration = duration
  }

  func make(_ stream: ObservedStream) throws(AudioError) -> any AudioSource {
    let input = try endpoint.input(duration: duration)
    inputs.append(input)
    return input.source
  }
}
