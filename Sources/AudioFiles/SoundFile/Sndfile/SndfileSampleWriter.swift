// SPDX-License-Identifier: Apache-2.0
internal import CSndfile
import Glibc

/// Writes samples through libsndfile, which encodes them if necessary.
///
/// libsndfile never quantises: it gets plain samples as bytes, and integers that already have the codec's precision.
final class SndfileSampleWriter: SampleWriter {
  let layout: SampleLayout
  let encodes = true
  let significantBits: Int?
  private(set) var clippedSamples = 0
  private let handle: SndfileHandle
  private let descriptor: FileDescriptor
  private let channelCount: Int
  private let file: FileFormat
  private let metadata: WrittenMetadata
  private var cues: WaveCues
  private(set) var sampleFrames: Int64 = 0
  /// The samples per channel that the header last stated.
  private var statedSampleFrames: Int64 = 0
  private var integers: [Int32] = []
  private var floats: [Float] = []
  /// nil for all but FLAC files.
  private var flacLength: FlacLength?
  /// Whether the encoder failed to write its last block.
  private var isCutShort = false
  private var isComplete = false

  /// - Throws: `unsupported` if libsndfile refuses the format; `inputOutput`.
  init(
    _ descriptor: FileDescriptor, _ file: FileFormat, _ format: StreamFormat,
    _ metadata: WrittenMetadata = WrittenMetadata()
  ) throws(AudioError) {
    self.metadata = metadata
    cues = WaveCues(metadata.markers)
    if !metadata.front.isEmpty { _ = try descriptor.write(metadata.front) }
    let information = SF_INFO(
      sampleRate: format.sampleRate, channelCount: format.channelCount, format: file.format)
    let handle = try SndfileHandle(
      descriptor, mode: SFM_WRITE, information,
      seeing: SndfileView(
        largestSize: file.container.row.countsIn32Bits ? Int64(UInt32.max) : nil,
        rewriter: metadata.rewriter),
      streamsItself: file.container != .flac && metadata.rewriter == nil)
    self.handle = handle
    self.file = file
    self.descriptor = descriptor
    channelCount = format.channelCount
    if let (level, mode) = try file.encoderLevel(for: format) {
      try handle.encode(at: level, mode)
    }
    if file.container == .flac, let storage = handle.storage {
      flacLength = FlacLength(descriptor, from: storage.base)
    }
    if file.container.storesPlainSamples(file.encoding) {
      let order = try handle.byteOrder(to: "write to")
      guard let plain = SampleLayout(file.encoding, order) else {
        throw AudioError(
          .unsupported, cannot: "write to", descriptor.name, because: "it is not plain")
      }
      layout = plain
      significantBits = nil
    } else if file.encoding.isFloatCodec {
      layout = SampleLayout(.f32)
      significantBits = nil
    } else {
      significantBits = file.encoding.significantBits
      layout = SampleLayout(file.encoding.significantBits > 24 ? .s32 : .s24In32)
    }
  }

  /// The corresponding C functions are `sf_write_raw`, `sf_writef_int` and `sf_writef_float`.
  ///
  /// A codec gets few samples at a time, so that a full disk loses few, and the number of stored ones is known.
  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    let bytesPerFrame = layout.bytesPerSample * channelCount
    let isPlain = significantBits == nil && !file.encoding.isFloatCodec
    var start = 0
    while start < bytes.count {
      let most = handle.isBeginning ? 4_096 : bytes.count
      let step = isPlain ? max(most / bytesPerFrame, 1) * bytesPerFrame : 4_096 * bytesPerFrame
      let end = min(bytes.count, start + step)
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
      if try unsafe store(part) == .readerGone { return .readerGone }
      start = end
    }
    return .accepted
  }

  private func store(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    let before = handle.storage?.length ?? 0
    var stored = 0
    do throws(AudioError) {
      let count = bytes.count / (layout.bytesPerSample * channelCount)
      if significantBits != nil { unsafe justify(bytes) }
      if file.encoding.isFloatCodec { unsafe limit(bytes) }
      let taken = try unsafe handle.perform("write to") { file in
        guard let start = bytes.baseAddress else { return count }
        if significantBits != nil {
          return unsafe integers.withUnsafeBufferPointer { values in
            unsafe Int(sf_writef_int(file, values.baseAddress, Int64(count)))
          }
        }
        if self.file.encoding.isFloatCodec {
          return unsafe floats.withUnsafeBufferPointer { values in
            unsafe Int(sf_writef_float(file, values.baseAddress, Int64(count)))
          }
        }
        stored = unsafe max(0, Int(sf_write_raw(file, start, Int64(bytes.count))))
        return stored == bytes.count ? count : -1
      }
      sampleFrames += Int64(max(0, taken))
      guard taken == count else {
        throw AudioError(
          .inputOutput, cannot: "write to", descriptor.name,
          because: "libsndfile took only a part")
      }
      return .accepted
    } catch {
      if descriptor.isReaderGone { return .readerGone }
      keepWhatFitted(stored, behind: before)
      throw error
    }
  }

  var keptSampleFrames: Int64 {
    let isBehind = handle.storage?.isHeaderBehind == true || isCutShort
    return isBehind ? statedSampleFrames : sampleFrames
  }

  /// Ends the file with its last whole sample frame or block after a partial write.
  private func keepWhatFitted(_ byteCount: Int, behind size: Int64) {
    let bytesPerFrame = layout.bytesPerSample * channelCount
    let whole = byteCount / bytesPerFrame
    handle.storage?.truncate(to: size + Int64(whole * bytesPerFrame))
    sampleFrames += Int64(whole)
    if flacLength != nil {
      // The encoder loses the rest.
      let stored = try? flacLength?.storedSampleFrames(of: sampleFrames)
      sampleFrames = stored ?? statedSampleFrames
      isCutShort = true
    }
  }

  /// The corresponding C command is `SFC_UPDATE_HEADER_NOW`.
  func updateHeader() throws(AudioError) {
    guard handle.storage != nil else { return }
    try unsafe handle.perform("write to") { file in
      _ = unsafe sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    }
    guard flacLength != nil else {
      statedSampleFrames = sampleFrames
      return
    }
    if let length = try flacLength?.storedSampleFrames(of: sampleFrames) { try state(length) }
  }

  /// States `length` samples per channel in a FLAC file's header.
  private func state(_ length: Int64) throws(AudioError) {
    try flacLength?.state(length)
    statedSampleFrames = length
  }

  func finish() throws(AudioError) {
    let before = handle.storage?.length ?? 0
    do throws(AudioError) {
      try handle.close()
      try handle.storage?.writeRest()
      try writeEmptyFlac()
      try correctHeader()
    } catch {
      // libFLAC writes no length after a failure.
      if flacLength != nil, !isCutShort { keepWhatFitted(0, behind: before) }
      if isCutShort { try state(sampleFrames) }
      // A full disk still takes changes to existing bytes.
      try? correctHeader()
      if !descriptor.isReaderGone { throw error }
    }
    if descriptor.isRegular {
      // Virtual i/o did not move the position. A program that shares the descriptor continues at the end.
      lseek(descriptor.number, 0, SEEK_END)
    }
    try stateEnd()
    try stateLength()
    try writeBehind()
  }

  /// Writes the end of the sound, in milliseconds, into the metadata in front.
  private func stateEnd() throws(AudioError) {
    guard let place = metadata.placeOfEnd, let storage = handle.storage, descriptor.isPatchable
    else { return }
    let rate = Int64(handle.information.samplerate)
    try descriptor.write(
      sampleFrames * 1_000 / rate, 4, .big,
      at: storage.base - Int64(metadata.front.count - place))
  }

  /// Writes the length of the sound into a FLAC file's comments.
  private func stateLength() throws(AudioError) {
    guard let place = (metadata.rewriter as? FlacRewriter)?.placeOfLength,
      let storage = handle.storage, descriptor.isPatchable
    else { return }
    let text = GuanoText.statement(
      of: sampleFrames, at: Int(handle.information.samplerate), expansion: metadata.expansion)
    try descriptor.write(text, at: storage.base + place)
  }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    guard file.metadataFamily?.riffOrder != nil else { return }
    let rate = Int(handle.information.samplerate)
    _ = cues.append(
      position: AudioTime.nearest(position, from: sampleRate, to: rate), label: label)
  }

  /// Writes the metadata behind the samples, once.
  private func writeBehind() throws(AudioError) {
    guard descriptor.isPatchable, !isComplete else { return }
    isComplete = true
    let order = file.metadataFamily?.riffOrder
    var behind = metadata.behind
    if let place = metadata.placesOfLength.behind {
      let text = GuanoText.statement(
        of: sampleFrames, at: Int(handle.information.samplerate), expansion: metadata.expansion)
      behind.replaceSubrange(place..<place + text.count, with: text)
    }
    if let order { behind += cues.chunks(order, length: sampleFrames) }
    guard !behind.isEmpty else { return }
    let base = handle.storage?.base ?? 0
    let isCounted = file.container.row.countsPiecesBehind
    let isOdd = try (descriptor.size() - base) & 1 == 1
    let padding: [UInt8] = isCounted && isOdd ? [0] : []
    _ = try descriptor.append(padding + behind)
    if isCounted {
      try descriptor.write(try descriptor.size() - base - 8, 4, order ?? .big, at: base + 4)
    }
  }

  /// Writes the length into the header if libsndfile 1.2.0 states a wrong one, or none.
  private func correctHeader() throws(AudioError) {
    guard let storage = handle.storage, descriptor.isPatchable else { return }
    try file.container.row.correctHeader?(
      WrittenSamples(
        descriptor: descriptor, base: storage.base, header: storage.head, encoding: file.encoding,
        channelCount: channelCount, bytesPerSample: layout.bytesPerSample,
        sampleFrames: sampleFrames))
  }

  /// Writes a header if there was no sample, because libFLAC then writes nothing. A failing disk may have left a part
  /// of its header.
  private func writeEmptyFlac() throws(AudioError) {
    guard file.container == .flac, let storage = handle.storage,
      storage.length < (descriptor.isPatchable ? FlacLength.emptySize : 1)
    else { return }
    let format = try StreamFormat(
      sampleRate: Int(handle.information.samplerate), channelCount: channelCount)
    var bytes = FlacLength.emptyFile(format, significantBits: file.encoding.significantBits)
    if let rewritten = try metadata.rewriter?.rewritten(bytes, at: 0) {
      bytes = rewritten.flatMap(\.bytes)
    }
    if descriptor.isRegular {
      try descriptor.write(bytes, at: storage.base)
    } else {
      _ = try descriptor.write(bytes)
    }
  }

  /// Limits values for the encoders: NaN becomes silence, and values above 96 dB over full scale saturate. Encoders that
  /// lower the level get higher values.
  ///
  /// LAME 3.100 aborts the process at infinity, NaN and values from 10⁸ on. libvorbis 1.3.7 silences a second around
  /// them.
  private func limit(_ bytes: UnsafeRawBufferPointer) {
    let highest: Float = 0x1p16
    let factor = file.encoderFactor
    floats.removeAll(keepingCapacity: true)
    for index in 0..<bytes.count / 4 {
      let value = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
      let limited = value.isNaN ? 0 : min(max(value, -highest), highest)
      // Infinite values and NaN were counted before.
      if limited != value, value.isFinite { clippedSamples += 1 }
      floats.append(limited * factor)
    }
  }

  /// Saturates at the codec's precision, and moves the bits to the top as libsndfile requires.
  private func justify(_ bytes: UnsafeRawBufferPointer) {
    let bits = significantBits ?? 32
    let highest = Int32((Int64(1) << (bits - 1)) - 1)
    integers.removeAll(keepingCapacity: true)
    for index in 0..<bytes.count / 4 {
      let value = unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)
      let saturated = min(max(value, -highest - 1), highest)
      if saturated != value { clippedSamples += 1 }
      integers.append(saturated << (32 - bits))
    }
  }
}
