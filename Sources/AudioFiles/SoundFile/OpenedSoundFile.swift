// SPDX-License-Identifier: Apache-2.0
internal import CSndfile
import Glibc

/// A sound file whose header has been read, with the reader of its samples.
struct OpenedSoundFile {
  var container: Container
  var encoding: SampleEncoding
  /// nil if samples have no byte order.
  var byteOrder: ByteOrder?
  var format: StreamFormat
  /// The claimed samples per channel; nil if not stated.
  var claimedSamplesPerChannel: Int64?
  /// Whether the file itself states the claimed length.
  var statesLength = true
  /// Whether the file ends within its stream, independent of the stated length.
  var endsWithin = false
  /// The existing samples per channel; nil if only the end shows them.
  var samplesPerChannel: Int64?
  var reader: any SampleReader
  /// The samples per channel behind the stated ones, which are not read.
  var samplesBehind: Int64 = 0
  /// The choices that the header required.
  var readings: [HeaderReading] = []
  /// ``reader``, if it reads several consecutive streams.
  var links: LinkedReader?
  /// libsndfile's handle, if it reads the file.
  var handle: SndfileHandle?
  /// nil if this container's metadata is not read.
  var place: MetadataPlace?
  /// The channel layout of the container or the codec, in stream order; nil = the usual one.
  var channelLayout: Metadata.ChannelLayout?
}

extension OpenedSoundFile {
  /// Identifies a file and reads its header.
  ///
  /// - Parameters:
  ///   - container: the file's known container; nil = identify it.
  ///   - headerless: the content of a `raw` file.
  init(
    _ descriptor: FileDescriptor, as container: Container?, headerless: HeaderlessFormat?
  ) throws(AudioError) {
    if container == .raw {
      guard let headerless else {
        throw AudioError(
          .invalidParameter, cannot: "read", descriptor.name,
          because: "headerless data does not tell its format",
          advice: "describe its rate, channels and encoding")
      }
      try self.init(descriptor, headerless: headerless)
      return
    }
    if descriptor.isRegular {
      try self.init(regular: descriptor)
    } else {
      try self.init(stream: descriptor)
    }
    if let container { try expect(container, descriptor.name) }
  }

  /// Opens a pipe, or a device that delivers bytes.
  private init(stream descriptor: FileDescriptor) throws(AudioError) {
    let name = descriptor.name
    let (bytes, areTaken) = try descriptor.preview(FileBeginning.length) {
      FileBeginning($0, named: name).canStream
    }
    let head = FileBeginning(bytes, named: name)
    guard !head.bytes.isEmpty else {
      throw .malformed(
        name, because: descriptor.isPipe ? "nothing came from it" : "the file is empty")
    }
    if WaveHeader.begins(head.bytes) {
      try self.init(wave: descriptor, from: 0)
    } else if SoxHeader.begins(head.bytes) {
      try self.init(sox: descriptor, from: 0)
    } else if !areTaken, head.isOgg, head.canStream {
      try self.init(oggStream: descriptor)
    } else if !areTaken, head.canStream, !descriptor.corrections.ignoresLength {
      let stated = try StatedLength.find(
        in: FileWindow(holding: head.bytes, named: name), from: 0)
      if case .unfinished(let first)? = stated, first <= head.bytes.count,
        !BytesBehind.isChunk(Array(head.bytes[Int(first)...]))
      {
        try self.init(unfinished: descriptor, head, from: first)
      } else {
        try self.init(head.open(descriptor))
        takeClaim(stated)
      }
      try arrangeChannels(head, HeldBytes(head.bytes), from: 0, to: Int64(head.bytes.count))
    } else {
      do {
        try head.expectSound()
      } catch {
        // Other bytes may precede the first MPEG audio frame.
        guard !areTaken, head.mayComeBeforeMPEG(error), try descriptor.showsMPEG() else {
          throw error
        }
      }
      try self.init(regular: SpooledFile.holding([], thenAllOf: descriptor))
    }
  }

  init(regular file: FileDescriptor) throws(AudioError) {
    let window = try FileWindow(of: file)
    let start = try SurroundingTags.end(ofTagsIn: window)
    let head = FileBeginning(
      try window.bytes(FileBeginning.length, at: start), named: file.name)
    guard !head.bytes.isEmpty else {
      let isEmpty = window.range.isEmpty
      throw .malformed(
        file.name, because: isEmpty ? "the file is empty" : "nothing comes after its ID3 or APE tag"
      )
    }
    if WaveHeader.begins(head.bytes) {
      try self.init(wave: file, from: start)
    } else if SoxHeader.begins(head.bytes) {
      try self.init(sox: file, from: start)
    } else if let streams = try MpegStream.streams(in: window, from: start, searching: false) {
      try self.init(streams, in: file)
    } else {
      do {
        try self.init(foreign: window, file, from: start, head)
      } catch {
        // Other bytes may precede the first frame.
        guard head.mayComeBeforeMPEG(error),
          let streams = try MpegStream.streams(in: window, from: start, searching: true)
        else { throw error }
        try self.init(streams, in: file)
      }
    }
  }

  /// Opens a file that is neither WAVE nor MPEG.
  private init(
    foreign window: FileWindow, _ file: FileDescriptor, from start: Int64, _ head: FileBeginning
  ) throws(AudioError) {
    let isFramed = head.bytes.has("fLaC", at: 0) || head.isOgg
    let end =
      isFramed
      ? try SurroundingTags.start(ofTagsIn: window, behind: start) : window.range.upperBound
    if head.isOgg {
      try self.init(ogg: window, file, start..<end)
    } else if head.bytes.has("Creative Voice File", at: 0) {
      try self.init(voice: window, file, start..<end)
    } else {
      try self.init(window, file, start..<end, head)
    }
  }

  /// Opens a part of a file that is neither WAVE nor MPEG.
  init(
    _ window: FileWindow, _ file: FileDescriptor, _ part: Range<Int64>, _ head: FileBeginning
  ) throws(AudioError) {
    let (start, end) = (part.lowerBound, part.upperBound)
    let stated = try StatedLength.find(in: window, from: start)
    let pretended = try stated?.lengthToPretend(ofCut: part, in: window)
    let total = try FlacTotal(in: window, part)
    let isCorrected = file.corrections.ignoresLength && total?.surplus ?? 0 > 0
    try self.init(
      head.open(
        file,
        seeing: SndfileView(
          parts: [part], pretendedLength: pretended,
          replacement: isCorrected ? total?.correction : nil)))
    if !isCorrected { samplesBehind = total?.surplus ?? 0 }
    try placeSamples(stated, in: window, file, part)
    if pretended != nil, !isPlaced { endSamples(stated, at: end - start) }
    place = MetadataPlace(
      bytes: .file(file), container: container, start: start, samples: part)
    try arrangeChannels(head, window, from: start, to: end)
    if !isPlaced {
      takeClaim(stated)
      endWithStatedSamples(stated)
    }
    try container.row.settle?(
      &self, SettledPart(window: window, part: part, stated: stated, name: file.name))
    if case .bytes(let samples)? = stated, start + samples.upperBound > end {
      takeClaim(ofWhole: file, part, length: samples.upperBound)
    }
  }

  init(_ stream: MpegStream, in file: FileDescriptor) throws(AudioError) {
    guard !stream.parts.isEmpty else {
      throw .malformed(file.name, because: "it holds no whole frame of MPEG audio")
    }
    try self.init(
      SndfileHandle.ofKnownKind(
        file,
        seeing: SndfileView(
          mpeg: stream.parts, isEstimated: stream.isEstimated)),
      leavingOut: stream.leadingSamples)
    if let first = stream.parts.first, let last = stream.parts.last {
      place = MetadataPlace(
        bytes: .file(file), container: .mp3, start: first.lowerBound,
        samples: first.lowerBound..<last.upperBound)
    }
    samplesPerChannel = stream.samplesPerChannel
    claimedSamplesPerChannel = stream.claimedSamplesPerChannel ?? stream.samplesPerChannel
    statesLength = stream.statesLength
    endsWithin = stream.endsWithin
  }

  /// Ends the samples with the file if libsndfile was told a greater length.
  ///
  /// - Parameter end: the end of the file, in bytes from the start of the sound.
  private mutating func endSamples(_ stated: StatedLength?, at end: Int64) {
    guard case .bytes(let samples)? = stated, container.storesPlainSamples(encoding),
      let size = encoding.bytesPerSample
    else { return }
    let actual = max(0, end - samples.lowerBound) / Int64(size * format.channelCount)
    samplesPerChannel = actual
    (reader as? SndfileSampleReader)?.limit(to: actual)
  }

  /// Adopts the header's length if it is in samples, or samples are stored one by one.
  private mutating func takeClaim(_ claim: StatedLength?) {
    switch claim {
    case .bytes(let range):
      guard container.storesPlainSamples(encoding), let size = encoding.bytesPerSample else {
        return
      }
      claimedSamplesPerChannel = Int64(range.count / (size * format.channelCount))
    case .sampleFrames(let count): claimedSamplesPerChannel = count
    case .unfinished, nil: break
    }
  }

  /// Ends the samples of a codec where the header does, if libsndfile counts more: those of whole blocks.
  private mutating func endWithStatedSamples(_ stated: StatedLength?) {
    guard case .sampleFrames(let count)? = stated, let found = samplesPerChannel, count < found,
      !container.storesPlainSamples(encoding), let reader = reader as? SndfileSampleReader
    else { return }
    samplesPerChannel = count
    reader.limit(to: count)
  }

  /// Asks libsndfile for the number of samples that all of a codec's bytes would hold.
  ///
  /// - Parameter length: the length of the whole file up to the end of the samples.
  mutating func takeClaim(
    ofWhole file: FileDescriptor, _ part: Range<Int64>, length: Int64
  ) {
    guard !container.storesPlainSamples(encoding), samplesPerChannel != nil else { return }
    let whole = try? SndfileHandle(
      file, mode: SFM_READ, seeing: SndfileView(parts: [part], pretendedLength: length))
    let count = whole?.information.frames ?? 0
    claimedSamplesPerChannel = count
    endsWithin = true
  }

  private func expect(_ wanted: Container, _ name: String) throws(AudioError) {
    // Users do not distinguish Ogg with Vorbis from Ogg with Opus, nor the kinds of WAVE.
    guard wanted == container || wanted.row.group == container.row.group && wanted.row.group != nil
    else {
      throw .malformed(name, because: "it is \(container.rawValue), not \(wanted.rawValue)")
    }
  }
}

/// The opened part of a file, from which its container corrects libsndfile's description.
struct SettledPart {
  let window: FileWindow
  let part: Range<Int64>
  let stated: StatedLength?
  let name: String
}

extension OpenedSoundFile {
  var isPlaced: Bool { !(reader is SndfileSampleReader) }

  private init(
    _ descriptor: FileDescriptor, headerless: HeaderlessFormat
  ) throws(AudioError) {
    guard let layout = headerless.layout else {
      let wanted = SF_INFO(
        sampleRate: headerless.format.sampleRate, channelCount: headerless.format.channelCount,
        format: Container.raw.majorFormat | headerless.encoding.subtype)
      let file =
        descriptor.isRegular
        ? descriptor : try SpooledFile.holding([], thenAllOf: descriptor)
      try self.init(SndfileHandle.ofKnownKind(file, wanted))
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

  init(
    _ handle: SndfileHandle, leavingOut leadingSamples: Int64 = 0
  ) throws(AudioError) {
    let information = handle.information
    guard let container = Container(format: information.format) else {
      throw AudioError(
        .unsupported, cannot: "read", handle.name, because: "its container is not known here")
    }
    let format = try StreamFormat(
      claiming: Int(information.samplerate), Int(information.channels), in: handle.name)
    let reader = try SndfileSampleReader(handle, container, leavingOut: leadingSamples)
    self.init(
      container: container, encoding: reader.encoding,
      byteOrder: reader.encoding.bytesPerSample ?? 1 > 1
        && container.storesPlainSamples(reader.encoding)
        ? reader.layout.byteOrder : nil,
      format: format, reader: reader, handle: handle)
    // libsndfile states a huge number for an unknown length.
    guard information.frames < 1 << 48 else { return }
    if !reader.encoding.isFloatCodec { claimedSamplesPerChannel = information.frames }
    if handle.storage != nil { samplesPerChannel = information.frames }
  }
}
