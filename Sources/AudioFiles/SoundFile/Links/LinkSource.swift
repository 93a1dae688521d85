// SPDX-License-Identifier: Apache-2.0
/// One of a file's consecutive streams, as an initialised source.
///
/// Runs on the session thread, or on the thread that reads ahead.
final class LinkSource: AudioSource {
  let format: StreamFormat
  let reader: any SampleReader
  /// Kept to hold the file open while it is read.
  private let file: OpenedSoundFile
  private let staged = ByteQueue(capacity: 1 << 16)

  init(_ file: OpenedSoundFile) {
    self.file = file
    format = file.format
    reader = file.reader
  }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    SourceDescription(
      format: format, encoding: file.encoding, samplesPerChannel: file.samplesPerChannel)
  }

  func start() {}

  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    let bytesPerFrame = reader.layout.bytesPerSample * format.channelCount
    let staged = staged
    let wanted = output.freeCapacity / format.channelCount * bytesPerFrame
    while staged.count < bytesPerFrame {
      let most = max(bytesPerFrame, min(wanted, staged.capacity / bytesPerFrame * bytesPerFrame))
      let count = try unsafe staged.append(atMost: most - staged.count) {
        (bytes) throws(AudioError) in try unsafe reader.read(into: bytes)
      }
      if count == 0 { return .ended }
    }
    let byteCount = min(staged.count, wanted) / bytesPerFrame * bytesPerFrame
    Sample.decode(staged.readable(byteCount), as: reader.layout, into: &output)
    staged.consume(byteCount)
    return .ready
  }

  func stop() {}

  func dispose() {}
}
