// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// Reads samples through libsndfile, which decodes them if necessary.
///
/// Plain samples are read unchanged. Integer codecs return 32-bit integers with the sample's bits at the top, which is
/// exact. Floating-point codecs return `f32`.
final class SndfileSampleReader: SampleReader {
  let layout: SampleLayout
  let encoding: SampleEncoding
  private let handle: SndfileHandle
  private let isRaw: Bool
  private let channelCount: Int
  private var failure: AudioError?
  /// The bytes of samples still to read.
  private var remaining = Int64.max
  /// The samples per channel still to drop at the start.
  private var leadingSamples: Int64
  /// Whether the rate may change within the stream, and the samples per channel read so far.
  private let mayChange: Bool
  private var position: Int64 = 0

  /// - Parameter leadingSamples: the samples per channel to drop at the start.
  /// - Throws: `unsupported` for an unknown encoding; `inputOutput`.
  init(
    _ handle: SndfileHandle, _ container: Container, leavingOut leadingSamples: Int64 = 0
  ) throws(AudioError) {
    self.leadingSamples = leadingSamples
    let information = handle.information
    guard let encoding = SampleEncoding(format: information.format) else {
      throw AudioError(
        .unsupported, cannot: "read", handle.name, because: "its encoding is not known here")
    }
    self.handle = handle
    self.encoding = encoding
    channelCount = Int(information.channels)
    mayChange = container == .flac
    if mayChange { handle.storage?.watchFrames(sampleRate: Int(information.samplerate)) }
    let order = try handle.byteOrder(to: "read")
    if let plain = SampleLayout(encoding, order), container.storesPlainSamples(encoding) {
      isRaw = true
      layout = plain
    } else {
      isRaw = false
      layout = SampleLayout(encoding.isFloatCodec ? .f32 : .s32)
    }
  }

  /// The rate in hertz and the number of channels that libsndfile found.
  var format: (sampleRate: Int, channelCount: Int) {
    (Int(handle.information.samplerate), channelCount)
  }

  /// Limits further reads to `sampleFrames`, for containers in which libsndfile finds too many samples.
  func limit(to sampleFrames: Int64) {
    remaining = sampleFrames * Int64(layout.bytesPerSample * channelCount)
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let bytesPerFrame = layout.bytesPerSample * channelCount
    while leadingSamples > 0 {
      let most = Int(min(leadingSamples, Int64(bytes.count / bytesPerFrame)))
      let part = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<(most * bytesPerFrame)])
      let count = try unsafe readSome(into: part)
      if count == 0 { return 0 }
      leadingSamples -= Int64(count / bytesPerFrame)
    }
    return try unsafe readSome(into: bytes)
  }

  /// The corresponding C functions are `sf_read_raw`, `sf_readf_int` and `sf_readf_float`.
  private func readSome(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let bytesPerFrame = layout.bytesPerSample * channelCount
    let sampleFrames = bytes.count / bytesPerFrame
    if let failure { throw failure }
    var byteCount = 0
    do throws(AudioError) {
      try unsafe read(sampleFrames, bytesPerFrame, into: bytes, &byteCount)
    } catch {
      // A decoder's error at the end of the bytes is the end: the file is shorter than it claims.
      if let storage = handle.storage, storage.failure == nil, storage.isAtEnd { return byteCount }
      // The error follows the samples read before it.
      guard byteCount > 0 else { throw error }
      failure = error
    }
    return mayChange ? try upToChange(byteCount, bytesPerFrame) : byteCount
  }

  /// The bytes read before a rate change. Reading behind it throws.
  private func upToChange(_ byteCount: Int, _ bytesPerFrame: Int) throws(AudioError) -> Int {
    let start = position
    position += Int64(byteCount / bytesPerFrame)
    guard let change = handle.storage?.rateChange, change.position < position else {
      return byteCount
    }
    var error = AudioError(
      .malformed, cannot: "read", handle.name,
      because: "its sample rate changes from \(handle.information.samplerate) to"
        + " \(change.sampleRate) Hz after \(change.position) samples per channel",
      advice: AudioError.ffmpegWouldDecode)
    error.keepsWhatCame = true
    failure = error
    guard change.position > start else { throw error }
    position = change.position
    return Int(change.position - start) * bytesPerFrame
  }

  private func read(
    _ sampleFrames: Int, _ bytesPerFrame: Int, into bytes: UnsafeMutableRawBufferPointer,
    _ byteCount: inout Int
  ) throws(AudioError) {
    try unsafe handle.perform("read") { file in
      guard let start = bytes.baseAddress else { return }
      if isRaw {
        let wanted = min(Int64(sampleFrames * bytesPerFrame), remaining)
        guard wanted > 0 else { return }
        byteCount = unsafe Int(sf_read_raw(file, start, wanted))
        remaining -= Int64(byteCount)
        return
      }
      let wanted = min(Int64(sampleFrames), remaining / Int64(bytesPerFrame))
      guard wanted > 0 else { return }
      let count =
        switch layout.storage {
        case .f32: unsafe sf_readf_float(file, start.assumingMemoryBound(to: Float.self), wanted)
        default: unsafe sf_readf_int(file, start.assumingMemoryBound(to: Int32.self), wanted)
        }
      byteCount = Int(count) * bytesPerFrame
      if remaining < .max { remaining -= Int64(byteCount) }
    }
  }

  /// Lossy codecs are decoded instead of seeking: their samples after a seek would differ.
  ///
  /// The corresponding C function is `sf_seek`.
  func skip(sampleFrames: Int64) throws(AudioError) -> Bool {
    guard handle.information.seekable != 0, !encoding.isLossy else { return false }
    let end = handle.information.frames
    let sampleFrames = min(
      sampleFrames, remaining / Int64(layout.bytesPerSample * channelCount))
    let passed = try unsafe handle.perform("read") { file in
      let here = unsafe sf_seek(file, 0, SEEK_CUR)
      guard here >= 0 else { return here }
      return unsafe sf_seek(file, min(here + min(sampleFrames, end), end), SEEK_SET) - here
    }
    guard passed >= 0 else { return false }
    position += passed
    if remaining < .max { remaining -= passed * Int64(layout.bytesPerSample * channelCount) }
    return true
  }
}

extension Container {
  /// Whether this container stores samples of a plain `encoding` one after the other, so that libsndfile can return
  /// their bytes. Verified for each with libsndfile 1.2.0.
  package func storesPlainSamples(_ encoding: SampleEncoding) -> Bool {
    encoding.bytesPerSample != nil && !row.packed.contains(encoding)
  }
}
