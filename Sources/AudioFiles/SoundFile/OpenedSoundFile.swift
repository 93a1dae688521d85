// SPDX-License-Identifier: Apache-2.0
internal import CSndfile
import Glibc

/// A sound file whose header has been read: what it holds, and the reader of its samples.
struct OpenedSoundFile {
  var container: Container
  var encoding: SampleEncoding
  /// Nil where samples have no byte order.
  var byteOrder: ByteOrder?
  var format: StreamFormat
  /// The samples per channel that there should be; nil where nothing says so.
  var claimedSamplesPerChannel: Int64?
  /// Whether it is the file that states how many there should be.
  var statesLength = true
  /// Whether the file ends within a stream that should go on, whatever it states.
  var endsWithin = false
  /// The samples per channel that are there; nil where they are counted only at the end.
  var samplesPerChannel: Int64?
  var reader: any SampleReader
  /// Samples per channel behind those that the header states, which are not read.
  var samplesBehind: Int64 = 0
  /// The choices that its header needed.
  var readings: [HeaderReading] = []
  /// The same reader, where it reads several streams one behind the other.
  var links: LinkedReader?
  /// libsndfile's handle, where it reads the file.
  var handle: SndfileHandle?
  /// Nil where nobody here reads what the file carries.
  var place: MetadataPlace?
  /// What the container or the codec says of the channels, which samples come in the order of; nil = the usual.
  var channelLayout: Metadata.ChannelLayout?
}

extension OpenedSoundFile {
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
    if descriptor.isRegular {
      try self.init(regular: descriptor)
    } else {
      try self.init(stream: descriptor)
    }
    if let container { try expect(container, descriptor.name) }
  }

  /// A pipe, or a device that gives bytes.
  private init(stream descriptor: FileDescriptor) throws(AudioError) {
    let name = descriptor.name
    let (bytes, areTaken) = try descriptor.preview(FileBeginning.length) {
      FileBeginning($0, named: name).canStream
    }
    let head = FileBeginning(bytes, named: name)
    guard !head.bytes.isEmpty else {
      throw AudioError(
        .malformed, cannot: "read", name,
        because: descriptor.isPipe ? "nothing came from it" : "the file is empty")
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
        // Other bytes may come before the first frame of MPEG audio.
        guard !areTaken, head.mayComeBeforeMPEG(error), try descriptor.showsMPEG() else {
          throw error
        }
      }
      try self.init(regular: SpooledFile.holding([], thenAllOf: descriptor))
    }
  }

  /// A file that can be sought in.
  init(regular file: FileDescriptor) throws(AudioError) {
    let window = try FileWindow(of: file)
    let start = try SurroundingTags.end(ofTagsIn: window)
    let head = FileBeginning(
      try window.bytes(FileBeginning.length, at: start), named: file.name)
    guard !head.bytes.isEmpty else {
      let isEmpty = window.range.isEmpty
      throw AudioError(
        .malformed, cannot: "read", file.name,
        because: isEmpty ? "the file is empty" : "nothing comes after its ID3 or APE tag")
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
        // Other bytes may come before the first frame.
        guard head.mayComeBeforeMPEG(error),
          let streams = try MpegStream.streams(in: window, from: start, searching: true)
        else { throw error }
        try self.init(streams, in: file)
      }
    }
  }

  /// A file that is neither WAVE nor MPEG.
  private init(
    foreign window: FileWindow, _ file: FileDescriptor, from start: Int64, _ head: FileBeginning
  ) throws(AudioError) {
    let isFramed = head.bytes.has("fLaC", at: 0) || head.isOgg
    let end =
      isFramed
      ? try SurroundingTags.start(ofTagsIn: window, behind: start) : window.range.upperBound
    if head.isOgg {
      try self.init(ogg: window, file, start..<end)
    } else {
      try self.init(window, file, start..<end, head)
    }
  }

  /// A part of a file that is neither WAVE nor MPEG.
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
        file, parts: [part], pretending: pretended,
        replacing: isCorrected ? total?.correction : nil))
    if !isCorrected { samplesBehind = total?.surplus ?? 0 }
    try placeSamples(stated, in: window, file, part)
    if pretended != nil, !isPlaced { endSamples(stated, at: end - start) }
    place = MetadataPlace(
      bytes: .file(file), container: container, start: start, samples: part, channelLayout: nil)
    try arrangeChannels(head, window, from: start, to: end)
    if !isPlaced { takeClaim(stated) }
    try container.row.settle?(
      &self, SettledPart(window: window, part: part, stated: stated, name: file.name))
    if case .bytes(let samples)? = stated, start + samples.upperBound > end {
      takeClaim(ofWhole: file, part, length: samples.upperBound)
    }
  }

  /// A stream of MPEG audio.
  init(_ stream: MpegStream, in file: FileDescriptor) throws(AudioError) {
    guard !stream.parts.isEmpty else {
      throw AudioError(
        .malformed, cannot: "read", file.name, because: "it holds no whole frame of MPEG audio")
    }
    // The estimate is made from the first frame; no frame is a sixty-fourth of another.
    let length = stream.parts.reduce(0) { $0 + Int64($1.count) }
    try self.init(
      SndfileHandle.ofKnownKind(
        file, parts: stream.parts, pretending: stream.isEstimated ? length * 64 + 128 : nil,
        hidesLength: true),
      leavingOut: stream.leadingSamples)
    if let first = stream.parts.first, let last = stream.parts.last {
      place = MetadataPlace(
        bytes: .file(file), container: .mp3, start: first.lowerBound,
        samples: first.lowerBound..<last.upperBound, channelLayout: nil)
    }
    samplesPerChannel = stream.samplesPerChannel
    claimedSamplesPerChannel = stream.claimedSamplesPerChannel ?? stream.samplesPerChannel
    statesLength = stream.statesLength
    endsWithin = stream.endsWithin
  }

  /// Lets the samples end with the file, where libsndfile was told that it goes on.
  ///
  /// - Parameter end: of the file, counted from the start of the sound.
  private mutating func endSamples(_ stated: StatedLength?, at end: Int64) {
    guard case .bytes(let samples)? = stated, container.storesPlainSamples(encoding),
      let size = encoding.bytesPerSample
    else { return }
    let actual = max(0, end - samples.lowerBound) / Int64(size * format.channelCount)
    samplesPerChannel = actual
    (reader as? SndfileSampleReader)?.limit(to: actual)
  }

  /// Takes over what the header states, where that is samples or samples are stored one by one.
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

  /// Lets libsndfile say how many samples a codec's bytes would be if they were all there.
  ///
  /// - Parameter length: that of the whole file as far as the samples go.
  mutating func takeClaim(
    ofWhole file: FileDescriptor, _ part: Range<Int64>, length: Int64
  ) {
    guard !container.storesPlainSamples(encoding), samplesPerChannel != nil else { return }
    let whole = try? SndfileHandle(
      file, mode: SFM_READ, SF_INFO(), parts: [part], pretending: length)
    let count = whole?.information.frames ?? 0
    claimedSamplesPerChannel = count
    endsWithin = true
  }

  private func expect(_ wanted: Container, _ name: String) throws(AudioError) {
    // Ogg with Vorbis and with Opus are one to those who name it, and so are the kinds of WAVE.
    guard wanted == container || wanted.row.kin == container.row.kin && wanted.row.kin != nil else {
      throw AudioError(
        .malformed, cannot: "read", name,
        because: "it is \(container.rawValue), not \(wanted.rawValue)")
    }
  }
}

/// The part of a file that was opened, for what its container knows better than libsndfile.
struct SettledPart {
  let window: FileWindow
  let part: Range<Int64>
  let stated: StatedLength?
  let name: String
}

extension OpenedSoundFile {
  /// Whether its samples are read by our own code, from places that were looked up.
  var isPlaced: Bool { !(reader is SndfileSampleReader) }

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

  /// A file that libsndfile reads.
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
    // libsndfile counts to the end of time where it does not know the length.
    guard information.frames < 1 << 48 else { return }
    if !reader.encoding.isFloatCodec { claimedSamplesPerChannel = information.frames }
    if handle.storage != nil { samplesPerChannel = information.frames }
  }
}
