// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Lines of text that are written on a ``BackgroundWriter``'s thread. Session thread only.
///
/// The next ``write(line:)``, or ``close(_:)``, throws an error from that thread.
package final class BackgroundLines {
  /// Bytes that may wait for the writer.
  private static let capacity = 1 << 18

  /// Nil for a log.
  private let file: OutputFile?
  private let log: LogTarget?
  private let feed: BackgroundFeed
  private var isOpen = true
  /// The first line of a file that is no log; nil if there is none.
  package var head: String?
  /// Whether writing has begun: an old file is empty from then on.
  package private(set) var hasBegun = false

  /// Opens a file for lines. An old file is emptied with the first line. A new file that never gets a line is removed,
  /// unless it is closed as finished.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - overwrite: whether an existing file may be replaced.
  ///   - writer: its thread writes the lines.
  ///   - overflow: the behaviour if the file does not keep up.
  /// - Throws: `alreadyExists`, `notFound` (the directory), `unavailable`; `invalidParameter` if the file is another
  ///   output too, or an input that would be emptied.
  package convenience init(
    path: String, overwrite: Bool = false, on writer: BackgroundWriter,
    overflow: BackgroundOverflow
  ) throws(AudioError) {
    // In place, because lines are useful even if the session fails.
    let file = try OutputFile(path: path, overwrites: overwrite, .inPlace)
    self.init(file, on: writer, overflow)
  }

  /// Writes lines to a descriptor that is already open, and never closes it.
  ///
  /// - Parameters:
  ///   - descriptor: open for writing.
  ///   - name: the descriptor's name in errors.
  ///   - writer: its thread writes the lines.
  ///   - overflow: the behaviour if the reader does not keep up.
  package convenience init(
    descriptor: Int32, name: String, on writer: BackgroundWriter, overflow: BackgroundOverflow
  ) throws(AudioError) {
    self.init(try OutputFile(descriptor, name: name), on: writer, overflow)
  }

  /// Appends lines to a log. If the disk is full, lines are lost until it has room again, and ``flush()`` or
  /// ``close(_:)`` throws the first failure.
  ///
  /// - Parameters:
  ///   - log: used by the writer's thread from now on.
  ///   - name: its name in errors.
  ///   - writer: its thread writes the lines.
  ///   - overflow: the behaviour if the file does not keep up.
  package init(
    log: LogSeries, name: String, on writer: BackgroundWriter, overflow: BackgroundOverflow
  ) {
    file = nil
    let target = LogTarget(log)
    self.log = target
    let lane = BackgroundLane(target, capacity: Self.capacity, unitSize: 1)
    feed = BackgroundFeed(lane, name, on: writer, overflow, session: Wakeup())
  }

  private init(
    _ file: OutputFile, on writer: BackgroundWriter, _ overflow: BackgroundOverflow
  ) {
    self.file = file
    log = nil
    let lane = BackgroundLane(FileTarget(file), capacity: Self.capacity, unitSize: 1)
    feed = BackgroundFeed(
      lane, file.descriptor.name, on: writer, overflow, session: Wakeup())
    watch(feed.session)
  }

  /// Makes waits here end with this session. Call it before the first line.
  package func watch(_ session: Wakeup) {
    file?.descriptor.wakeup = session
    file?.descriptor.claim?.belong(to: session)
    feed.session = session
  }

  deinit { release() }

  /// Closes the file, as finished if writing has begun, otherwise as abandoned. Ignores an error, which cannot be
  /// reported any more.
  package func release() { try? close(hasBegun ? .finished : .abandoned) }

  /// The number of lines dropped because the writer did not keep up.
  package private(set) var droppedLines = 0

  /// Hands over `line` and a line break: as a whole, or not at all if lines may be dropped.
  ///
  /// - Throws: the error of writing; `lifeCycle` after ``close(_:)``.
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
    try file?.begin()
    hasBegun = true
    if let head { _ = try write(line: head) }
  }

  /// Waits until all written lines are in the file.
  ///
  /// - Throws: the error of writing.
  package func flush() throws(AudioError) {
    guard isOpen else { return }
    try begin()
    try feed.flush()
    if let failure = log?.failure.withLock({ $0 }) { throw failure }
  }

  /// Writes the waiting lines, or drops them with `abandoned`, and closes the file. An abandoned file without a line is
  /// then as it was before. A second call does nothing.
  ///
  /// - Throws: the error of writing.
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

/// A log behind a lane whose units are bytes.
final class LogTarget: BackgroundTarget {
  private let log: LogSeries
  /// A line whose end is still to come.
  private var begun: [UInt8] = []
  /// The first failure.
  let failure = Mutex<AudioError?>(nil)

  init(_ log: LogSeries) { self.log = log }

  func take(_ bytes: UnsafeRawBufferPointer) -> SinkStatus {
    unsafe begun.append(contentsOf: bytes)
    guard let end = begun.lastIndex(of: UInt8(ascii: "\n")) else { return .accepted }
    let lines = Array(begun[...end])
    begun.removeFirst(lines.count)
    do {
      try log.append(lines)
    } catch {
      failure.withLock { $0 = $0 ?? error }
    }
    return .accepted
  }

  func close(_ reason: StopReason) throws(AudioError) {
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
