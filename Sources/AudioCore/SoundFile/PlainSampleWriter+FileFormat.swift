extension PlainSampleWriter {
  /// The writer of a plain WAV file (of any kind) or headerless file; nil for every other format.
  convenience init?(
    _ descriptor: FileDescriptor, _ file: FileFormat, _ format: StreamFormat, largestRIFFSize: Int64
  ) throws(AudioError) {
    let isWave = file.container.isWave
    guard isWave || file.container == .raw,
      let layout = SampleLayout(file.encoding, file.byteOrder ?? (isWave ? .little : .native))
    else { return nil }
    let header = WaveHeaderWriter(
      format: format, layout: layout, isAlwaysExtensible: file.container == .wavex,
      isAlways64Bit: file.container == .rf64, isPatchable: descriptor.isPatchable,
      largestRIFFSize: largestRIFFSize)
    try self.init(
      descriptor, layout, channelCount: format.channelCount, header: isWave ? header : nil)
  }
}
