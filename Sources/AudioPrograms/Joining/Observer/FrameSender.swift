// SPDX-License-Identifier: Apache-2.0
/// Encodes the frames of a client's streams and puts them into its outbox. Session thread only.
final class FrameSender {
  let request: ObserveRequest
  private let outbox: FrameOutbox
  private let share: SampleShare?
  private var quantiser: Quantiser
  /// The start of the next frame of each stream that has sent one.
  private var begun: [StreamIdentity: FrameHeader] = [:]

  /// - Parameter share: the client's grant; nil if samples are not counted.
  init(_ request: ObserveRequest, _ outbox: FrameOutbox, _ share: SampleShare? = nil) {
    self.request = request
    self.outbox = outbox
    self.share = share
    quantiser = Quantiser(layout: request.layout)
  }

  /// Announces a stream and the shape of its frames before the first of them, or refuses it if it exceeds the
  /// client's grant.
  ///
  /// - Returns: whether the client gets the stream.
  func begin(_ stream: ObservedStream) -> Bool {
    let number = outbox.number(of: stream.key)
    let header = FrameHeader(source: number)
    do throws(AudioError) {
      try share?.begin(stream.format, stream.name)
      outbox.put(stream.announcement(request.layout, number: number), about: header)
      return true
    } catch {
      outbox.put(stream.refusal(error, number: number), about: header)
      return false
    }
  }

  /// Whether a frame of this many samples fits now.
  ///
  /// - Parameter most: the most bytes that may wait with it.
  func hasRoom(for sampleCount: Int, within most: Int = FrameOutbox.most) -> Bool {
    outbox.hasRoom(for: sampleCount * request.layout.bytesPerSample, within: most)
  }

  /// Counts frames that the client does not get.
  ///
  /// - Parameter position: the end of the last one.
  func lose(
    frames: Int64, samplesPerChannel: Int64, of identity: StreamIdentity, _ format: StreamFormat,
    upTo position: Int64
  ) {
    outbox.lose(frames: frames, samplesPerChannel: samplesPerChannel, of: identity.key)
    guard begun[identity] != nil else { return }
    begun[identity]?.samplePosition = position
    begun[identity]?.renderTime = AudioTime.milliseconds(position, at: format.sampleRate)
  }

  /// Sends a frame, or counts it if there is no room.
  ///
  /// - Parameters:
  ///   - position: of its first sample.
  ///   - isPartial: whether it is shorter than requested.
  ///   - onTaken: called with the number of its bytes before the client can get it.
  /// - Returns: whether the client gets it.
  func send<Sample: AudioSample>(
    _ samples: Span<Sample>, of identity: StreamIdentity, _ format: StreamFormat,
    at position: Int64, isPartial: Bool, onTaken: (_ byteCount: Int) -> Void = { _ in }
  ) -> Bool {
    let count = samples.count * request.layout.bytesPerSample
    let length = samples.count / format.channelCount
    var header = FrameHeader(
      samplePosition: position,
      renderTime: AudioTime.milliseconds(position, at: format.sampleRate), payload: count,
      source: outbox.number(of: identity.key), flags: isPartial ? .partial : [])
    if begun[identity] == nil { header.flags.insert(.first) }
    let isTaken = outbox.put(header, samplesPerChannel: length) { bytes in
      let start = bytes.count
      bytes += repeatElement(0, count: count)
      var whole = bytes.mutableSpan
      var raw = unsafe whole.mutableBytes
      var payload = raw._mutatingExtracting(start..<start + count)
      quantiser.encode(samples, into: &payload)
      onTaken(count)
    }
    header.samplePosition += Int64(length)
    header.renderTime = AudioTime.milliseconds(header.samplePosition, at: format.sampleRate)
    // A dropped first frame does not count as the first.
    if isTaken || begun[identity] != nil { begun[identity] = header }
    return isTaken
  }

  /// Sends the end of a stream as a frame without samples, because the last frame left before the end was known.
  func end(_ identity: StreamIdentity, _ format: StreamFormat) {
    share?.end(format)
    var header =
      begun.removeValue(forKey: identity)
      ?? FrameHeader(source: outbox.number(of: identity.key))
    header.payload = 0
    header.flags = .last
    _ = outbox.put(header, samplesPerChannel: 0) { _ in }
  }
}

extension ObservedStream {
  /// The line that refuses the stream.
  fileprivate func refusal(_ error: AudioError, number: UInt32) -> JSONValue.Members {
    members("refused", number) + [("error", .string(error.description))]
  }

  /// The line that announces the stream, its number and the shape of its frames.
  fileprivate func announcement(_ layout: SampleLayout, number: UInt32) -> JSONValue.Members {
    members("stream", number) + (isShared ? [("shared", .boolean(true))] : []) + [
      ("rate", .integer(Int64(format.sampleRate))),
      ("channels", .integer(Int64(format.channelCount))),
      ("samplesPerCall", .integer(Int64(samplesPerCall))),
      ("encoding", .string(layout.encoding.rawValue)),
    ]
  }

  private func members(_ event: String, _ number: UInt32) -> JSONValue.Members {
    var members: JSONValue.Members = [
      ReplyLine.schema, ("event", .string(event)), ("source", .integer(Int64(number))),
      ("position", .string(except == nil ? position.rawValue : ObserveRequest.mixMinus)),
    ]
    if let source { members.append(("id", .string(source.description))) }
    if let group { members.append(("group", .string(group.description))) }
    return members
  }
}
