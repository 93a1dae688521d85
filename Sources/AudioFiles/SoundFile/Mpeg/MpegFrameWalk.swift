// SPDX-License-Identifier: Apache-2.0
/// Walks through the frames of an MPEG stream by their headers, without decoding them.
///
/// It stops at a frame of which the decoder would return no samples, or others than a decoder that starts later:
/// libmpg123's window then moves on less far, and the rounding of all later samples depends on that. Damage inside a
/// frame's main data does not show: behind it, samples may differ by their rounding, which is below 2^-23.
struct MpegFrameWalk {
  /// A place at which a new decoder starts, and returns the samples of a decoder that has read all frames before.
  struct Restart {
    /// The frame's number in the stream.
    var number: Int64
    /// The frames from there on.
    var parts: [Range<Int64>]
    /// The first bytes of these frames, in place of the file's.
    var beginning: [UInt8]
  }

  private struct Frame {
    var place: Int64
    /// The index of its part.
    var part: Int
    var header: MpegFrameHeader
    /// The bytes behind the side information.
    var mainDataSize: Int { header.byteCount - header.sideInformation.upperBound }
  }

  /// libmpg123 moves its window of 16 slots by 18 or 36 in a frame of layer III, by 36 in one of layer II, and by 12 in
  /// one of layer I. The window is in its first position in each frame whose number is divisible by 8.
  private static let windowPeriod: Int64 = 8
  /// The whole frames in front of the first wanted sample: the overlap of two granules and the 16 slots of the window
  /// take less than three.
  private static let warmUp: Int64 = 4
  /// The frames that are remembered: of the smallest ones, 24 bytes at 8 kbit/s, 32 fill the bit reservoir.
  private static let mostRemembered: Int64 = 64

  private let stream: MpegStream
  private var remembered: [Frame] = []
  /// The number of frames passed.
  private var count: Int64 = 0
  private var part = 0
  private var place: Int64
  /// The bytes of main data that the decoder holds by its own count, and those that belong to the last frames.
  private var (reservoir, reach) = (0, 0)
  private var isStopped = false

  init(_ stream: MpegStream) {
    self.stream = stream
    place = stream.parts.first?.lowerBound ?? 0
  }

  /// The most bytes of earlier frames that a frame refers to.
  private var fullReservoir: Int { stream.first.isFirstVersion ? 511 : 255 }

  /// Walks up to a frame, which must not lie before an earlier one.
  ///
  /// - Returns: the place to start decoding for samples from this frame on; nil if there is none.
  mutating func restart(before number: Int64) throws(AudioError) -> Restart? {
    while count <= number, !isStopped { isStopped = try !passFrame() }
    guard !isStopped else { return nil }
    let first = count - Int64(remembered.count)
    var start = (number - Self.warmUp) / Self.windowPeriod * Self.windowPeriod
    while start > first, start > 0 {
      let frames = remembered[Int(start - first)...]
      if let beginning = try beginning(frames, before: number - Self.warmUp - start) {
        let (place, part) = (frames[frames.startIndex].place, frames[frames.startIndex].part)
        let parts =
          [place..<stream.parts[part].upperBound] + stream.parts.dropFirst(part + 1)
        return Restart(number: start, parts: parts, beginning: beginning)
      }
      start -= Self.windowPeriod
    }
    return nil
  }

  /// The first of `frames`, made silent, up to the one from which on the decoder has a full reservoir.
  ///
  /// - Parameter most: the most frames that may be silent.
  /// - Returns: nil if the reservoir is not full by then.
  private func beginning(
    _ frames: ArraySlice<Frame>, before most: Int64
  ) throws(AudioError) -> [UInt8]? {
    guard stream.first.isLayer3 else { return [] }
    var bytes = [UInt8]()
    var held = 0
    for frame in frames.prefix(Int(max(0, most))) {
      if held >= fullReservoir { break }
      let found = try stream.window.bytes(frame.header.byteCount, at: frame.place)
      guard found.count == frame.header.byteCount else { return nil }
      bytes += MpegSideInformation.silence(found, frame.header, mainDataBegin: held)
      held = min(held + frame.mainDataSize, fullReservoir)
    }
    return held >= fullReservoir ? bytes : nil
  }

  /// - Returns: whether there is a next frame, and the decoder returns its samples.
  private mutating func passFrame() throws(AudioError) -> Bool {
    guard try findFrame() else { return false }
    let bytes = try stream.window.bytes(Self.headLength, at: place)
    guard let header = MpegFrameHeader(bytes), header.belongs(to: stream.first),
      place + Int64(header.byteCount) <= stream.parts[part].upperBound,
      header.byteCount >= header.sideInformation.upperBound,
      bytes.count >= header.sideInformation.upperBound
    else { return false }
    if count == 0, remembered.isEmpty, place == stream.parts[0].lowerBound,
      MpegEncoderHeader(try stream.window.bytes(header.byteCount, at: place), header) != nil
    {
      place += Int64(header.byteCount)
      return true
    }
    let frame = Frame(place: place, part: part, header: header)
    guard !header.isLayer3 || take(MpegSideInformation(bytes, header), of: frame) else {
      return false
    }
    if remembered.count >= Self.mostRemembered * 2 {
      remembered.removeFirst(Int(Self.mostRemembered))
    }
    remembered.append(frame)
    count += 1
    place += Int64(header.byteCount)
    return true
  }

  /// The bytes of the longest header, checksum and side information.
  private static let headLength = 38

  /// Moves on to the part that holds the next frame.
  private mutating func findFrame() throws(AudioError) -> Bool {
    while part < stream.parts.count, place >= stream.parts[part].upperBound {
      part += 1
      if part < stream.parts.count { place = stream.parts[part].lowerBound }
    }
    return part < stream.parts.count
  }

  /// Follows the bit reservoir.
  ///
  /// - Returns: whether the decoder has all bits of the frame.
  private mutating func take(_ side: MpegSideInformation, of frame: Frame) -> Bool {
    var (begin, bitCount) = (side.mainDataBegin, side.bitCount)
    if begin > reservoir {
      // The decoder makes the frame silent; in MPEG-2 it leaves the first length as it is.
      guard frame.header.isFirstVersion else { return false }
      (begin, bitCount) = (reservoir, 0)
    } else if !side.isValid {
      return false
    }
    guard begin <= reach, bitCount <= (begin + frame.mainDataSize) * 8 else { return false }
    reach = begin + frame.mainDataSize
    reservoir = min(reservoir + frame.mainDataSize, fullReservoir)
    return true
  }
}
