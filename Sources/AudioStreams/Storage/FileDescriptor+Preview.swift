// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

extension FileDescriptor {
  /// Returns the next `count` bytes of this descriptor; fewer only if the stream is shorter, or if `suffices` accepts
  /// fewer.
  ///
  /// The next read of this object delivers them again. Another reader of the same pipe gets them, too, unless
  /// `areTaken`.
  package func preview(
    _ count: Int, unless suffices: ([UInt8]) -> Bool
  ) throws(AudioError) -> (bytes: [UInt8], areTaken: Bool) {
    if isRegular { return (try bytes(count, at: position), false) }
    if isPipe, let bytes = try pipePreview(count, unless: suffices) { return (bytes, false) }
    mayHavePackets = isPipe
    return (try nextBytesGivenBack(count), true)
  }

  /// - Returns: nil if the pipe carries packets, or holds too few bytes and, for a moment, gets no more.
  private func pipePreview(
    _ count: Int, unless suffices: ([UInt8]) -> Bool
  ) throws(AudioError) -> [UInt8]? {
    // `poll` cannot tell whether more bytes have joined the waiting ones: look again, at growing intervals.
    var pause: UInt32 = 1_000
    while true {
      guard try waitForInput() else { return try teeOnce(count).bytes }
      var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&request, 1, -1) < 0 {
        // The loop checks again whether the session is to end.
        if errno == EINTR { continue }
        throw systemError(cannot: "read")
      }
      let (bytes, arePackets) = try teeOnce(count)
      if arePackets { return nil }
      let hasEnded = request.revents & Int16(POLLHUP) != 0
      if bytes.count == count || hasEnded { return bytes }
      guard pause < 64_000 else { return suffices(bytes) ? bytes : nil }
      usleep(pause)
      pause *= 2
    }
  }

  /// Copies a pipe's content with `tee(2)`, which leaves it in the pipe.
  ///
  /// - Returns: the copied bytes, and whether they were in packets: a read gives only one.
  private func teeOnce(
    _ count: Int
  ) throws(AudioError) -> (bytes: [UInt8], arePackets: Bool) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw systemError(cannot: "read") }
    let reader = try FileDescriptor(ends[0], name: name, closes: true)
    let writer = try FileDescriptor(ends[1], name: name, closes: true)
    let copied = rawaudio_tee(number, writer.number, count)
    guard copied >= 0 || errno == EAGAIN || errno == EINTR else {
      throw systemError(cannot: "read")
    }
    guard copied > 0 else { return ([], false) }
    hasGiven = true
    let queue = ByteQueue(capacity: copied)
    let read = try unsafe queue.append(atMost: copied) { (target) throws(AudioError) in
      try unsafe reader.read(into: target)
    }
    return (unsafe Array(queue.bytes), read < copied)
  }
}
