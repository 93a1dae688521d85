// SPDX-License-Identifier: Apache-2.0
internal import Synchronization

/// Puts a received stream into the ring of a session. The thread of the network.
struct RingOutput {
  private let link: NetworkLink
  /// Samples per channel pushed to the ring, and of the silence between them.
  private(set) var delivered: Int64 = 0
  private var filled: Int64 = 0
  /// The gap that the next samples end.
  private var gap: DeviceGap?
  /// Whether the next gap is the absence of a lost sender, which the session counts.
  var isAway = false
  /// Samples per channel since the session was woken.
  private var waiting = 0

  init(_ link: NetworkLink) { self.link = link }

  /// Appends whole sample frames.
  mutating func append(_ samples: RawSpan, in layout: SampleLayout) {
    if layout == link.layout { return append(samples) }
    unsafe append(converted(samples, from: layout).span.bytes)
  }

  /// Another format of the sender, as the ring has its samples.
  private func converted(_ payload: RawSpan, from layout: SampleLayout) -> [UInt8] {
    let count = payload.byteCount / layout.bytesPerSample
    let samples = [Float](capacity: count) { Float.decode(payload, as: layout, into: &$0) }
    var bytes = [UInt8](repeating: 0, count: count * link.layout.bytesPerSample)
    var span = bytes.mutableSpan
    var target = unsafe span.mutableBytes
    _ = Float.encode(samples.span, as: link.layout, into: &target)
    return bytes
  }

  /// Appends samples in the layout of the ring.
  private mutating func append(_ payload: RawSpan) {
    let count = payload.byteCount / link.ring.sampleFrameSize
    guard link.ring.free() >= count, endGap() else { return overflow(Int64(count)) }
    if isAway {
      // The session must not find samples of a sender that is away and nothing behind them.
      isAway = false
      link.presence = .present
    }
    push(payload, count)
    delivered += Int64(count)
    link.moved.wrappingAdd(count, ordering: .relaxed)
    waiting += count
    guard waiting >= link.worth else { return }
    waiting = 0
    link.session.signal()
  }

  /// Appends silence that the sender meant, in samples per channel.
  mutating func appendSilence(_ count: Int64) {
    let silence = DeviceGap(
      cause: .network, position: delivered + filled + (gap?.lostSamples ?? 0), lostSamples: count,
      occurrences: 0)
    let mark = GapMark(gap: silence, ringPosition: delivered, isLoss: false)
    guard endGap(), link.gaps.append(mark) else { return overflow(count) }
    filled += count
  }

  /// Appends silence for lost samples.
  ///
  /// - Parameter continues: whether the loss belongs to the gap before it.
  mutating func appendGap(_ gap: ReceptionGap, continues: Bool) {
    if !isAway, !continues { link.losses.wrappingAdd(1, ordering: .relaxed) }
    extend(
      gap.isOverflow ? .ringOverflow : .network, gap.count, gap.uncertainty, isNew: !continues)
  }

  /// Reports a gap that no sample follows.
  mutating func finish() { _ = endGap() }

  private mutating func overflow(_ count: Int64) {
    let isNew = gap == nil
    if isNew { link.overflows.wrappingAdd(1, ordering: .relaxed) }
    link.overflowed.wrappingAdd(Int(count), ordering: .relaxed)
    extend(.ringOverflow, count, 0, isNew: isNew)
    link.session.signal()
  }

  private mutating func extend(
    _ cause: DeviceGap.Cause, _ count: Int64, _ uncertainty: Int64, isNew: Bool
  ) {
    guard var gap else {
      self.gap = DeviceGap(
        cause: cause, position: delivered + filled, lostSamples: count, uncertainty: uncertainty)
      return
    }
    gap.lostSamples = (gap.lostSamples ?? 0) + count
    gap.uncertainty += uncertainty
    if isNew { gap.occurrences += 1 }
    self.gap = gap
  }

  /// - Returns: false if there is no room for the report: the gap goes on.
  private mutating func endGap() -> Bool {
    guard let gap else { return true }
    guard link.gaps.append(GapMark(gap: gap, ringPosition: delivered)) else { return false }
    filled += gap.lostSamples ?? 0
    self.gap = nil
    return true
  }

  private func push(_ payload: RawSpan, _ count: Int) {
    let size = link.ring.sampleFrameSize
    var done = 0
    while done < count {
      let space = unsafe link.ring.writable()
      let part = min(space.count / size, count - done)
      if part == 0 { return }
      unsafe payload.extracting(done * size..<(done + part) * size).withUnsafeBytes {
        unsafe space.copyMemory(from: $0)
      }
      link.ring.push(part)
      done += part
    }
  }
}
