// SPDX-License-Identifier: Apache-2.0
/// The frames of an MPEG audio stream, found one by one.
///
/// libmpg123, inside libsndfile, estimates a length that no header states. It gives up if more than a kilobyte lies
/// between two frames, and ends at a header's stated length even if frames follow. After an error it drops all samples
/// decoded in the same call. Therefore, it only receives whole frames of one stream.
struct MpegStream {
  /// The places of the frames in the file, in order.
  private(set) var parts: [Range<Int64>] = []
  /// The samples per channel that a decoder returns for the frames, without those to be dropped.
  private(set) var samplesPerChannel: Int64 = 0
  /// The least samples per channel of the whole stream if some are missing.
  private(set) var claimedSamplesPerChannel: Int64?
  private(set) var statesLength = false
  /// Whether the decoder estimates the length, so that it must not stop there.
  private(set) var isEstimated = true
  /// The samples per channel to drop at the start, because the decoder does not see the encoder's header.
  private(set) var leadingSamples: Int64 = 0
  /// The samples per channel of the first frames that the decoder, or the reader, drops.
  private(set) var droppedSamples: Int64 = 0

  /// The bytes of a file in which the first frame is searched.
  private static let searchLimit: Int64 = 1 << 17
  /// The frames in a row that distinguish a stream from bytes that look like one.
  private static let likelyCount = 4
  /// The false frames after which the search ends.
  private static let mostGuesses = 1 << 18

  /// The start of a following stream of another rate, version, layer or channel count, which needs its own decoder.
  private(set) var successor: Int64?

  let window: FileWindow
  let first: MpegFrameHeader
  private var frameCount: Int64 = 0
  /// Whether the last frame is cut, or the search for its continuation failed.
  private(set) var endsWithin = false
  private var failedGuesses = 0

  /// - Parameters:
  ///   - start: the start of the search, behind tags.
  ///   - searches: whether other bytes may precede the first frame.
  /// - Returns: nil if no stream begins there, or its frames do not state their size.
  init?(
    in window: FileWindow, from start: Int64, searching searches: Bool
  ) throws(AudioError) {
    let end = try SurroundingTags.start(ofTagsIn: window, behind: start)
    let limit = searches ? min(end, start + Self.searchLimit) : start + 1
    guard let (place, header) = try Self.firstFrame(in: window, start..<limit, before: end) else {
      return nil
    }
    self.window = window
    first = header
    let frame = try window.bytes(header.byteCount, at: place)
    let encoder = MpegEncoderHeader(frame, header)
    let behindHeader = encoder == nil ? place : min(end, place + Int64(header.byteCount))
    if let count = encoder?.frameCount, encoder?.byteCount == end - place {
      // The stated byte count is true, so the frame count is trusted.
      parts = [place..<end]
      frameCount = count
    } else {
      try walk(behindHeader..<end)
    }
    settle(encoder, place..<behindHeader, end: successor ?? end)
  }

  func format(named name: String) throws(AudioError) -> StreamFormat {
    try StreamFormat(claiming: first.sampleRate, first.channelCount, in: name)
  }

  /// Returns all consecutive streams.
  ///
  /// - Parameters: as of ``init(in:from:searching:)``.
  /// - Returns: nil if that initialiser finds none.
  static func streams(
    in window: FileWindow, from start: Int64, searching searches: Bool
  ) throws(AudioError) -> [Self]? {
    guard var last = try MpegStream(in: window, from: start, searching: searches) else {
      return nil
    }
    var streams: [Self] = []
    while let place = last.successor {
      guard let next = try MpegStream(in: window, from: place, searching: false) else {
        last.endsWithin = true
        break
      }
      streams.append(last)
      last = next
    }
    return streams + [last]
  }

  private static func firstFrame(
    in window: FileWindow, _ range: Range<Int64>, before end: Int64
  ) throws(AudioError) -> (Int64, MpegFrameHeader)? {
    var position = range.lowerBound
    while let place = try window.position(from: position, where: MpegFrameHeader.mayBegin),
      range.contains(place)
    {
      if let header = MpegFrameHeader(try window.bytes(4, at: place)),
        try isLikely(header, in: window, at: place, before: end, first: place == range.lowerBound)
      {
        return (place, header)
      }
      position = place + 1
    }
    return nil
  }

  /// Whether frames of the same stream follow.
  ///
  /// - Parameter isFirst: whether no bytes precede the frame, so that the file may end with any frame.
  private static func isLikely(
    _ header: MpegFrameHeader, in window: FileWindow, at place: Int64, before end: Int64,
    first isFirst: Bool
  ) throws(AudioError) -> Bool {
    var position = place + Int64(header.byteCount)
    for count in 1..<likelyCount {
      // Fewer frames suffice at the end of the file.
      if position + 4 > end { return isFirst || position == end && count > 1 }
      guard let next = MpegFrameHeader(try window.bytes(4, at: position)), next.belongs(to: header)
      else { return false }
      position += Int64(next.byteCount)
    }
    return true
  }

  /// Finds the frames of `range`, and drops the bytes between them.
  private mutating func walk(_ range: Range<Int64>) throws(AudioError) {
    var position = range.lowerBound
    var partStart = position
    while position < range.upperBound {
      let head = try window.bytes(4, at: position)
      if let header = MpegFrameHeader(head), header.belongs(to: first) {
        let next = position + Int64(header.byteCount)
        guard next <= range.upperBound else {
          endsWithin = true
          break
        }
        let isSound =
          try MpegEncoderHeader(
            header.isLayer3
              ? window.bytes(
                min(header.byteCount, MpegEncoderHeader.telltaleLength), at: position) : [],
            header) == nil
        if isSound {
          frameCount += 1
        } else {
          // The encoder's header of an appended stream.
          close(partStart..<position)
          partStart = next
        }
        position = next
        continue
      }
      close(partStart..<position)
      if try isSuccessor(at: position, before: range.upperBound) {
        successor = position
        return
      }
      if head.count < 4, head.first == 0xFF { endsWithin = true }
      guard let next = try resynchronise(from: position + 1, before: range.upperBound) else {
        return
      }
      position = next
      partStart = next
    }
    close(partStart..<position)
  }

  /// Whether another stream begins at the expected place of the next frame.
  ///
  /// Frames that differ only in their channels may alternate.
  private func isSuccessor(at place: Int64, before end: Int64) throws(AudioError) -> Bool {
    guard let header = MpegFrameHeader(try window.bytes(4, at: place)),
      place + Int64(header.byteCount) <= end
    else { return false }
    if try Self.isLikely(header, in: window, at: place, before: end, first: true) { return true }
    let next = MpegFrameHeader(try window.bytes(4, at: place + Int64(header.byteCount)))
    return header.isRelated(to: first) && next?.isRelated(to: first) == true
  }

  private mutating func close(_ part: Range<Int64>) {
    if !part.isEmpty { parts.append(part) }
  }

  /// The next place with frames of the same stream.
  private mutating func resynchronise(
    from start: Int64, before end: Int64
  ) throws(AudioError) -> Int64? {
    var position = start
    while let place = try window.position(from: position, where: MpegFrameHeader.mayBegin),
      place < end
    {
      failedGuesses += 1
      if failedGuesses > Self.mostGuesses { break }
      if let header = MpegFrameHeader(try window.bytes(4, at: place)),
        place + Int64(header.byteCount) <= end,
        try Self.isLikely(
          header, in: window, at: place, before: end, first: header.belongs(to: first))
      {
        if header.belongs(to: first) { return place }
        successor = place
        return nil
      }
      position = place + 1
    }
    if failedGuesses > Self.mostGuesses { endsWithin = true }
    return nil
  }

  private mutating func settle(
    _ encoder: MpegEncoderHeader?, _ header: Range<Int64>, end: Int64
  ) {
    let size = first.sampleCount
    guard let encoder, let stated = encoder.frameCount else {
      if let encoder, encoder.isKnownToDecoder, !parts.isEmpty { keep(header) }
      samplesPerChannel = frameCount * Int64(size)
      return
    }
    statesLength = true
    isEstimated = false
    droppedSamples = encoder.skipped
    guard frameCount <= stated else {
      // With more frames than stated, the padding at the end is unknown. The decoder does not see the header.
      isEstimated = true
      leadingSamples = min(encoder.skipped, frameCount * Int64(size))
      droppedSamples = leadingSamples
      samplesPerChannel = frameCount * Int64(size) - leadingSamples
      return
    }
    if parts.first?.lowerBound != header.lowerBound { keep(header) }
    samplesPerChannel = encoder.sampleCount(of: frameCount, framesOf: size)
    // Some encoders count their own header as a frame.
    let hasAllBytes = encoder.byteCount.map { $0 <= end - header.lowerBound } ?? false
    let isComplete =
      !endsWithin && (frameCount == stated || frameCount == stated - 1 && hasAllBytes)
    // A cut behind the last stated frame loses nothing.
    if frameCount == stated { endsWithin = false }
    if !isComplete {
      claimedSamplesPerChannel = encoder.sampleCount(of: stated, framesOf: size)
    }
  }

  /// Puts the encoder's header back in front of the frames.
  private mutating func keep(_ header: Range<Int64>) {
    if let first = parts.first, first.lowerBound == header.upperBound {
      parts[0] = header.lowerBound..<first.upperBound
    } else {
      parts.insert(header, at: 0)
    }
  }
}
