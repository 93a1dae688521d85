// SPDX-License-Identifier: Apache-2.0
import Glibc
internal import Synchronization

/// The links of a chained Ogg file that comes from a pipe: a thread reads it and gives each link a pipe of its own.
///
/// libsndfile 1.2.0 ends with the first link, and has then taken bytes of the next.
final class OggPipes {
  private let lane: Lane
  private let thread: SystemThread
  /// The one that is being read.
  private var current: PipeEnd?

  /// - Parameter source: the pipe, which belongs to the thread from now on.
  /// - Throws: `unavailable` where the system grants no thread.
  init(_ source: FileDescriptor) throws(AudioError) {
    let lane = Lane(source)
    self.lane = lane
    thread = try SystemThread(named: "Ogg reader") { lane.run() }
  }

  deinit {
    current?.close()
    lane.stop()
    _ = thread.join(atMost: .seconds(10))
  }

  /// Whether a link that has ended had no last page.
  var lacksEnds: Bool { lane.lacksEnds.load(ordering: .acquiring) }

  /// The pipe of the next link, for which it waits; nil where none follows. The one before is closed.
  ///
  /// - Throws: what reading the source failed with.
  func next() throws(AudioError) -> PipeEnd? {
    current?.close()
    current = try lane.next()
    return current
  }

  private struct End: @unchecked Sendable {
    let pipe: PipeEnd
  }

  private final class Lane: Sendable {
    private struct Content {
      var ends: [End] = []
      var hasEnded = false
      var failure: AudioError?
    }

    private let content = Mutex(Content())
    private let changed = Wakeup()
    private let isStopped = Atomic(false)
    let lacksEnds = Atomic(false)
    private nonisolated(unsafe) let source: FileDescriptor

    init(_ source: FileDescriptor) { unsafe self.source = source }

    func next() throws(AudioError) -> PipeEnd? {
      while true {
        let (end, hasEnded, failure) = content.withLock { content in
          (
            content.ends.isEmpty ? nil : content.ends.removeFirst(), content.hasEnded,
            content.failure
          )
        }
        if let end { return end.pipe }
        if let failure { throw failure }
        if hasEnded { return nil }
        changed.wait(atMost: .seconds(1))
      }
    }

    /// Lets the thread end, wherever it is.
    func stop() {
      isStopped.store(true, ordering: .releasing)
      let left = content.withLock { content in
        defer { content.ends = [] }
        return content.ends
      }
      // Who writes to them is told.
      left.forEach { $0.pipe.close() }
    }

    func run() {
      var failure: AudioError?
      do { try move() } catch { failure = error }
      content.withLock { content in
        content.hasEnded = true
        content.failure = failure
      }
      changed.signal()
    }

    /// Moves everything from the source into pipes.
    private func move() throws(AudioError) {
      let pages = unsafe OggPageReader(source) {
        self.isStopped.load(ordering: .acquiring)
      }
      var target: PipeEnd?
      var flags: UInt8 = OggPage.isLast
      while let piece = try pages.next() {
        if let next = piece.flags {
          if target == nil || next & OggPage.isFirst != 0 && flags & OggPage.isFirst == 0 {
            if flags & OggPage.isLast == 0 { lacksEnds.store(true, ordering: .releasing) }
            // The link before ends for its reader.
            target?.close()
            target = try makePipe()
          }
          flags = next
        }
        guard let target else { continue }
        guard try write(piece.bytes, to: target) else { return }
      }
      if flags & OggPage.isLast == 0 { lacksEnds.store(true, ordering: .releasing) }
      target?.close()
    }

    private func makePipe() throws(AudioError) -> PipeEnd {
      let pipe = try PipeEnd.pipe()
      let isWanted = content.withLock { content in
        guard !isStopped.load(ordering: .acquiring) else { return false }
        content.ends.append(End(pipe: pipe.reading))
        return true
      }
      if !isWanted { pipe.reading.close() }
      changed.signal()
      return pipe.writing
    }

    /// - Returns: false where nobody reads it any more.
    private func write(_ bytes: [UInt8], to target: PipeEnd) throws(AudioError) -> Bool {
      let queue = ByteQueue(capacity: max(1, bytes.count))
      _ = try unsafe queue.append { target in
        unsafe target.copyBytes(from: bytes)
        return bytes.count
      }
      while queue.count > 0 {
        guard case .moved(let count) = try unsafe target.write(queue.bytes) else { return false }
        queue.consume(count)
      }
      return true
    }
  }
}

/// Cuts what comes from a pipe into pages and what lies between them.
private final class OggPageReader {
  struct Piece {
    var bytes: [UInt8]
    /// Of a page; nil where it is none.
    var flags: UInt8?
  }

  private let source: FileDescriptor
  private let isStopped: () -> Bool
  private var bytes: [UInt8] = []
  private var hasEnded = false

  init(_ source: FileDescriptor, isStopped: @escaping () -> Bool) {
    self.source = source
    self.isStopped = isStopped
  }

  /// - Returns: nil at the end, or where it is stopped.
  func next() throws(AudioError) -> Piece? {
    while true {
      if let size = OggPage.sizes(bytes)?.all, bytes.count >= size {
        // The next page may begin within one that is cut.
        let count = OggPage(Array(bytes[..<size])) == nil ? nextCapture : size
        return take(count, isPage: count == size)
      }
      let mayBegin =
        bytes.count < 4
        ? Array("OggS".utf8).starts(with: bytes)
        : bytes.has("OggS", at: 0) && (bytes.count < 5 || bytes[4] == 0)
      if !mayBegin { return take(nextCapture, isPage: false) }
      if hasEnded { return bytes.isEmpty ? nil : take(nextCapture, isPage: false) }
      guard try readMore() else { return nil }
    }
  }

  /// Where the next page may begin behind the first byte, or where that cannot be told yet.
  private var nextCapture: Int {
    let capture = Array("OggS".utf8)
    return bytes.indices.dropFirst().first { index in
      capture.starts(with: bytes[index..<min(index + 4, bytes.count)])
    } ?? bytes.count
  }

  private func take(_ count: Int, isPage: Bool) -> Piece {
    let flags = isPage ? bytes[5] : nil
    defer { bytes.removeFirst(count) }
    return Piece(bytes: Array(bytes[..<count]), flags: flags)
  }

  private func readMore() throws(AudioError) -> Bool {
    while !isStopped() {
      var request = pollfd(fd: source.number, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&request, 1, 100)
      if let wakeup = source.wakeup, wakeup.request != .none {
        throw AudioError(systemCode: EINTR, cannot: "read", source.name)
      }
      if count == 0 { continue }
      let queue = ByteQueue(capacity: 1 << 14)
      let size = try unsafe queue.append { (target) throws(AudioError) in
        try unsafe source.read(into: target)
      }
      hasEnded = size == 0
      bytes += unsafe Array(queue.bytes)
      return true
    }
    return false
  }
}
