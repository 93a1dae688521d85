// SPDX-License-Identifier: Apache-2.0
/// Reads one MPEG stream through libsndfile, and skips samples without decoding them.
///
/// A decoder that starts in the middle returns other samples at first. Here, a new one starts some frames before the
/// first wanted sample, at a place from which on it returns the samples, bit for bit, of a decoder that has read
/// everything before.
final class MpegSampleReader: SampleReader {
  let layout: SampleLayout
  private var decoder: SndfileSampleReader
  private let format: (sampleRate: Int, channelCount: Int)
  private let stream: MpegStream
  private let file: FileDescriptor
  private let bytesPerFrame: Int
  private var walk: MpegFrameWalk
  /// In samples per channel, without those dropped at the start.
  private var position: Int64 = 0

  /// The frames from which on a new decoder pays: it decodes up to 30 more.
  private static let leastFrames: Int64 = 64

  /// - Parameter decoder: the decoder of the whole stream, at its start.
  init(_ decoder: SndfileSampleReader, of stream: MpegStream, in file: FileDescriptor) {
    self.decoder = decoder
    self.stream = stream
    self.file = file
    layout = decoder.layout
    format = decoder.format
    bytesPerFrame = layout.bytesPerSample * format.channelCount
    walk = MpegFrameWalk(stream)
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let count = try unsafe decoder.read(into: bytes)
    position += Int64(count / bytesPerFrame)
    return count
  }

  func skip(sampleFrames: Int64) throws(AudioError) -> Bool {
    let size = Int64(stream.first.sampleCount)
    let (target, overflows) = position.addingReportingOverflow(sampleFrames)
    // With a longer delay, libmpg123 does not decode the first frames.
    guard !overflows, sampleFrames >= Self.leastFrames * size, target < stream.samplesPerChannel,
      stream.droppedSamples < 4 * size
    else { return false }
    let decoded = target + stream.droppedSamples
    guard let restart = try walk.restart(before: decoded / size) else { return false }
    let leading = decoded - restart.number * size
    guard let next = try? decoder(from: restart, leavingOut: leading) else { return false }
    next.limit(to: stream.samplesPerChannel - target + leading)
    decoder = next
    position = target
    return true
  }

  /// - Returns: nil if libsndfile finds another format there.
  private func decoder(
    from restart: MpegFrameWalk.Restart, leavingOut leading: Int64
  ) throws(AudioError) -> SndfileSampleReader? {
    var view = SndfileView(mpeg: restart.parts, isEstimated: true)
    view.replacement = PlacedBytes(offset: 0, bytes: restart.beginning)
    let next = try SndfileSampleReader(
      SndfileHandle.ofKnownKind(file, seeing: view), .mp3, leavingOut: leading)
    return next.format == format && next.layout == layout ? next : nil
  }
}

extension SndfileView {
  /// Whole frames of an MPEG stream.
  ///
  /// - Parameter isEstimated: whether libmpg123 estimates the length from the first frame. No frame is 64 times as large
  ///   as another, so the estimate is then never too small.
  init(mpeg parts: [Range<Int64>], isEstimated: Bool) {
    let length = parts.reduce(0) { $0 + Int64($1.count) }
    self.init(
      parts: parts, pretendedLength: isEstimated ? length * 64 + 128 : nil, hidesLength: true)
  }
}
