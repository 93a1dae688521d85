import Glibc

/// Samples that lie in a file as they are: a WAV file, or one without a header.
final class PlainSampleWriter: SampleWriter {
  let layout: SampleLayout
  let significantBits: Int? = nil
  let clippedSamples = 0
  private let descriptor: FileDescriptor
  private var header: WaveHeaderWriter?
  private var cues = WaveCues()
  private let bytesPerFrame: Int
  /// Where in the file we began.
  private let base: Int64
  private var headerSize: Int64 = 0
  private var dataBytes: Int64 = 0
  private var isReaderGone = false

  /// - Parameter header: nil for a file without one.
  init(
    _ descriptor: FileDescriptor, _ layout: SampleLayout, channelCount: Int,
    header: WaveHeaderWriter?
  ) throws(AudioError) {
    self.descriptor = descriptor
    self.layout = layout
    self.header = header
    bytesPerFrame = layout.bytesPerSample * channelCount
    base = descriptor.position
    guard let header else { return }
    let bytes = header.bytes(dataBytes: header.isPatchable ? 0 : nil)
    headerSize = Int64(bytes.count)
    isReaderGone = try descriptor.write(bytes) == .readerGone
  }

  var sampleFrames: Int64 { dataBytes / Int64(bytesPerFrame) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    guard !isReaderGone else { return .readerGone }
    let status = try unsafe descriptor.writeAll(bytes) { dataBytes += Int64($0) }
    isReaderGone = status == .readerGone
    return status
  }

  func updateHeader() throws(AudioError) {
    guard let header, header.isPatchable else { return }
    let whole = sampleFrames * Int64(bytesPerFrame)
    try descriptor.write(header.bytes(dataBytes: whole), at: base)
  }

  func finish() throws(AudioError) {
    guard let header, !isReaderGone else { return }
    if header.isPatchable {
      let whole = sampleFrames * Int64(bytesPerFrame)
      if whole < dataBytes {
        // A full disk took a part of a sample frame.
        dataBytes = whole
        let end = base + headerSize + whole
        guard ftruncate(descriptor.number, off_t(end)) == 0 else {
          throw AudioError(systemCode: errno, cannot: "complete", descriptor.name)
        }
        lseek(descriptor.number, off_t(end), SEEK_SET)
      }
      try updateHeader()
    }
    if dataBytes & 1 == 1 { _ = try descriptor.write([0]) }
    try writeCues()
  }

  func mark(_ position: Int64, at sampleRate: Int, label: String) {
    guard let header, header.isPatchable else { return }
    let own = AudioTime.nearest(position, from: sampleRate, to: header.format.sampleRate)
    _ = cues.append(position: own, label: label)
  }

  /// Behind the samples, so that a file which ends before this is complete without them.
  private func writeCues() throws(AudioError) {
    guard let order = header?.layout.byteOrder, !cues.isEmpty else { return }
    let chunks = cues.chunks(order, length: sampleFrames)
    guard try descriptor.write(chunks) == .accepted else { return }
    header?.trailingBytes = Int64(chunks.count)
    try updateHeader()
  }
}
