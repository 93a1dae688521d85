// SPDX-License-Identifier: Apache-2.0
/// The latest samples of every channel, each channel contiguous for a filter.
@safe
final class ChannelHistory<Sample: AudioSample> {
  let channelCount: Int
  /// The held samples per channel.
  private(set) var count = 0
  private let capacity: Int
  private let storage: UnsafeMutableBufferPointer<Sample>

  init(channelCount: Int, capacity: Int) {
    self.channelCount = channelCount
    self.capacity = capacity
    unsafe storage = .allocate(capacity: channelCount * capacity)
    unsafe storage.initialize(repeating: 0)
  }

  deinit { unsafe storage.deallocate() }

  /// The free space in samples per channel.
  var room: Int { capacity - count }

  /// The samples of `channel`, oldest first.
  @_lifetime(borrow self)
  func samples(of channel: Int) -> Span<Sample> {
    let start = channel * capacity
    let span = unsafe Span(
      _unsafeElements: UnsafeBufferPointer(storage.extracting(start..<start + count)))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Appends whole interleaved sample frames, at most ``room`` per channel.
  func append(_ input: Span<Sample>) {
    let added = input.count / channelCount
    precondition(added <= room)
    unsafe input.withUnsafeBufferPointer { source in
      guard let from = source.baseAddress, let to = unsafe storage.baseAddress else { return }
      for channel in 0..<channelCount {
        unsafe extract(
          from + channel, every: channelCount, added, to: to + channel * capacity + count)
      }
    }
    count += added
  }

  /// Appends zeros to every channel, at most ``room``.
  func appendSilence(_ added: Int) {
    precondition(added <= room)
    for channel in 0..<channelCount {
      let start = channel * capacity + count
      unsafe storage.extracting(start..<start + added).update(repeating: 0)
    }
    count += added
  }

  /// Drops the oldest samples of every channel.
  func drop(_ dropped: Int) {
    precondition(dropped <= count)
    for channel in 0..<channelCount {
      let start = channel * capacity
      unsafe _ = storage.extracting(start..<start + count).update(
        fromContentsOf: storage.extracting(start + dropped..<start + count))
    }
    count -= dropped
  }
}

@_specialize(where Sample == Float)
@_specialize(where Sample == Double)
private func extract<Sample: AudioSample>(
  _ source: UnsafePointer<Sample>, every stride: Int, _ count: Int,
  to target: UnsafeMutablePointer<Sample>
) {
  // A constant stride lets the compiler vectorise the loop.
  switch stride {
  case 1: unsafe target.update(from: source, count: count)
  case 2: for index in 0..<count { unsafe target[index] = source[index &* 2] }
  default: for index in 0..<count { unsafe target[index] = source[index &* stride] }
  }
}
