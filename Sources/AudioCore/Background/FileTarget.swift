/// A file behind a lane whose units are bytes.
final class FileTarget: BackgroundTarget {
  private let file: OutputFile

  init(_ file: OutputFile) { self.file = file }

  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    try unsafe file.descriptor.writeAll(bytes)
  }

  func close(_ reason: StopReason) throws(AudioError) { try file.commit() }
}
