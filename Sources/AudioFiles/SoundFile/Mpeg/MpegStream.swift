// SPDX-License-Identifier: Apache-2.0
/// The frames of a stream of MPEG audio, found one by one.
///
/// libmpg123, inside libsndfile, estimates a length that no header states, gives up where more than a kilobyte
/// lies between two frames, ends where a header says so even if frames follow, and after an error keeps nothing
/// of what it had decoded in the same call. It is given nothing but whole frames that belong together.
struct MpegStream {
  /// Where the frames are in the file, in order.
  private(set) var parts: [Range<Int64>] = []
  /// The samples per channel that a decoder makes of them, without those that are to be left out.
  private(set) var samplesPerChannel: Int64 = 0
  /// The samples per channel of the whole stream, or at least so many, where some are missing.
  private(set) var claimedSamplesPerChannel: Int64?
  /// Whether the stream itself says how long it is.
  private(set) var statesLength = false
  /// Whether the decoder is left to estimate the length, which it must not hold for true.
  private(set) var isEstimated = true
  /// Samples per channel in front that are to be left out, because the decoder is not told of them.
  private(set) var leadingSamples: Int64 = 0

  /// How far into a file its first frame is looked for.
  private static let searchLimit: Int64 = 1 << 17
  /// How many frames in a row tell a stream from bytes that look like one.
  private static let likelyCount = 4
  /// How many places may look like a frame and be none before the search is given up.
  private static let mostGuesses = 1 << 18

  /// Where a stream of another rate, version, layer or number of channels goes on, into which no decoder plays on.
  private(set) var successor: Int64?

  private let window: FileWindow
  private let first: MpegFrameHeader
  private var frameCount: Int64 = 0
  /// Whether the last frame is not all there, or nothing that could be found goes on behind it.
  private(set) var endsWithin = false
  private var failedGuesses = 0

  /// - Parameters:
  ///   - window: the file.
  ///   - start: where to look from, behind tags.
  ///   - searches: whether other bytes may come before the first frame.
  /// - Returns: nil where no stream begins there, or one whose frames do not tell their size.
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
      // What it says of its bytes is true, and so is what it says of its frames.
      parts = [place..<end]
      frameCount = count
    } else {
      try walk(behindHeader..<end)
    }
    settle(encoder, place..<behindHeader, end: successor ?? end)
  }

  /// In hertz and channels.
  func format(named name: String) throws(AudioError) -> StreamFormat {
    try StreamFormat(claiming: first.sampleRate, first.channelCount, in: name)
  }

  /// All streams that stand one behind the other.
  ///
  /// - Parameters: as of ``init(in:from:searching:)``.
  /// - Returns: nil where that finds none.
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
  /// - Parameter isFirst: whether nothing stands in front, so that the file may end with any of them.
  private static func isLikely(
    _ header: MpegFrameHeader, in window: FileWindow, at place: Int64, before end: Int64,
    first isFirst: Bool
  ) throws(AudioError) -> Bool {
    var position = place + Int64(header.byteCount)
    for count in 1..<likelyCount {
      // Where nothing follows, fewer are enough.
      if position + 4 > end { return isFirst || position == end && count > 1 }
      guard let next = MpegFrameHeader(try window.bytes(4, at: position)), next.belongs(to: header)
      else { return false }
      position += Int64(next.byteCount)
    }
    return true
  }

  /// Finds the frames of `range`, and leaves out what lies between them.
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
          position = next
          continue
        }
        // The header of a stream that was appended to this one.
        close(partStart..<position)
        position = next
        partStart = next
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

  /// Whether another stream begins where the next frame should.
  ///
  /// Frames that differ in their channels only may take turns as they like.
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

  /// Where frames of the same stream go on.
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
    guard frameCount <= stated else {
      // More than it knew of, so that nothing is known of the end. The decoder does not see that header.
      isEstimated = true
      leadingSamples = min(encoder.skipped, frameCount * Int64(size))
      samplesPerChannel = frameCount * Int64(size) - leadingSamples
      return
    }
    if parts.first?.lowerBound != header.lowerBound { keep(header) }
    samplesPerChannel = encoder.sampleCount(of: frameCount, framesOf: size)
    // Some count their own header among the frames.
    let hasAllBytes = encoder.byteCount.map { $0 <= end - header.lowerBound } ?? false
    let isComplete =
      !endsWithin && (frameCount == stated || frameCount == stated - 1 && hasAllBytes)
    // What follows the last frame that was promised is not missed.
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
