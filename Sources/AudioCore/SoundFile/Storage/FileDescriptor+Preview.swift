internal import CLinux
import Glibc

extension FileDescriptor {
  /// The first bytes of what this descriptor will deliver, without taking them; fewer than `count`
  /// only where the stream is shorter. Nil where it cannot be looked into (neither a regular file nor
  /// a pipe).
  func preview(_ count: Int) throws(AudioError) -> [UInt8]? {
    if isRegular { return try bytes(count, at: position) }
    return isPipe ? try pipePreview(count) : nil
  }

  private func pipePreview(_ count: Int) throws(AudioError) -> [UInt8] {
    while true {
      try waitForInput()
      var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      if unsafe poll(&request, 1, -1) < 0 {
        if errno == EINTR { continue }
        throw AudioError(systemCode: errno, cannot: "read", name)
      }
      let bytes = try teeOnce(count)
      let hasEnded = request.revents & Int16(POLLHUP) != 0
      if bytes.count == count || hasEnded { return bytes }
      // Some bytes are there, and poll has nothing to say about more: look again in a millisecond.
      usleep(1_000)
    }
  }

  /// `tee(2)` copies a pipe's content to another pipe and leaves it where it is.
  private func teeOnce(_ count: Int) throws(AudioError) -> [UInt8] {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else {
      throw AudioError(systemCode: errno, cannot: "read", name)
    }
    let reader = try FileDescriptor(ends[0], name: name, closes: true)
    let writer = try FileDescriptor(ends[1], name: name, closes: true)
    let copied = rawaudio_tee(number, writer.number, count)
    guard copied >= 0 || errno == EAGAIN || errno == EINTR else {
      throw AudioError(systemCode: errno, cannot: "read", name)
    }
    return copied > 0 ? try reader.nextBytes(copied) : []
  }
}
