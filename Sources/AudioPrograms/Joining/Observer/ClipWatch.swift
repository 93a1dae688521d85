// SPDX-License-Identifier: Apache-2.0
/// Counts samples of the sum beyond full scale; reports them at most once a second. Session thread only.
final class ClipWatch: GenericObserver, TraitedObserver {
  private let tell: (JSONValue.Members) -> Void
  private var clipped: Int64 = 0
  /// Samples per channel since the last report.
  private var length = 0

  init(_ tell: @escaping (JSONValue.Members) -> Void) { self.tell = tell }

  var traits: ObserverTraits { [.hasOwnMode, .needsNoStream] }
  var positions: ObservationPositions { .playback }

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(mode: .readOnly)
  }

  func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    let samples = frame.samples.span
    let limit = Sample(1).nextUp
    if let first = Sample.firstIndex(in: samples, reaching: limit) {
      for index in first..<samples.count where samples[index].magnitude >= limit { clipped += 1 }
    }
    length += frame.samplesPerChannel
    if length >= frame.sampleRate { flush() }
    return false
  }

  func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) { flush() }

  private func flush() {
    length = 0
    guard clipped > 0 else { return }
    tell([
      ("position", .string(ObservationPosition.playback.rawValue)), ("samples", .integer(clipped)),
    ])
    clipped = 0
  }
}
