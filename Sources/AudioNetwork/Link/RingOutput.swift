// SPDX-License-Identifier: Apache-2.0
/// Puts a received stream into the ring of a session. The thread of the network.
struct RingOutput {
  private let link: NetworkLink
  private var account = CaptureAccount()
  /// Whether the next gap is the absence of a lost sender, which the session counts.
  var isAway = false

  init(_ link: NetworkLink) { self.link = link }

  /// Samples per channel pushed to the ring.
  var delivered: Int64 { account.delivered }

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
    let count = payload.byteCount / link.live.ring.sampleFrameSize
    guard link.live.ring.free() >= count, account.endGap(to: link.live) else {
      return overflow(Int64(count))
    }
    if isAway {
      // The session must not find samples of a sender that is away and nothing behind them.
      isAway = false
      link.presence = .present
    }
    unsafe payload.withUnsafeBytes {
      if let place = $0.baseAddress { unsafe link.live.ring.append(count, from: place) }
    }
    account.push(count)
    link.live.counters.moved.add(Int64(count))
    link.live.wakeSession(after: count)
  }

  /// Appends silence that the sender meant, in samples per channel.
  mutating func appendSilence(_ count: Int64) {
    if !account.addSilence(count, to: link.live) { overflow(count) }
  }

  /// Appends silence for lost samples.
  ///
  /// - Parameter continues: whether the loss belongs to the gap before it.
  mutating func appendGap(_ gap: ReceptionGap, continues: Bool) {
    if !isAway, !continues { link.live.counters.add(.network) }
    account.gap.add(
      gap.isOverflow ? .ringOverflow : .network, gap.count, uncertainty: gap.uncertainty,
      isNew: !continues)
  }

  /// Reports a gap that no sample follows.
  mutating func finish() { _ = account.endGap(to: link.live, isLast: true) }

  private mutating func overflow(_ count: Int64) {
    let isNew = !account.gap.isOpen
    if isNew { link.live.counters.add(.ringOverflow) }
    link.live.counters.overflowed.add(count)
    account.gap.add(.ringOverflow, count, isNew: isNew)
    link.live.wakeSession()
  }
}
