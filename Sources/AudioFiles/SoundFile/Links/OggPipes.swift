// SPDX-License-Identifier: Apache-2.0
import Glibc
internal import Synchronization

/// The links of a chained Ogg file from a pipe. A thread reads the pipe and gives each link its own pipe.
///
/// libsndfile 1.2.0 ends after the first link, when it has already read bytes of the next.
final class OggPipes {
  private let lane: Lane
  private let thread: SystemThread
  private var current: PipeEnd?

  /// - Parameter source: the pipe; the thread owns it from now on.
  /// - Throws: `unavailable` if the system grants no thread.
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

  /// Whether an ended link had no last page.
  var lacksEnds: Bool { lane.lacksEnds.load(ordering: .acquiring) }

  /// Closes the previous pipe, waits, and returns the next link's pipe; nil at the end.
  ///
  /// - Throws: the error of reading the source.
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
      /// nil while the thread reads.
      var outcome: Result<Void, AudioError>?
    }

    private let content = Mutex(Content())
    private let changed = Semaphore()
    private let isStopped = Atomic(false)
    let lacksEnds = Atomic(false)
    private nonisolated(unsafe) let source: FileDescriptor

    init(_ source: FileDescriptor) { unsafe self.source = source }

    func next() throws(AudioError) -> PipeEnd? {
      while true {
        let (end, outcome) = content.withLock { content in
          (content.ends.isEmpty ? nil : content.ends.removeFirst(), content.outcome)
        }
        if let end { return end.pipe }
        if let outcome {
          try outcome.get()
          return nil
        }
        changed.wait(atMost: .seconds(1))
      }
    }

    /// Stops the thread, even during a read or a write.
    func stop() {
      isStopped.store(true, ordering: .releasing)
      let left = content.withLock { content in
        defer { content.ends = [] }
        return content.ends
      }
      // A closed reading end makes the thread's write fail.
      left.forEach { $0.pipe.close() }
    }

    func run() {
      let outcome = Result { () throws(AudioError) in try move() }
      content.withLock { $0.outcome = outcome }
      changed.signal()
    }

    /// Moves everything from the source into pipes.
    private func move() throws(AudioError) {
      let pages = unsafe OggPageReader(source) {
        self.isStopped.load(ordering: .acquiring)
      }
      var target: PipeEnd?
      var isUnread = false
      var flags: UInt8 = OggPage.isLast
      while let piece = try pages.next() {
        if let next = piece.flags {
          if target == nil || next & OggPage.isFirst != 0 && flags & OggPage.isFirst == 0 {
            if flags & OggPage.isLast == 0 { lacksEnds.store(true, ordering: .releasing) }
            // The previous link's reader sees its end.
            target?.close()
            target = try makePipe()
            isUnread = false
          }
          flags = next
        }
        guard let target, !isUnread else { continue }
        // A reader that has seen the last page closes its pipe, although bytes may follow before the next link.
        isUnread = try !write(piece.bytes, to: target)
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

    /// - Returns: false if the pipe has no reader any more.
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

/// Cuts the bytes from a pipe into pages and the bytes between them.
private final class OggPageReader {
  /// The flags are those of a page; nil for bytes between pages.
  typealias Piece = (bytes: [UInt8], flags: UInt8?)

  private let source: FileDescriptor
  private let isStopped: () -> Bool
  private var bytes: [UInt8] = []
  private var hasEnded = false

  init(_ source: FileDescriptor, isStopped: @escaping () -> Bool) {
    self.source = source
    self.isStopped = isStopped
  }

  /// - Returns: nil at the end or after a stop.
  func next() throws(AudioError) -> Piece? {
    while true {
      if let size = OggPage.sizes(bytes)?.all, bytes.count >= size {
        // The next page may begin within a cut one.
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

  /// The first place behind the first byte at which a page begins, or may begin.
  private var nextCapture: Int {
    let capture = Array("OggS".utf8)
    return bytes.indices.dropFirst().first { index in
      capture.starts(with: bytes[index..<min(index + 4, bytes.count)])
    } ?? bytes.count
  }

  private func take(_ count: Int, isPage: Bool) -> Piece {
    let flags = isPage ? bytes[5] : nil
    defer { bytes.removeFirst(count) }
    return (Array(bytes[..<count]), flags)
  }

  private func readMore() throws(AudioError) -> Bool {
    while !isStopped() {
      var request = pollfd(fd: source.number, events: Int16(POLLIN), revents: 0)
      let count = unsafe poll(&request, 1, 100)
      if let wakeup = source.wakeup, wakeup.request != nil {
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
