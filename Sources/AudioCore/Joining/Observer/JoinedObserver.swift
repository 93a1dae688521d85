/// A client that observes, as the session calls it. Session thread only.
final class JoinedObserver: GenericObserver {
  private let request: ObserveRequest
  private let outbox: FrameOutbox
  private var quantiser: Quantiser
  /// The streams of which a frame has gone out, and where the next one would begin.
  private var begun: [StreamIdentity: FrameHeader] = [:]

  init(_ request: ObserveRequest, _ outbox: FrameOutbox) {
    self.request = request
    self.outbox = outbox
    quantiser = Quantiser(layout: request.layout)
  }

  var positions: ObservationPositions { ObservationPositions(request.position) }

  func parameters(at position: ObservationPosition) -> FrameParameters { request.parameters }

  func begin(_ stream: ObservedStream) throws(AudioError) {
    outbox.put(
      stream.announcement(request.layout, number: outbox.number(of: stream.source)),
      about: header(0, stream.source))
  }

  private func header(_ position: Int64, _ source: SourceID?) -> FrameHeader {
    FrameHeader(
      samplePosition: position, renderTime: 0, payload: 0, source: outbox.number(of: source),
      flags: [])
  }

  func observe<Sample: AudioSample>(
    _ frame: inout AudioFrame<Sample>, at position: ObservationPosition
  ) -> Bool {
    let identity = StreamIdentity(of: frame, at: position)
    let count = frame.samples.count * request.layout.bytesPerSample
    var header = header(frame.samplePosition, frame.source)
    header.renderTime = frame.renderTime
    header.payload = count
    if frame.isPartial { header.flags.insert(.partial) }
    if begun[identity] == nil { header.flags.insert(.first) }
    let samplesPerChannel = frame.samplesPerChannel
    let samples = frame.samples.span
    let isTaken = outbox.put(header, samplesPerChannel: samplesPerChannel) { bytes in
      let start = bytes.count
      bytes += repeatElement(0, count: count)
      var whole = bytes.mutableSpan
      var raw = unsafe whole.mutableBytes
      var payload = raw._mutatingExtracting(start..<start + count)
      quantiser.encode(samples, into: &payload)
    }
    header.samplePosition += Int64(samplesPerChannel)
    header.renderTime = AudioTime.milliseconds(header.samplePosition, at: frame.sampleRate)
    // A first frame that was dropped was none.
    if isTaken || begun[identity] != nil { begun[identity] = header }
    return false
  }

  /// Tells the end by a frame without samples, for only now is it known.
  func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
    var header = begun.removeValue(forKey: stream.identity) ?? header(0, stream.source)
    header.payload = 0
    header.flags = .last
    _ = outbox.put(header, samplesPerChannel: 0) { _ in }
  }
}

extension ObservedStream {
  /// The line that tells a client which stream has the number, and the shape of its frames.
  func announcement(
    _ layout: SampleLayout, number: UInt32
  ) -> [(name: String, value: JSONValue)] {
    var members: [(name: String, value: JSONValue)] = [
      ("schema", .integer(1)), ("event", .string("stream")), ("source", .integer(Int64(number))),
      ("position", .string(position.rawValue)),
    ]
    if let source { members.append(("id", .string(source.description))) }
    if let group { members.append(("group", .string(group.description))) }
    return members + [
      ("rate", .integer(Int64(format.sampleRate))),
      ("channels", .integer(Int64(format.channelCount))),
      ("samplesPerCall", .integer(Int64(samplesPerCall))),
      ("encoding", .string(layout.encoding.rawValue)),
    ]
  }
}
