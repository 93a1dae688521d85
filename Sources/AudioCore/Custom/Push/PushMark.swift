/// A note to the reading end of a push source: what happens before the sample at `position`.
struct PushMark: BitwiseCopyable {
  /// Samples per channel written to the ring before this takes effect.
  var position: Int
  /// The rate of the samples from here on.
  var rate: Int
  /// Whether the conversion so far is to be flushed: the rate changes.
  var startsRun: Bool
  /// Samples per channel of silence, at the stream's rate where a run starts, else at `rate`.
  var silence: Int64
}

/// The marks on their way from the sending thread to the session thread. Lock-free, of fixed size.
struct PushMarks: ~Copyable, Sendable {
  private let ring = SampleRing(capacity: 256, sampleFrameSize: MemoryLayout<PushMark>.stride)

  /// Whether another mark fits. Sending thread only.
  var hasRoom: Bool { ring.free() > 0 }

  /// Adds a mark, before the samples that it speaks of; there must be room. Sending thread only.
  func append(_ mark: PushMark) {
    guard let place = unsafe ring.writable().baseAddress else { return }
    unsafe place.storeBytes(of: mark, as: PushMark.self)
    ring.push(1)
  }

  /// The oldest mark. Session thread only.
  var first: PushMark? {
    let held = unsafe ring.readable()
    guard held.count > 0, let place = held.baseAddress else { return nil }
    return unsafe place.load(as: PushMark.self)
  }

  /// Drops the oldest mark. Session thread only.
  func removeFirst() { ring.pop(1) }
}
