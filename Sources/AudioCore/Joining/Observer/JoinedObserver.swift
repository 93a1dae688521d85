// SPDX-License-Identifier: Apache-2.0
/// A client that observes without changing anything, as the session calls it. Session thread only.
final class JoinedObserver: GenericObserver, OwnShapeObserver {
  private let sender: FrameSender

  init(_ request: ObserveRequest, _ outbox: FrameOutbox) {
    sender = FrameSender(request, outbox)
  }

  var positions: ObservationPositions { ObservationPositions(sender.request.position) }

  func parameters(at position: ObservationPosition) -> FrameParameters { sender.request.parameters }

  func begin(_ stream: ObservedStream) throws(AudioError) { sender.announce(stream) }

  func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    let identity = StreamIdentity(of: frame, at: position)
    let (format, start, isPartial) = (frame.format, frame.samplePosition, frame.isPartial)
    _ = sender.send(
      frame.samples.span, of: identity, format, at: start, isPartial: isPartial)
    return false
  }

  func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    sender.end(stream.identity)
  }
}
