// SPDX-License-Identifier: Apache-2.0
private struct FileLink {
  let format: StreamFormat
  /// The samples per channel that exist, and those that the stream claims; nil if only the end shows them.
  let samples: (actual: Int64, claimed: Int64)?
  let open: () throws(AudioError) -> OpenedSoundFile
}

extension OpenedSoundFile {
  /// Opens an Ogg file of one or more links.
  ///
  /// - Parameter part: the Ogg file within the window.
  init(
    ogg window: FileWindow, _ file: FileDescriptor, _ part: Range<Int64>
  ) throws(AudioError) {
    let head = FileBeginning(
      try window.bytes(FileBeginning.length, at: part.lowerBound), named: file.name)
    // libsndfile would read the first one without a word about the others.
    if head.foreign == .severalInOgg { throw head.unrecognised }
    let found = try OggLinks(in: window, part)
    func open(_ range: Range<Int64>) throws(AudioError) -> OpenedSoundFile {
      let bytes = try window.bytes(FileBeginning.length, at: range.lowerBound)
      return try OpenedSoundFile(window, file, range, FileBeginning(bytes, named: file.name))
    }
    self = try open(found.ranges[0])
    guard found.ranges.count > 1 else { return }
    var endsWithin = found.lacksEnds
    var links: [FileLink] = []
    for range in found.ranges.dropFirst() {
      do {
        let link = try open(range)
        endsWithin = range == found.ranges.last && link.endsWithin || endsWithin
        let samples = link.samplesPerChannel.map { ($0, link.claimedSamplesPerChannel ?? $0) }
        links.append(
          FileLink(format: link.format, samples: samples) { () throws(AudioError) in
            try open(range)
          })
      } catch {
        // The previous links stay readable.
        guard error.kind == .malformed else { throw error }
        endsWithin = true
        break
      }
    }
    self.endsWithin = endsWithin
    join(links)
  }

  init(_ streams: [MpegStream], in file: FileDescriptor) throws(AudioError) {
    try self.init(streams[0], in: file)
    guard streams.count > 1 else {
      if let decoder = reader as? SndfileSampleReader {
        reader = MpegSampleReader(decoder, of: streams[0], in: file)
      }
      return
    }
    var links: [FileLink] = []
    for stream in streams.dropFirst() where !stream.parts.isEmpty {
      let actual = stream.samplesPerChannel
      links.append(
        FileLink(
          format: try stream.format(named: file.name),
          samples: (actual, stream.claimedSamplesPerChannel ?? actual)
        ) { () throws(AudioError) in try OpenedSoundFile(stream, in: file) })
      if stream.endsWithin { endsWithin = true }
    }
    join(links)
  }

  /// Appends the streams that follow this one.
  private mutating func join(_ links: [FileLink]) {
    var streams = JoinedStreams(format)
    var actual = SequencePositions(sampleRate: format.sampleRate)
    var claimed = actual
    let own = samplesPerChannel.map { ($0, claimedSamplesPerChannel ?? $0) }
    var isKnown = true
    for (format, samples) in [(format, own)] + links.map({ ($0.format, $0.samples) }) {
      guard let samples else {
        isKnown = false
        break
      }
      actual.add(samples.0, at: format.sampleRate)
      claimed.add(samples.1, at: format.sampleRate)
    }
    for link in links { streams.add(link.format) }
    samplesPerChannel = isKnown ? actual.next : nil
    claimedSamplesPerChannel = isKnown ? claimed.next : nil
    var rest = links[...]
    follow(
      LinkedReader(
        self, streams,
        next: { () throws(AudioError) in
          try rest.popFirst()?.open()
        }))
  }

  /// Opens an Ogg file from a pipe, which libsndfile reads as it arrives.
  init(oggStream descriptor: FileDescriptor) throws(AudioError) {
    let pipes = try OggPipes(descriptor)
    let name = descriptor.name
    guard let first = try pipes.next() else {
      throw .malformed(name, because: "nothing came from it")
    }
    try self.init(oggLink: first, named: name)
    var isCut = false
    follow(
      LinkedReader(
        self,
        next: { () throws(AudioError) in
          guard let end = try pipes.next() else { return nil }
          do throws(AudioError) {
            return try OpenedSoundFile(oggLink: end, named: name)
          } catch {
            guard error.kind == .malformed else { throw error }
            isCut = true
            return nil
          }
        }, lacksEnds: { isCut || pipes.lacksEnds }))
  }

  private init(oggLink end: PipeEnd, named name: String) throws(AudioError) {
    let pipe = try FileDescriptor(end.number, name: name, closes: false)
    let (bytes, _) = try pipe.preview(FileBeginning.length) { _ in true }
    let head = FileBeginning(bytes, named: name)
    try self.init(head.open(pipe))
    try arrangeChannels(head, HeldBytes(bytes), from: 0, to: Int64(bytes.count))
  }

  private mutating func follow(_ reader: LinkedReader) {
    self.reader = reader
    links = reader
  }
}
