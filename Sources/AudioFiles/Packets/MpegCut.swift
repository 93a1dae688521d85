// SPDX-License-Identifier: Apache-2.0
/// A part of a stream of MPEG audio, cut at frames, whose encoder's header hides the samples in front of it and behind
/// it.
///
/// A frame of layer III needs the overlap of the granule before, and bytes of earlier frames. So a frame or two stand in
/// front of the first wanted one, and in front of these a silent frame that holds the bytes. Source: ISO/IEC 11172-3,
/// sections 2.4.2.7 and 2.4.3.4.
struct MpegCut {
  /// The encoder's header, and the silent frame.
  let beginning: [UInt8]
  /// The places of the frames in the file.
  let parts: [Range<Int64>]

  private struct Frame {
    let place: Int64
    let header: MpegFrameHeader
    var end: Int64 { place + Int64(header.byteCount) }
  }

  /// - Parameter samples: the wanted ones, in samples per channel, without those that decoders drop.
  /// - Throws: `unsupported` for layers I and II.
  init(
    _ stream: MpegStream, _ samples: Range<Int64>, named name: String
  ) throws(AudioError) {
    let first = stream.first
    guard first.isLayer3 else {
      throw AudioError(
        .unsupported, cannot: "cut the packets of", name,
        because: "only layer III states where its sound begins", advice: "leave --copy out")
    }
    let (header, frames) = try Self.frames(of: stream)
    let size = Int64(first.sampleCount)
    let start = samples.lowerBound + stream.droppedSamples
    let end = samples.upperBound + stream.droppedSamples
    let wanted = min(start / size, Int64(frames.count))
    // The overlap of a granule, and 15 of the 18 slots of a granule before: two granules.
    let lead = min(wanted, first.isFirstVersion ? 1 : 2)
    let kept = frames[Int(wanted - lead)..<min(frames.count, Int((end + size - 1) / size))]
    var parts: [Range<Int64>] = []
    for frame in kept {
      if let last = parts.last, last.upperBound == frame.place {
        parts[parts.count - 1] = last.lowerBound..<frame.end
      } else {
        parts.append(frame.place..<frame.end)
      }
    }
    self.parts = parts
    // ffmpeg takes two frames for one stream only if their channel modes are equal, too.
    let model = kept.first?.header ?? first
    let silent = try Self.silentFrame(
      holding: Self.mainData(in: stream.window, before: kept.startIndex, of: frames), model)
    let hidden = (1 + lead) * size + start - wanted * size
    let all = Int64(kept.count + 1) * size
    let sizes = [silent.count] + kept.map(\.header.byteCount)
    let tag = MpegEncoderTag(
      delay: Int(hidden) - MpegEncoderHeader.decoderDelay,
      padding: Int(all - hidden - (end - start)) + MpegEncoderHeader.decoderDelay,
      isConstant: !frames.contains { $0.header.bitRate != model.bitRate },
      name: header.flatMap(MpegEncoderTag.name))
    beginning = tag.frame(like: model, sizes) + silent
  }

  /// The frames of sound, and the bytes of the encoder's header.
  private static func frames(
    of stream: MpegStream
  ) throws(AudioError) -> (header: [UInt8]?, frames: [Frame]) {
    var frames: [Frame] = []
    var tag: [UInt8]?
    for part in stream.parts {
      var place = part.lowerBound
      while place < part.upperBound {
        let bytes = try stream.window.bytes(4, at: place)
        guard let header = MpegFrameHeader(bytes), header.belongs(to: stream.first) else { break }
        if frames.isEmpty, tag == nil {
          let whole = try stream.window.bytes(header.byteCount, at: place)
          if MpegEncoderHeader(whole, header) != nil { tag = whole }
          if tag == nil { frames.append(Frame(place: place, header: header)) }
        } else {
          frames.append(Frame(place: place, header: header))
        }
        place += Int64(header.byteCount)
      }
    }
    return (tag, frames)
  }

  /// The last bytes in front of a frame to which it and later frames may refer.
  private static func mainData(
    in window: FileWindow, before index: Int, of frames: [Frame]
  ) throws(AudioError) -> [UInt8] {
    guard index > 0, let first = frames.first else { return [] }
    let most = first.header.isFirstVersion ? 511 : 255
    var bytes: [UInt8] = []
    for frame in frames[..<index].reversed() where bytes.count < most {
      let whole = try window.bytes(frame.header.byteCount, at: frame.place)
      bytes = whole.dropFirst(frame.header.sideInformation.upperBound) + bytes
    }
    return bytes.suffix(most)
  }

  private static func silentFrame(holding bytes: [UInt8], _ first: MpegFrameHeader) -> [UInt8] {
    let head = first.sideInformationSize + 4
    guard let (word, header) = first.sized(atLeast: head + bytes.count) else { return [] }
    let filling = [UInt8](repeating: 0, count: header.byteCount - 4 - bytes.count)
    return MpegSideInformation.silence(word + filling + bytes, header, mainDataBegin: 0)
  }
}
