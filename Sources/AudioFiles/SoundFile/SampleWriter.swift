// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Writes the samples of a sound file, interleaved and in one layout. Hides the header and the codec.
protocol SampleWriter: AnyObject {
  /// The layout of the samples that `write` accepts.
  var layout: SampleLayout { get }

  /// Whether the writer encodes, so that its own thread pays off. Plain samples are written faster than passed to a
  /// thread.
  var encodes: Bool { get }

  /// The bits of a sample that the codec keeps if the layout has more. Samples must be scaled by 2^(bits − layout's
  /// bits), so that the layout's quantisation step equals the codec's.
  var significantBits: Int? { get }

  /// The samples clipped to `significantBits`.
  var clippedSamples: Int { get }

  /// The stored sample frames, including the stored part of a failed `write`.
  var sampleFrames: Int64 { get }

  /// After a failure and `finish`: the sample frames that the file's header states, if it could still be changed.
  var keptSampleFrames: Int64 { get }

  /// Appends `sampleFrames` of silence if this is free: a hole in a file.
  ///
  /// - Returns: whether it appended the silence.
  func appendSilence(_ sampleFrames: Int64) throws(AudioError) -> Bool

  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus

  /// Makes the file complete in its present state if its header can be changed.
  func updateHeader() throws(AudioError)

  /// Marks a sample of the file if its container supports marks.
  ///
  /// The position is in samples per channel at `sampleRate`, not at the file's own rate.
  func mark(_ position: Int64, at sampleRate: Int, label: String)

  /// Completes the file. May be called again after a failure.
  func finish() throws(AudioError)
}

extension SampleWriter {
  func appendSilence(_ sampleFrames: Int64) throws(AudioError) -> Bool { false }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {}
}

/// Writes samples without a codec: to a WAV file, or one without a header.
final class PlainSampleWriter: SampleWriter {
  let layout: SampleLayout
  let encodes = false
  let significantBits: Int? = nil
  let clippedSamples = 0
  private let descriptor: FileDescriptor
  private var header: WaveHeaderWriter?
  private var cues: WaveCues
  /// The chunks behind the samples that are known from the start.
  private var behind: [UInt8]
  /// The places for the length in the chunks, and the factor of time that it does not count.
  private let placesOfLength: (front: Int?, behind: Int?)
  private let expansion: Int
  private let bytesPerFrame: Int
  /// The most bytes of one write. A value larger than a block is for a reader of fixed pieces.
  var largestStep = FileDescriptor.blockSize
  /// The start of the sound file within the file.
  private let base: Int64
  private var headerSize: Int64 = 0
  private var dataBytes: Int64 = 0
  private var isReaderGone = false
  /// The sample frames that the header states.
  private var statedSampleFrames: Int64 = 0
  private var isPadded = false

  /// The largest metadata before the samples for which both sizes change in one write, so that no failure can separate
  /// them. A recording has less.
  private static var largestFrontInOneWrite: Int { 1 << 16 }

  /// - Parameter header: nil for a headerless file.
  init(
    _ descriptor: FileDescriptor, _ layout: SampleLayout, channelCount: Int,
    header: WaveHeaderWriter?, _ metadata: WrittenMetadata = WrittenMetadata()
  ) throws(AudioError) {
    self.descriptor = descriptor
    behind = metadata.behind
    placesOfLength = metadata.placesOfLength
    expansion = metadata.expansion
    cues = WaveCues(metadata.markers)
    self.layout = layout
    self.header = header
    bytesPerFrame = layout.bytesPerSample * channelCount
    base = descriptor.position
    guard let header else { return }
    let bytes = header.bytes(dataBytes: header.isPatchable ? 0 : nil)
    headerSize = Int64(bytes.count)
    isReaderGone = try descriptor.write(bytes) == .readerGone
  }

  /// Replaces the chunks before the samples by others of equal length.
  func restate(_ metadata: WrittenMetadata) throws(AudioError) {
    guard var header, header.isPatchable, header.front.count == metadata.front.count else { return }
    header.front = metadata.front
    self.header = header
    try descriptor.write(header.bytes(dataBytes: 0), at: base)
  }

  var sampleFrames: Int64 { dataBytes / Int64(bytesPerFrame) }

  var keptSampleFrames: Int64 {
    header?.isPatchable == true ? statedSampleFrames : sampleFrames
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    guard !isReaderGone else { return .readerGone }
    let status = try unsafe descriptor.writeAll(bytes, inStepsOf: largestStep) {
      dataBytes += Int64($0)
    }
    isReaderGone = status == .readerGone
    return status
  }

  func appendSilence(_ sampleFrames: Int64) throws(AudioError) -> Bool {
    let byteCount = sampleFrames * Int64(bytesPerFrame)
    guard layout.encoding.silenceIsZero, try descriptor.appendHole(byteCount) else { return false }
    dataBytes += byteCount
    return true
  }

  func updateHeader() throws(AudioError) {
    guard let header, header.isPatchable else { return }
    let whole = sampleFrames * Int64(bytesPerFrame)
    let (head, data) = header.parts(dataBytes: whole)
    if header.front.count <= Self.largestFrontInOneWrite {
      try descriptor.write(head + header.front + data, at: base)
    } else {
      try descriptor.write(data, at: base + headerSize - Int64(data.count))
      try descriptor.write(head, at: base)
    }
    statedSampleFrames = sampleFrames
  }

  func finish() throws(AudioError) {
    guard let header, !isReaderGone else { return }
    if header.isPatchable {
      let whole = sampleFrames * Int64(bytesPerFrame)
      if whole < dataBytes {
        // A full disk stored only a part of a sample frame.
        dataBytes = whole
        try descriptor.cut(at: base + headerSize + whole)
      }
      try stateLength()
      try updateHeader()
    }
    if dataBytes & 1 == 1, !isPadded {
      _ = try descriptor.write([0])
      isPadded = true
    }
    try writeBehind()
  }

  /// Writes the length of the sound into the metadata.
  private func stateLength() throws(AudioError) {
    guard let rate = header?.format.sampleRate else { return }
    let text = GuanoText.statement(of: sampleFrames, at: rate, expansion: expansion)
    if let place = placesOfLength.behind {
      behind.replaceSubrange(place..<place + text.count, with: text)
    }
    guard let place = placesOfLength.front else { return }
    header?.front.replaceSubrange(place..<place + text.count, with: text)
    let head = header?.parts(dataBytes: 0).head.count ?? 0
    try descriptor.write(text, at: base + Int64(head + place))
  }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    guard let header, header.isPatchable else { return }
    let own = AudioTime.nearest(position, from: sampleRate, to: header.format.sampleRate)
    _ = cues.append(position: own, label: label)
  }

  /// Writes the chunks behind the samples. A file that ends before them is complete without them.
  private func writeBehind() throws(AudioError) {
    guard let header, header.isPatchable, header.trailingBytes == 0 else { return }
    let chunks = behind + cues.chunks(header.layout.byteOrder, length: sampleFrames)
    guard !chunks.isEmpty, try descriptor.append(chunks) == .accepted else { return }
    self.header?.trailingBytes = Int64(chunks.count)
    try updateHeader()
  }

  /// The writer of a plain WAV file (of any kind) or headerless file; nil for every other format.
  convenience init?(
    _ descriptor: FileDescriptor, _ file: FileFormat, _ format: StreamFormat,
    largestRIFFSize: Int64,
    _ metadata: WrittenMetadata = WrittenMetadata()
  ) throws(AudioError) {
    guard let writing = file.container.row.ownWriting else { return nil }
    let preferred: ByteOrder = if case .wave = writing { .little } else { .native }
    guard let layout = file.layout(preferring: preferred) else { return nil }
    var header: WaveHeaderWriter?
    if case .wave(let isAlwaysExtensible, let isAlways64Bit) = writing {
      header = WaveHeaderWriter(
        format: format, layout: layout, isAlwaysExtensible: isAlwaysExtensible,
        isAlways64Bit: isAlways64Bit, isPatchable: descriptor.isPatchable,
        largestRIFFSize: largestRIFFSize, front: metadata.front,
        channelLayout: metadata.channelLayout)
    }
    try self.init(
      descriptor, layout, channelCount: format.channelCount, header: header, metadata)
  }
}

extension FileFormat {
  /// Starts a file and returns its writer.
  ///
  /// - Parameter largestRIFFSize: the largest size of a WAV file. A larger one becomes RF64.
  /// - Throws: `unsupported` if the container cannot be streamed, or libsndfile refuses; `inputOutput`.
  func writer(
    to descriptor: FileDescriptor, _ format: StreamFormat, _ metadata: WrittenMetadata,
    largestRIFFSize: Int64
  ) throws(AudioError) -> any SampleWriter {
    guard descriptor.isPatchable || canBeStreamed else {
      throw AudioError(
        .unsupported, cannot: "write to", descriptor.name,
        because: "\(container.rawValue) can only be written to a file",
        advice: "use wav, au, flac, ogg, opus, mp3 or raw here")
    }
    if let writer = try PlainSampleWriter(
      descriptor, self, format, largestRIFFSize: largestRIFFSize, metadata)
    {
      return writer
    }
    let writer = try SndfileSampleWriter(descriptor, self, format, metadata)
    return metadata.channelOrder.map { ReorderingWriter(writer, $0) } ?? writer
  }
}

extension SampleEncoding {
  /// Whether the bytes of a sample of 0 are 0.
  fileprivate var silenceIsZero: Bool { [.s8, .s16, .s24, .s32, .f32, .f64].contains(self) }
}
