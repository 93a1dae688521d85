// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where the samples of a sound file go to, interleaved and in one layout, header and codec behind it.
protocol SampleWriter: AnyObject {
  /// How the samples that `write` takes lie.
  var layout: SampleLayout { get }

  /// Whether it encodes, so that a thread of its own is worth it: plain samples are written sooner than
  /// handed over.
  var encodes: Bool { get }

  /// How many bits of a sample the codec keeps, where the layout has more; samples come scaled by
  /// 2^(bits − layout's bits), so that the layout's quantisation step is the codec's.
  var significantBits: Int? { get }

  /// Samples that did not fit in `significantBits`.
  var clippedSamples: Int { get }

  /// The sample frames that were stored; a `write` that failed half-way counts as far as it got.
  var sampleFrames: Int64 { get }

  /// After a failure and `finish`: the sample frames that the file's header covers, as far as it could still be
  /// changed.
  var keptSampleFrames: Int64 { get }

  /// Appends so many sample frames of silence where that costs nothing: a hole in a file.
  ///
  /// - Returns: whether it did.
  func appendSilence(_ sampleFrames: Int64) throws(AudioError) -> Bool

  /// Stores whole sample frames.
  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus

  /// Makes the file complete as it is now, where it can be changed afterwards.
  func updateHeader() throws(AudioError)

  /// Marks a sample of the file, where its container has marks.
  ///
  /// The position is in samples per channel at `sampleRate`, whatever the file's own rate is.
  func mark(_ position: Int64, at sampleRate: Int, label: String)

  /// Completes the file. Where it failed it may be tried again.
  func finish() throws(AudioError)
}

extension SampleWriter {
  func appendSilence(_ sampleFrames: Int64) throws(AudioError) -> Bool { false }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {}
}

/// Samples that lie in a file as they are: a WAV file, or one without a header.
final class PlainSampleWriter: SampleWriter {
  let layout: SampleLayout
  let encodes = false
  let significantBits: Int? = nil
  let clippedSamples = 0
  private let descriptor: FileDescriptor
  private var header: WaveHeaderWriter?
  private var cues: WaveCues
  /// Chunks behind the samples that are known from the start.
  private let behind: [UInt8]
  private let bytesPerFrame: Int
  /// Bytes of one write at most; one larger than a block is for a reader that gets pieces.
  var largestStep = FileDescriptor.blockSize
  /// Where in the file we began.
  private let base: Int64
  private var headerSize: Int64 = 0
  private var dataBytes: Int64 = 0
  private var isReaderGone = false
  /// What the header covers.
  private var statedSampleFrames: Int64 = 0
  private var isPadded = false

  /// Up to so much in front of the samples both sizes change in one write, so that no failure comes between: more
  /// than a recording has there.
  private static var largestFrontInOneWrite: Int { 1 << 16 }

  /// - Parameter header: nil for a file without one.
  init(
    _ descriptor: FileDescriptor, _ layout: SampleLayout, channelCount: Int,
    header: WaveHeaderWriter?, _ metadata: WrittenMetadata = .none
  ) throws(AudioError) {
    self.descriptor = descriptor
    behind = metadata.behind
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

  /// Lets the chunks in front say something else that is as long.
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
        // A full disk took a part of a sample frame.
        dataBytes = whole
        try descriptor.cut(at: base + headerSize + whole)
      }
      try updateHeader()
    }
    if dataBytes & 1 == 1, !isPadded {
      _ = try descriptor.write([0])
      isPadded = true
    }
    try writeBehind()
  }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    guard let header, header.isPatchable else { return }
    let own = AudioTime.nearest(position, from: sampleRate, to: header.format.sampleRate)
    _ = cues.append(position: own, label: label)
  }

  /// Behind the samples, so that a file which ends before this is complete without it.
  private func writeBehind() throws(AudioError) {
    guard let header, header.isPatchable, header.trailingBytes == 0 else { return }
    let chunks = behind + cues.chunks(header.layout.byteOrder, length: sampleFrames)
    guard !chunks.isEmpty, try descriptor.append(chunks) == .accepted else { return }
    self.header?.trailingBytes = Int64(chunks.count)
    try updateHeader()
  }
}

extension PlainSampleWriter {
  /// The writer of a plain WAV file (of any kind) or headerless file; nil for every other format.
  convenience init?(
    _ descriptor: FileDescriptor, _ file: FileFormat, _ format: StreamFormat,
    largestRIFFSize: Int64,
    _ metadata: WrittenMetadata = .none
  ) throws(AudioError) {
    guard let writing = file.container.row.ownWriting else { return nil }
    let preferred: ByteOrder = if case .wave = writing { .little } else { .native }
    guard let layout = SampleLayout(file.encoding, file.byteOrder ?? preferred) else { return nil }
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
  /// Begins a file.
  ///
  /// - Parameters:
  ///   - metadata: what it gets beside its samples.
  ///   - largestRIFFSize: from which size on a WAV file becomes RF64.
  /// - Throws: `unsupported` where the container cannot be streamed, or libsndfile refuses; `inputOutput`.
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
  fileprivate var silenceIsZero: Bool {
    switch self {
    case .s8, .s16, .s24, .s32, .f32, .f64: true
    default: false
    }
  }
}
