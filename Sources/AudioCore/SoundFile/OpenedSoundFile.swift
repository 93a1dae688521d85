internal import CSndfile
import Glibc

/// A sound file whose header has been read: what it holds, and the reader of its samples.
struct OpenedSoundFile {
  var container: Container
  var encoding: SampleEncoding
  /// Nil where samples have no byte order.
  var byteOrder: ByteOrder?
  var format: StreamFormat
  /// The samples per channel that the header claims; nil where it does not say.
  var claimedSamplesPerChannel: Int64?
  /// The samples per channel that are there; nil where they are counted only at the end.
  var samplesPerChannel: Int64?
  var reader: any SampleReader
  /// libsndfile's handle, where it reads the file.
  var handle: SndfileHandle?
}

extension OpenedSoundFile {
  /// How many bytes are looked at to find out what a file is.
  private static let headLength = 512

  /// Finds out what a file is and reads its header.
  ///
  /// - Parameters:
  ///   - container: what the file is known to be; nil = look.
  ///   - headerless: what a `raw` file holds.
  init(
    _ descriptor: FileDescriptor, as container: Container?, headerless: HeaderlessFormat?
  ) throws(AudioError) {
    if container == .raw {
      guard let headerless else {
        throw AudioError(
          .invalidParameter, cannot: "read", descriptor.name,
          because: "headerless data does not tell what it is",
          advice: "describe its rate, channels and encoding")
      }
      try self.init(descriptor, headerless: headerless)
      return
    }
    let file: FileDescriptor
    let head: [UInt8]
    if let preview = try descriptor.preview(Self.headLength) {
      file = descriptor
      head = preview
    } else {
      head = try descriptor.nextBytes(Self.headLength)
      try Self.expectSound(head, descriptor.name)
      file = try SpooledFile.holding(head, thenAllOf: descriptor)
    }
    guard !head.isEmpty else {
      throw AudioError(
        .malformed, cannot: "read", file.name,
        because: file.isRegular ? "the file is empty" : "nothing came from it")
    }
    if WaveHeader.begins(head) {
      try self.init(wave: file)
    } else {
      try self.init(foreign: file, head)
      takeClaim(ClaimedLength.find(in: head))
    }
    if let container { try expect(container, file.name) }
  }

  /// A file that is not WAVE.
  private init(foreign descriptor: FileDescriptor, _ head: [UInt8]) throws(AudioError) {
    var file = descriptor
    if !file.isRegular, !Self.canStream(head) {
      try Self.expectSound(head, file.name)
      file = try SpooledFile.holding([], thenAllOf: descriptor)
    }
    do {
      try self.init(SndfileHandle(file, mode: SFM_READ, SF_INFO()))
    } catch {
      switch error.kind {
      case .unrecognised: throw Self.unrecognised(head, file.name)
      case .malformed where Self.isText(head), .unsupported where Self.isText(head):
        throw Self.unrecognised(head, file.name)
      default: throw error
      }
    }
  }

  /// Throws where the beginning is of no known kind, before all of an endless stream is spooled.
  private static func expectSound(_ head: [UInt8], _ name: String) throws(AudioError) {
    // An HTK header is known by the file's length, and what stands behind an ID3 tag by itself.
    let mayBeHTK = head.count >= 12 && head[8..<12].elementsEqual([0, 2, 0, 0])
    let needsMore = mayBeHTK || head.has("ID3", at: 0)
    guard !head.isEmpty, !needsMore, !WaveHeader.begins(head) else { return }
    let beginning = try SpooledFile.holding(head, named: name)
    do {
      _ = try SndfileHandle(beginning, mode: SFM_READ, SF_INFO())
    } catch {
      // Any other failure may come of the missing rest.
      if error.kind == .unrecognised { throw unrecognised(head, name) }
    }
  }

  private static func unrecognised(_ head: [UInt8], _ name: String) -> AudioError {
    AudioError(
      .unrecognised, cannot: "read", name,
      because: isText(head)
        ? "it is text, not sound" : "it is not a sound file that libsndfile knows")
  }

  /// Takes over what the header states where samples are stored one by one.
  private mutating func takeClaim(_ claim: ClaimedLength.Unit?) {
    guard container.storesPlainSamples(encoding), let size = encoding.bytesPerSample else { return }
    switch claim {
    case .bytes(let count): claimedSamplesPerChannel = count / Int64(size * format.channelCount)
    case .sampleFrames(let count): claimedSamplesPerChannel = count
    case nil: break
    }
  }

  private func expect(_ wanted: Container, _ name: String) throws(AudioError) {
    let areOgg = [wanted, container].allSatisfy { $0 == .ogg || $0 == .opus }
    let isSame = wanted == container || areOgg || wanted.isWave && container.isWave
    guard isSame else {
      throw AudioError(
        .malformed, cannot: "read", name,
        because: "it is \(container.rawValue), not \(wanted.rawValue)")
    }
  }

  /// Whether libsndfile 1.2.0 reads such a file from a pipe, as measured: plain AU, AIFF and W64, and
  /// Ogg. Everything else it refuses or reads wrongly there, MPEG from beyond its buffer.
  private static func canStream(_ head: [UInt8]) -> Bool {
    if head.has(".snd", at: 0), head.count >= 16 {
      return (1...7).contains(head.integer(at: 12, 4, .big)) || head.integer(at: 12, 4, .big) == 27
    }
    if head.has("FORM", at: 0) { return head.has("AIFF", at: 8) }
    if head.has("riff", at: 0), head.has("fmt ", at: 40), head.count >= 66 {
      return [1, 3, 6, 7].contains(head.integer(at: 64, 2, .little))
    }
    return head.has("OggS", at: 0)
  }

  /// Whether these bytes look like text: without control characters that text does not have.
  private static func isText(_ head: [UInt8]) -> Bool {
    head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x08...0x0D).contains($0) || $0 == 0x1B }
  }
}

extension OpenedSoundFile {
  /// The shape of a stream as a header tells it.
  ///
  /// - Throws: `malformed` where no stream can have it.
  private static func format(
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
  private init(
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
      try self.init(Self.open(file, wanted))
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
  private init(wave descriptor: FileDescriptor) throws(AudioError) {
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
      try self.init(Self.open(file))
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

  /// Opens by libsndfile a file whose kind is known: what it does not recognise in there is malformed.
  private static func open(
    _ file: FileDescriptor, _ wanted: SF_INFO = SF_INFO()
  ) throws(AudioError) -> SndfileHandle {
    do {
      return try SndfileHandle(file, mode: SFM_READ, wanted)
    } catch {
      var error = error
      if error.kind == .unrecognised { error.kind = .malformed }
      throw error
    }
  }

  /// A file that libsndfile reads.
  private init(_ handle: SndfileHandle) throws(AudioError) {
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
