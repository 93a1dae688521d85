internal import CSndfile

/// A sound file whose header has been read: what it holds, and the reader of its samples.
struct OpenedSoundFile {
  var container: Container
  var encoding: SampleEncoding
  /// Nil where samples have no byte order.
  var byteOrder: ByteOrder?
  var format: StreamFormat
  /// The samples per channel that the header claims; nil where it does not say.
  var claimedSamplesPerChannel: Int64?
  /// The samples per channel that are there; nil where only the end tells.
  var samplesPerChannel: Int64?
  var reader: any SampleReader
  /// libsndfile's handle, where it reads the file.
  var handle: SndfileHandle?
}

extension OpenedSoundFile {
  /// The shape of a stream as a header tells it.
  ///
  /// - Throws: `malformed` where no stream can have it.
  static func format(
    sampleRate: Int, channelCount: Int, _ name: String
  ) throws(AudioError) -> StreamFormat {
    guard StreamFormat.channelCounts.contains(channelCount) else {
      throw AudioError(
        .malformed, cannot: "read", name,
        because: "its header claims \(channelCount) channels, and 1 to 64 are possible")
    }
    guard StreamFormat.sampleRates.contains(sampleRate) else {
      throw AudioError(
        .malformed, cannot: "read", name,
        because: "its header claims \(sampleRate) Hz, and 1000 to 768000 are possible")
    }
    return try StreamFormat(sampleRate: sampleRate, channelCount: channelCount)
  }

  /// A file without a header.
  init(
    _ descriptor: FileDescriptor, headerless: HeaderlessFormat
  ) throws(AudioError) {
    guard let layout = headerless.layout else {
      var wanted = SF_INFO()
      wanted.samplerate = Int32(headerless.format.sampleRate)
      wanted.channels = Int32(headerless.format.channelCount)
      wanted.format = Container.raw.majorFormat | headerless.encoding.subtype
      let file =
        descriptor.isRegular
        ? descriptor : try SpooledFile.holding([], thenAllOf: descriptor)
      try self.init(SndfileHandle(file, mode: SFM_READ, wanted))
      return
    }
    let start = descriptor.isRegular ? descriptor.position : 0
    let bytesPerFrame = layout.bytesPerSample * headerless.format.channelCount
    self.init(
      container: .raw, encoding: layout.encoding,
      byteOrder: layout.bytesPerSample > 1 ? layout.byteOrder : nil, format: headerless.format,
      reader: PlainSampleReader(
        descriptor, layout, channelCount: headerless.format.channelCount, from: start,
        byteCount: nil))
    if descriptor.isRegular {
      samplesPerChannel = try max(0, descriptor.size() - start) / Int64(bytesPerFrame)
    }
  }

  /// A WAVE file, whose header our own code reads; its codecs are libsndfile's.
  init(wave descriptor: FileDescriptor) throws(AudioError) {
    let input = try WaveHeaderInput(descriptor)
    let header = try WaveHeader(reading: input)
    let wave = header.format
    let format = try Self.format(
      sampleRate: wave.sampleRate, channelCount: wave.channelCount, descriptor.name)
    guard wave.isPlain else {
      let file =
        descriptor.isRegular
        ? descriptor : try SpooledFile.holding(input.kept, thenAllOf: descriptor)
      let whole = descriptor.isRegular ? header : try WaveHeader(reading: WaveHeaderInput(file))
      try self.init(SndfileHandle(file, mode: SFM_READ, SF_INFO()))
      claimedSamplesPerChannel = whole.claimOfCutCodec ?? claimedSamplesPerChannel
      return
    }
    guard let layout = wave.layout(header.byteOrder) else {
      throw AudioError(
        .malformed, cannot: "read", descriptor.name,
        because: "its 'fmt ' chunk names \(wave.bitsPerSample) bits in blocks of "
          + "\(wave.blockAlign) bytes for \(wave.channelCount) channels")
    }
    let bytesPerFrame = Int64(wave.blockAlign)
    let stored = PlainSampleReader(
      descriptor, layout, channelCount: wave.channelCount, from: header.dataOffset,
      byteCount: header.actualBytes ?? header.claimedBytes)
    self.init(
      container: header.is64Bit ? .rf64 : .wav,
      encoding: layout.encoding, byteOrder: layout.bytesPerSample > 1 ? header.byteOrder : nil,
      format: format,
      claimedSamplesPerChannel: header.claimedBytes.map { $0 / bytesPerFrame },
      samplesPerChannel: header.actualBytes.map { $0 / bytesPerFrame },
      reader: wave.holdsWideIntegers ? WideIntegerReader(stored, header.byteOrder) : stored)
  }

  /// A file that libsndfile reads.
  init(_ handle: SndfileHandle) throws(AudioError) {
    let information = handle.information
    guard let container = Container(format: information.format) else {
      throw AudioError(
        .unsupported, cannot: "read", handle.name, because: "its container is not known here")
    }
    let format = try Self.format(
      sampleRate: Int(information.samplerate), channelCount: Int(information.channels), handle.name)
    let reader = try SndfileSampleReader(handle, container)
    self.init(
      container: container, encoding: reader.encoding,
      byteOrder: reader.encoding.bytesPerSample ?? 1 > 1
        && container.storesPlainSamples(reader.encoding)
        ? reader.layout.byteOrder : nil,
      format: format, reader: reader, handle: handle)
    // libsndfile counts to the end of time where it does not know the length.
    guard information.frames < 1 << 48 else { return }
    if !reader.encoding.isFloatCodec { claimedSamplesPerChannel = information.frames }
    if handle.storage != nil { samplesPerChannel = information.frames }
  }
}
