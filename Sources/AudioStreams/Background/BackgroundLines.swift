// SPDX-License-Identifier: Apache-2.0
/// Lines of text that are written on a ``BackgroundWriter``'s thread. Session thread only.
///
/// What fails there is thrown by the next ``write(line:)``, or by ``close(_:)``.
package final class BackgroundLines {
  /// Bytes that may wait for the writer.
  private static let capacity = 1 << 18

  private let file: OutputFile
  private let feed: BackgroundFeed
  private var isOpen = true
  /// Whether the file is ours: an old one is emptied by then.
  package private(set) var hasBegun = false

  /// Lines for a file, which is opened now. An old one is emptied with the first line; a new one that never gets
  /// a line is removed, unless it is closed as finished.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - overwrite: whether an existing file may be replaced.
  ///   - writer: on whose thread it is written.
  ///   - overflow: what happens where the file does not keep up.
  /// - Throws: `alreadyExists`, `notFound` (the directory), `unavailable`; `invalidParameter` where the file is
  ///   another output too, or an input that would be emptied.
  package convenience init(
    path: String, overwrite: Bool = false, on writer: BackgroundWriter,
    overflow: BackgroundOverflow
  ) throws(AudioError) {
    // Lines are worth having however the session ends.
    let file = try OutputFile(path: path, overwrites: overwrite, .inPlace)
    self.init(file, on: writer, overflow)
  }

  /// Lines for a descriptor that is already open, and never closed.
  ///
  /// - Parameters:
  ///   - descriptor: open for writing.
  ///   - name: what errors call it.
  ///   - writer: on whose thread it is written.
  ///   - overflow: what happens where the reader does not keep up.
  package convenience init(
    descriptor: Int32, name: String, on writer: BackgroundWriter, overflow: BackgroundOverflow
  ) throws(AudioError) {
    self.init(try OutputFile(descriptor, name: name), on: writer, overflow)
  }

  private init(
    _ file: OutputFile, on writer: BackgroundWriter, _ overflow: BackgroundOverflow
  ) {
    self.file = file
    let lane = BackgroundLane(FileTarget(file), capacity: Self.capacity, unitSize: 1)
    feed = BackgroundFeed(
      lane, file.descriptor.name, on: writer, overflow, session: Wakeup())
    watch(feed.session)
  }

  /// From now on the end of this session is seen while anything waits here. Before the first line.
  package func watch(_ session: Wakeup) {
    file.descriptor.wakeup = session
    file.descriptor.claim?.belong(to: session)
    feed.session = session
  }

  deinit { release() }

  /// Closes the file, as finished where it has begun. A failure cannot be reported any more.
  package func release() { try? close(hasBegun ? .finished : .abandoned) }

  /// Lines that were dropped because the writer did not keep up.
  package private(set) var droppedLines = 0

  /// Hands over `line` and a line break: all of it or, where lines may be dropped, nothing.
  ///
  /// - Throws: what writing failed with; `lifeCycle` after ``close(_:)``.
  package func write(line: String) throws(AudioError) -> SinkStatus {
    guard isOpen else {
      throw AudioError(.lifeCycle, cannot: "write a line", "", because: "the output is closed")
    }
    try begin()
    let dropped = feed.dropped
    let text = Array((line + "\n").utf8)
    let feed = feed
    let status = try unsafe text.span.bytes.withUnsafeBytes {
      (bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus in
      try unsafe feed.push(bytes, isIndivisible: true)
    }
    if feed.dropped != dropped { droppedLines += 1 }
    return status
  }

  private func begin() throws(AudioError) {
    guard !hasBegun else { return }
    try file.begin()
    hasBegun = true
  }

  /// Waits until what was written is in the file.
  ///
  /// - Throws: what writing failed with.
  package func flush() throws(AudioError) {
    guard isOpen else { return }
    try begin()
    try feed.flush()
  }

  /// Writes what waits, or with `abandoned` drops it, and closes the file; one without a line is then as it was
  /// before. Harmless a second time.
  ///
  /// - Throws: what writing failed with.
  package func close(_ reason: StopReason) throws(AudioError) {
    guard isOpen else { return }
    isOpen = false
    if reason == .finished { try begin() }
    try feed.close(reason)
  }
}

/// A file behind a lane whose units are bytes.
final class FileTarget: BackgroundTarget {
  private let file: OutputFile

  init(_ file: OutputFile) { self.file = file }

  func take(_ bytes: UnsafeRawBufferPointer) throws(AudioError) -> SinkStatus {
    try unsafe file.descriptor.writeAll(bytes)
  }

  func close(_ reason: StopReason) throws(AudioError) {
    if reason == .abandoned, !file.keepsIncomplete { return file.discard() }
    try file.commit()
  }
}
