// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// How a sound file is written: its container, its encoding, and the order of its bytes.
public struct FileFormat: Sendable, Hashable {
  /// What stands around the samples.
  public let container: Container
  /// How the samples are stored in it.
  public let encoding: SampleEncoding
  /// The order of a sample's bytes; nil = what the container prescribes or prefers. FLAC has none, and takes any.
  public let byteOrder: ByteOrder?
  /// How its codec encodes; see ``encoded(with:)``.
  public internal(set) var encoder = EncoderSettings()

  /// - Throws: `unsupported` where the container cannot hold the encoding or the byte order; the error
  ///   names what is possible.
  public init(
    _ container: Container, _ encoding: SampleEncoding, byteOrder: ByteOrder? = nil
  ) throws(AudioError) {
    guard container.canWrite(encoding) else {
      let possible = container.writableEncodings.map(\.rawValue).joined(separator: ", ")
      throw AudioError(
        .unsupported, cannot: "store \(encoding.rawValue) in", container.rawValue,
        because: possible.isEmpty
          ? "this libsndfile does not write it" : "it holds only \(possible)")
    }
    self.container = container
    self.encoding = encoding
    self.byteOrder = container == .flac ? nil : byteOrder
    if self.byteOrder != nil, (encoding.bytesPerSample ?? 1) > 1, !takesByteOrder {
      throw AudioError(
        .unsupported, cannot: "choose the byte order of", container.rawValue,
        because: "\(encoding.rawValue) has one byte order there",
        advice: "say \(encoding.rawValue) without one")
    }
  }

  /// The format that suits samples which were stored as `source`; see
  /// ``Container/defaultEncoding(for:)``.
  ///
  /// - Throws: `unsupported` where libsndfile cannot write the container at all.
  public init(_ container: Container, for source: SampleEncoding) throws(AudioError) {
    try self.init(container, container.defaultEncoding(for: source))
  }

  /// Of a container that holds the encoding, in the container's own byte order.
  private init(holding encoding: SampleEncoding, in container: Container) {
    self.container = container
    self.encoding = encoding
    byteOrder = nil
  }

  /// libsndfile's format word.
  var format: Int32 {
    let order: Int =
      switch byteOrder {
      case nil: SF_ENDIAN_FILE
      case .little: SF_ENDIAN_LITTLE
      case .big: SF_ENDIAN_BIG
      }
    return container.majorFormat | encoding.subtype | Int32(order)
  }

  /// Whether the format can be written where nothing can be changed afterwards: a pipe.
  public var canBeStreamed: Bool {
    switch container.row.streaming {
    case .none: false
    case .plain: encoding.bytesPerSample != nil
    case .all(let exception): encoding != exception
    }
  }

  /// Why there cannot be a file without a sample; nil where there can.
  ///
  /// An MP3 file is a row of frames, so that one without is no file; and nobody reads an Opus file without a packet.
  var refusalOfNothing: String? {
    container.row.isFrames ? "there was no sample, and no \(container.rawValue) file is empty" : nil
  }

  private var takesByteOrder: Bool {
    var information = SF_INFO()
    information.samplerate = 48_000
    information.channels = 1
    information.format = format
    return unsafe sf_format_check(&information) != 0
  }

  /// Refuses a stream that the format cannot hold.
  ///
  /// - Throws: `unsupported`, naming what is possible.
  func check(_ stream: StreamFormat) throws(AudioError) {
    _ = try encoderLevel(for: stream)
    let most = container.largestChannelCount(for: encoding)
    guard stream.channelCount <= most else {
      throw AudioError(
        .unsupported, cannot: "store \(stream.channelCount) channels in", container.rawValue,
        because: "\(encoding.rawValue) there holds at most \(most)",
        advice: "convert to at most that or take another container")
    }
    if let rates = container.row.rates, !rates.contains(stream.sampleRate) {
      let list = rates.map(String.init).joined(separator: ", ")
      throw AudioError(
        .unsupported, cannot: "store \(stream.sampleRate) Hz in", container.rawValue,
        because: "it holds only \(list) Hz", advice: "convert to one of these")
    }
    if let range = statableSampleRates(stream.channelCount), !range.contains(stream.sampleRate) {
      throw AudioError(
        .unsupported, cannot: "store \(stream.sampleRate) Hz in", container.rawValue,
        because: "it holds \(range.lowerBound) to \(range.upperBound) Hz",
        advice: "convert to one of these or take another container")
    }
    if container == .flac, stream.sampleRate > 65_535, !stream.sampleRate.isMultiple(of: 10) {
      throw AudioError(
        .unsupported, cannot: "store \(stream.sampleRate) Hz in", container.rawValue,
        because: "above 65535 Hz it holds only multiples of 10",
        advice: "convert to one of these or take another container")
    }
  }
}

extension FileFormat {
  /// WAV of integers of 16 bits.
  public static let wav16 = FileFormat(holding: .s16, in: .wav)
  /// WAV of integers of 24 bits.
  public static let wav24 = FileFormat(holding: .s24, in: .wav)
  /// WAV of floating point of 32 bits: no sample clips.
  public static let wav32f = FileFormat(holding: .f32, in: .wav)
  /// FLAC of integers of 16 bits.
  public static let flac16 = FileFormat(holding: .s16, in: .flac)
  /// FLAC of integers of 24 bits.
  public static let flac24 = FileFormat(holding: .s24, in: .flac)
}

extension FileFormat {
  /// The rate in hertz that a file's header will state for `stream`: the stream's own but where the header
  /// holds a time between samples, in whole units.
  ///
  /// Source: libsndfile 1.2.0's `htk.c`, `sds.c` and `voc.c`, which cut the time off and, reading, the rate.
  public func statedSampleRate(of stream: StreamFormat) -> Int {
    guard let units = unitsPerSecond(stream.channelCount) else { return stream.sampleRate }
    return units / max(1, units / stream.sampleRate)
  }

  /// The rates that the container takes at all, where they are fewer than there are: most headers hold a smaller
  /// number.
  func statableSampleRates(_ channelCount: Int) -> ClosedRange<Int>? {
    container.row.statableRates(encoding, channelCount)
  }

  /// The unit of the time between samples in a header that holds that instead of a rate.
  private func unitsPerSecond(_ channelCount: Int) -> Int? {
    container.row.unitsPerSecond(encoding, channelCount)
  }
}

/// What a file without a header holds, as its reader has to be told.
public struct HeaderlessFormat: Sendable, Hashable {
  /// The rate and the channels of its stream.
  public var format: StreamFormat
  /// How its samples are stored.
  public var encoding: SampleEncoding
  /// How the samples lie; nil for codecs that do not store samples one by one.
  public var layout: SampleLayout?

  /// For plain encodings, in a layout of which the encoding follows.
  public init(_ format: StreamFormat, _ layout: SampleLayout) {
    self.format = format
    self.encoding = layout.encoding
    self.layout = layout
  }

  /// For codecs as well as for plain encodings, which are then in `byteOrder`.
  public init(
    _ format: StreamFormat, _ encoding: SampleEncoding, _ byteOrder: ByteOrder = .native
  ) {
    self.format = format
    self.encoding = encoding
    self.layout = SampleLayout(encoding, byteOrder)
  }
}
