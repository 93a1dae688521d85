// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// Waits for many descriptors and for other threads. On the listener's thread, but for ``wake()``.
final class ClientPoll: Sendable {
  /// The events awaited at a descriptor.
  struct Interest: OptionSet, Sendable {
    let rawValue: UInt8
    /// Bytes to read, a new client, or the end.
    static let reading = Interest(rawValue: 1)
    /// Room to write.
    static let writing = Interest(rawValue: 2)
  }

  /// The most descriptors that one wait returns.
  static let mostAtOnce = 256

  private let poll: Descriptor
  private let bell: Descriptor

  init() throws(AudioError) {
    poll = try Descriptor(rawaudio_epoll(), cannot: "wait for", "clients")
    bell = try Descriptor(rawaudio_event_descriptor(), cannot: "wait for", "clients")
    try set(bell, [.reading], isNew: true)
  }

  /// Ends a wait, or the next one. Any thread.
  func wake() {
    var one: UInt64 = 1
    _ = unsafe write(bell.number, &one, MemoryLayout<UInt64>.size)
  }

  /// Sets the events awaited at `descriptor`; an empty `interest` ignores even its end.
  ///
  /// - Parameter old: the events awaited so far.
  func change(
    _ descriptor: Descriptor, from old: Interest, to interest: Interest
  ) throws(AudioError) {
    if old == interest { return }
    if interest.isEmpty {
      _ = rawaudio_epoll_set(poll.number, EPOLL_CTL_DEL, descriptor.number, 0)
    } else {
      try set(descriptor, interest, isNew: old.isEmpty)
    }
  }

  private func set(
    _ descriptor: Descriptor, _ interest: Interest, isNew: Bool
  ) throws(AudioError) {
    var events: UInt32 = 0
    if interest.contains(.reading) { events |= EPOLLIN.rawValue }
    if interest.contains(.writing) { events |= EPOLLOUT.rawValue }
    let operation = isNew ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    guard rawaudio_epoll_set(poll.number, operation, descriptor.number, events) == 0 else {
      throw AudioError(systemCode: errno, cannot: "wait for", "a client")
    }
  }

  /// Waits until a descriptor has an awaited event, until ``wake()``, or for `limit` at most; nil means no limit.
  ///
  /// - Returns: the numbers of at most ``mostAtOnce`` descriptors.
  func wait(atMost limit: Duration?) -> ArraySlice<Int32> {
    var numbers = [Int32](repeating: -1, count: Self.mostAtOnce)
    let milliseconds = limit.map { Int32(clamping: ($0.inNanoseconds + 999_999) / 1_000_000) }
    let count = unsafe rawaudio_epoll_wait(poll.number, &numbers, milliseconds ?? -1)
    guard count > 0 else { return [] }
    var ready = numbers[..<Int(count)]
    if let place = ready.firstIndex(of: bell.number) {
      ready.remove(at: place)
      var value: UInt64 = 0
      _ = unsafe read(bell.number, &value, MemoryLayout<UInt64>.size)
    }
    return ready
  }
}
