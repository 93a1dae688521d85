// SPDX-License-Identifier: Apache-2.0
/// A sink that quantises samples as a file would, keeps their MD5 and their count, and drops them.
///
/// Session thread only.
package final class DigestSink: AudioSink {
  package let encoding: SampleEncoding
  private let sampleRate: Int?
  private let channelCount: Int?
  private let dither: Dither
  private var encoder: SampleEncoder?
  /// The digest of ``SoundFileSink/sampleDigest``, once `stop` has ended the stream; nil for an encoding that stores no
  /// samples.
  package private(set) var sampleDigest: [UInt8]?

  /// - Parameters:
  ///   - encoding: the samples' encoding in the digest.
  ///   - sampleRate: in hertz; nil = the stream's.
  ///   - channelCount: nil = the stream's.
  package init(
    _ encoding: SampleEncoding, sampleRate: Int?, channelCount: Int?, dither: Dither
  ) {
    self.encoding = encoding
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.dither = dither
  }

  package var precision: SamplePrecision { encoding.precision }
  package var room: Int { .max }
  package var clippedSamples: Int { encoder?.clippedSamples ?? 0 }
  package var notANumberSamples: Int { encoder?.notANumberSamples ?? 0 }

  package func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat {
    let format = try proposal.with(sampleRate: sampleRate, channelCount: channelCount)
    guard let layout = SampleLayout(encoding, .little) else { return format }
    let encoder = SampleEncoder(
      DroppingWriter(layout, channelCount: format.channelCount), channelCount: format.channelCount,
      dither: dither)
    encoder.digest = SampleDigest(encoding, layout: layout, significantBits: nil)
    self.encoder = encoder
    return format
  }

  package func write<Sample: AudioSample>(
    _ samples: Span<Sample>
  ) throws(AudioError) -> SinkStatus {
    try encoder?.write(samples) ?? .accepted
  }

  package func stop(_ reason: StopReason) throws(AudioError) {
    guard let encoder, sampleDigest == nil else { return }
    try encoder.complete()
    sampleDigest = encoder.digest?.finish()
  }

  package func dispose() {}
}

/// Counts samples.
private final class DroppingWriter: SampleWriter {
  let layout: SampleLayout
  let encodes = false
  let significantBits: Int? = nil
  let clippedSamples = 0
  private(set) var sampleFrames: Int64 = 0
  var keptSampleFrames: Int64 { sampleFrames }
  private let bytesPerFrame: Int

  init(_ layout: SampleLayout, channelCount: Int) {
    self.layout = layout
    bytesPerFrame = layout.bytesPerSample * channelCount
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    sampleFrames += Int64(bytes.count / bytesPerFrame)
    return .accepted
  }

  func updateHeader() throws(AudioError) {}
  func finish() throws(AudioError) {}
}
