// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// The container, the encoding and the byte order of a written sound file.
public struct FileFormat: Sendable, Hashable {
  /// The file format around the samples.
  public let container: Container
  /// How the samples are stored in the container.
  public let encoding: SampleEncoding
  /// The order of a sample's bytes; nil = the order that the container prescribes or prefers. FLAC has none, and
  /// accepts any.
  public let byteOrder: ByteOrder?
  /// Whether 24 bits lie in the low three of four bytes, as in ALSA's `S24_LE`. Only headerless files hold them so.
  public let isPadded: Bool
  /// How its codec encodes; see ``encoded(with:)``.
  public internal(set) var encoder = EncoderSettings()

  /// - Parameter isPadded: see ``isPadded``. FLAC packs 24 bits from either form.
  /// - Throws: `unsupported` if the container cannot hold the encoding, the byte order or the padding; the error names
  ///   the possible ones.
  public init(
    _ container: Container, _ encoding: SampleEncoding, byteOrder: ByteOrder? = nil,
    isPadded: Bool = false
  ) throws(AudioError) {
    guard container.canWrite(encoding) else {
      let possible = container.writableEncodings.map(\.rawValue).joined(separator: ", ")
      throw AudioError(
        .unsupported, cannot: "store \(encoding.rawValue) in", container.rawValue,
        because: container.row.isReadOnly
          ? "files of that kind are only read"
          : possible.isEmpty ? "this libsndfile does not write it" : "it holds only \(possible)",
        advice: container.row.isReadOnly ? "write wav, flac or aiff" : nil)
    }
    self.container = container
    self.encoding = encoding
    self.byteOrder = container == .flac ? nil : byteOrder
    self.isPadded = isPadded && container != .flac
    guard !self.isPadded || (container == .raw && encoding == .s24) else {
      throw AudioError(
        .unsupported, cannot: "store 24 bits in four bytes in", container.rawValue,
        because: "it holds them in three; only raw has both", advice: "use S24_3LE or s24")
    }
    if self.byteOrder != nil, (encoding.bytesPerSample ?? 1) > 1, !takesByteOrder {
      throw AudioError(
        .unsupported, cannot: "choose the byte order of", container.rawValue,
        because: "\(encoding.rawValue) has one byte order there",
        advice: "say \(encoding.rawValue) without one")
    }
  }

  /// The best format for samples that were stored as `source`; see ``Container/defaultEncoding(for:)``.
  ///
  /// - Throws: `unsupported` if libsndfile cannot write the container at all.
  public init(_ container: Container, for source: SampleEncoding) throws(AudioError) {
    try self.init(container, container.defaultEncoding(for: source))
  }

  /// A format in the container's own byte order. `container` must hold `encoding`.
  private init(holding encoding: SampleEncoding, in container: Container) {
    self.container = container
    self.encoding = encoding
    byteOrder = nil
    isPadded = false
  }

  /// The layout of its samples if each is stored by itself; nil for codecs.
  ///
  /// - Parameter preferred: the byte order of a format without one.
  func layout(preferring preferred: ByteOrder) -> SampleLayout? {
    isPadded
      ? SampleLayout(.s24In32, byteOrder ?? preferred)
      : SampleLayout(encoding, byteOrder ?? preferred)
  }

  var format: Int32 {
    let order: Int =
      switch byteOrder {
      case nil: SF_ENDIAN_FILE
      case .little: SF_ENDIAN_LITTLE
      case .big: SF_ENDIAN_BIG
      }
    return container.majorFormat | encoding.subtype | Int32(order)
  }

  /// Whether the format can be written to a pipe, which allows no later changes.
  public var canBeStreamed: Bool {
    switch container.row.streaming {
    case .none: false
    case .plain: encoding.bytesPerSample != nil
    case .all(let exception): encoding != exception
    }
  }

  /// The reason why a file needs at least one sample; nil if it may be empty.
  ///
  /// An MP3 file is a row of frames, so that no empty one exists. No program reads an Opus file without a packet.
  var refusalOfNothing: String? {
    container.row.isFrames ? "there was no sample, and no \(container.rawValue) file is empty" : nil
  }

  private var takesByteOrder: Bool {
    SF_INFO(sampleRate: 48_000, channelCount: 1, format: format).isWritable
  }

  /// Refuses a stream that the format cannot hold.
  ///
  /// - Throws: `unsupported`, naming the possible values.
  func check(_ stream: StreamFormat) throws(AudioError) {
    _ = try encoderLevel(for: stream)
    let name = container.rawValue
    try stream.check(
      atMost: container.largestChannelCount(for: encoding), channelsOf: encoding.rawValue,
      rates: container.row.rates, in: name)
    if let range = container.row.statableRates, !range.contains(stream.sampleRate) {
      throw stream.refused(
        by: name, because: "it holds \(range.lowerBound) to \(range.upperBound) Hz")
    }
    if container == .flac, stream.sampleRate > 65_535, !stream.sampleRate.isMultiple(of: 10) {
      throw stream.refused(by: name, because: "above 65535 Hz it holds only multiples of 10")
    }
  }

  /// WAV of 16-bit integers.
  public static let wav16 = FileFormat(holding: .s16, in: .wav)
  /// WAV of 24-bit integers.
  public static let wav24 = FileFormat(holding: .s24, in: .wav)
  /// WAV of 32-bit floating point: no sample clips.
  public static let wav32f = FileFormat(holding: .f32, in: .wav)
  /// FLAC of 16-bit integers.
  public static let flac16 = FileFormat(holding: .s16, in: .flac)
  /// FLAC of 24-bit integers.
  public static let flac24 = FileFormat(holding: .s24, in: .flac)

  /// The rate in hertz that a file's header will state for `stream`. It differs from the stream's rate if the header
  /// holds the time between samples in whole units.
  ///
  /// Source: libsndfile 1.2.0's `htk.c`, which truncates the time when writing and the rate when reading.
  public func statedSampleRate(of stream: StreamFormat) -> Int {
    guard let units = container.row.unitsPerSecond else { return stream.sampleRate }
    return units / max(1, units / stream.sampleRate)
  }
}

/// The content of a headerless file, which its reader must be told.
public struct HeaderlessFormat: Sendable, Hashable {
  /// The rate and the channels of the stream.
  public var format: StreamFormat
  /// How the samples are stored.
  public var encoding: SampleEncoding
  /// How the samples lie; nil for codecs that do not store samples one by one.
  public var layout: SampleLayout?

  /// For plain encodings: the encoding follows from the layout.
  public init(_ format: StreamFormat, _ layout: SampleLayout) {
    self.format = format
    self.encoding = layout.encoding
    self.layout = layout
  }

  /// For codecs and plain encodings. Plain samples are in `byteOrder`.
  public init(
    _ format: StreamFormat, _ encoding: SampleEncoding, _ byteOrder: ByteOrder = .native
  ) {
    self.format = format
    self.encoding = encoding
    self.layout = SampleLayout(encoding, byteOrder)
  }
}

extension AudioError {
  /// The advice to convert to a sample rate, in hertz.
  package static func conversion(to sampleRate: Int) -> String { "convert to \(sampleRate) Hz" }
}

extension StreamFormat {
  /// The stream format that a file's header states.
  ///
  /// - Throws: `malformed` if no stream can have it.
  init(
    claiming sampleRate: Int, _ channelCount: Int, in name: String
  ) throws(AudioError) {
    guard Self.channelCounts.contains(channelCount) else {
      throw .malformed(
        name, because: "its header claims \(channelCount) channels, and 1 to 64 are possible")
    }
    guard Self.sampleRates.contains(sampleRate) else {
      throw .malformed(
        name, because: "its header claims \(sampleRate) Hz, and 1000 to 768000 are possible")
    }
    try self.init(sampleRate: sampleRate, channelCount: channelCount)
  }

  /// Checks that a file can hold these channels at this rate.
  ///
  /// - Parameters:
  ///   - most: the most channels of `coding`.
  ///   - rates: the only rates, in hertz; nil = any.
  /// - Throws: `unsupported`, naming the possible values.
  func check(
    atMost most: Int, channelsOf coding: String, rates: [Int]?, in container: String
  ) throws(AudioError) {
    guard channelCount <= most else {
      throw AudioError(
        .unsupported, cannot: "store \(channelCount) channels in", container,
        because: "\(coding) there holds at most \(most)",
        advice: "convert to at most that or take another container")
    }
    guard let rates, !rates.contains(sampleRate) else { return }
    let sorted = rates.sorted()
    let list = sorted.map(String.init).joined(separator: ", ")
    let next = sorted.first { $0 > sampleRate } ?? sorted.last ?? sampleRate
    throw refused(
      by: container, because: "it holds only \(list) Hz", advice: AudioError.conversion(to: next))
  }

  /// The error for a container that cannot hold this rate.
  func refused(
    by container: String, because reason: String,
    advice: String = "convert to one of these or take another container"
  ) -> AudioError {
    AudioError(
      .unsupported, cannot: "store \(sampleRate) Hz in", container,
      because: reason, advice: advice)
  }
}

/// An upper bound of a sound file's size, so that the file ends before a limit.
struct FileSizeBound {
  /// The most bytes that one sample of all channels takes.
  let bytesPerSampleFrame: Int64
  /// The most bytes that follow without another sample: padding, and samples held back by a codec.
  let reserve: Int64
  /// Fewer sample frames than this count as no room: asking again costs a flush.
  let granularity: Int64

  init(_ file: FileFormat, channelCount: Int) {
    let channelCount = Int64(channelCount)
    let isOwn = file.container.row.ownWriting != nil
    if let bytes = file.encoding.bytesPerSample,
      isOwn || file.container.storesPlainSamples(file.encoding)
    {
      bytesPerSampleFrame = Int64(file.isPadded ? 4 : bytes) * channelCount
      // RIFF pads to two bytes, Wave64 to eight; libsndfile ends some containers with a few more bytes.
      reserve = isOwn ? bytesPerSampleFrame & 1 : 64
      granularity = 1
    } else if file.container == .flac {
      // A block of 4096 that does not shrink is stored uncompressed, with a header of at most 16 bytes. One block can
      // be on its way.
      bytesPerSampleFrame = Int64(file.encoding.significantBits + 7) / 8 * channelCount + 1
      reserve = 4_100 * bytesPerSampleFrame + 512
      granularity = 256
    } else {
      bytesPerSampleFrame = 4 * channelCount
      // An Ogg page has 65,307 bytes at most.
      reserve = 1 << 18
      granularity = 1_024
    }
  }

  /// The number of sample frames that a file of `size` bytes can take and still end below `limit`.
  func sampleFrames(from size: Int64, to limit: Int64) -> Int64 {
    let count = (limit - size - reserve) / bytesPerSampleFrame
    return count < granularity ? 0 : count
  }
}
