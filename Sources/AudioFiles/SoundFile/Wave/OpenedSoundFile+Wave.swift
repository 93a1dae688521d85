// SPDX-License-Identifier: Apache-2.0
extension OpenedSoundFile {
  /// Opens a WAVE file. The library reads the header itself, and leaves codecs to libsndfile.
  init(wave descriptor: FileDescriptor, from start: Int64) throws(AudioError) {
    let input = try WaveHeaderInput(descriptor, from: start)
    let header = try WaveHeader(reading: input)
    let wave = header.format
    let format = try StreamFormat(
      claiming: wave.sampleRate, wave.channelCount, in: descriptor.name)
    guard wave.isPlain else {
      if descriptor.isRegular {
        try self.init(codec: header, in: descriptor, from: start)
        place = header.place(of: .file(descriptor), from: start)
      } else {
        try self.init(regular: SpooledFile.holding(input.kept, thenAllOf: descriptor))
      }
      return
    }
    guard let layout = wave.layout(header.byteOrder) else {
      throw .malformed(
        descriptor.name,
        because: "its 'fmt ' chunk names \(wave.bitsPerSample) bits in blocks of "
          + "\(wave.blockAlign) bytes for \(wave.channelCount) channels")
    }
    let bytesPerFrame = Int64(layout.bytesPerSample * wave.channelCount)
    let stored = PlainSampleReader(
      descriptor, layout, channelCount: wave.channelCount, from: header.dataOffset,
      byteCount: header.actualBytes ?? header.claimedBytes)
    let padding = try wave.isPadded ? header.padding(in: descriptor) : nil
    let reader: any SampleReader =
      if wave.holdsWideIntegers {
        WideIntegerReader(stored, header.byteOrder)
      } else if wave.isPadded {
        PaddedBitsReader(stored, padding)
      } else {
        stored
      }
    self.init(
      container: header.is64Bit ? .rf64 : .wav,
      encoding: padding == .low ? .s24 : layout.encoding,
      byteOrder: layout.bytesPerSample > 1 ? header.byteOrder : nil,
      format: format,
      claimedSamplesPerChannel: header.claimedBytes.map { $0 / bytesPerFrame },
      samplesPerChannel: header.actualBytes.map { $0 / bytesPerFrame },
      reader: reader)
    samplesBehind = header.bytesBehind / bytesPerFrame
    if let reading = wave.reading { readings.append(reading) }
    if let padding {
      readings.append(
        .paddedBits(padding, isStated: descriptor.corrections.paddedBits != nil))
    }
    place = header.place(
      of: descriptor.isRegular ? .file(descriptor) : .held(input.kept), from: start)
  }

  /// Opens a WAVE file whose samples are encoded.
  private init(
    codec header: WaveHeader, in file: FileDescriptor, from start: Int64
  ) throws(AudioError) {
    let end = try max(start, file.size())
    let samples = header.dataOffset..<max(header.dataOffset, end)
    if header.format.isMPEG,
      let streams = try MpegStream.streams(
        in: FileWindow(of: file, samples), from: header.dataOffset, searching: true)
    {
      try self.init(streams, in: file)
      container = header.is64Bit ? .rf64 : .wav
    } else {
      do {
        try self.init(SndfileHandle.ofKnownKind(file, seeing: SndfileView(parts: [start..<end])))
      } catch {
        throw error.naming(ForeignCoding.name(ofTag: header.format.tag), in: file.name)
      }
      endWithLastBlock(header)
    }
    guard let claimed = header.claimedBytes, let actual = header.actualBytes, actual < claimed
    else { return }
    endsWithin = true
    if !header.format.isMPEG {
      takeClaim(ofWhole: file, start..<end, length: header.dataOffset - start + claimed)
      if let blocks = WaveBlocks(header.format), claimedSamplesPerChannel != nil {
        claimedSamplesPerChannel = blocks.samples(in: claimed, stated: header.statedSamples)
      }
    }
  }
}
