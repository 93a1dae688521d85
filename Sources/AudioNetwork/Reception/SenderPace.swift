// SPDX-License-Identifier: Apache-2.0
/// The place that a sender has reached, by the packet with its highest number, and by the local clock.
struct SenderPace {
  /// The silence of a sender after which another may take its place.
  static let shortestRest = Duration.milliseconds(250)
  /// The largest step of timestamps that needs no proof by the local clock.
  private static let longestStep = Duration.seconds(60)
  /// How long a packet may be late, by its timestamp, and still belong to the stream.
  private static let longestDelay = Duration.seconds(2)

  private let sampleRate: Int
  private let jitter: Duration
  private var clock: ReceptionClock
  /// The position behind the packet with the highest number, in samples per channel.
  private var end: Int64 = 0
  /// Its samples per channel.
  private(set) var count = 0
  private var arrival: MonotonicTime?
  /// Set while packets are later than their timestamps say.
  private(set) var late: LateStretch?

  /// The meaning of a packet's arrival.
  enum Finding: Equatable {
    case usual
    /// It is late: this and the next ones are to be held.
    case isLate
    /// The sender's clock stood still before the packets that are held, for so many samples per channel.
    case stoodStill(ReceptionGap)
  }

  init(sampleRate: Int, jitter: Duration, origin: MonotonicTime) {
    self.sampleRate = sampleRate
    self.jitter = jitter
    clock = ReceptionClock(sampleRate: sampleRate, origin: origin)
  }

  var drift: ClockDrift? { clock.drift }

  /// The position that the sender has reached at `time`, by the local clock.
  func position(at time: MonotonicTime) -> Int64? { clock.position(at: time)?.samples }

  /// When the end of a packet at a position arrives at the earliest, by the local clock.
  func time(of position: Int64) -> MonotonicTime? { clock.time(of: position) }

  /// How far a packet may be from the local clock without contradicting it, in samples per channel.
  private func allowance(_ uncertainty: Int64) -> Int64 {
    uncertainty + (jitter + Self.shortestRest).samples(at: sampleRate)
  }

  /// The time since the last packet, in samples per channel.
  func elapsed(at time: MonotonicTime) -> Int64 {
    arrival.map { time.elapsed(since: $0).samples(at: sampleRate) } ?? 0
  }

  /// Whether a packet may be one of the first ones, whose timestamps are not known to be useful yet.
  ///
  /// - Parameters:
  ///   - number: its distance from the highest one.
  ///   - timestamp: unwrapped.
  func mayContinue(_ line: TimestampLine, _ number: Int64, _ timestamp: Int64) -> Bool {
    let step = abs(line.samples(timestamp - line.latest.timestamp))
    let most = Self.longestDelay * Double(max(abs(number), 1))
    return abs(number) <= StreamPlaces.longestStride
      && step <= min(most, Self.longestStep).samples(at: sampleRate)
  }

  /// Whether a packet continues the stream: its timestamp does, by its number or by the local clock.
  ///
  /// - Parameters:
  ///   - number: its distance from that of the packet with the latest timestamp.
  ///   - timestamp: unwrapped.
  ///   - count: its samples per channel.
  func continues(
    _ line: TimestampLine, _ number: Int64, _ timestamp: Int64, _ count: Int,
    at arrival: MonotonicTime
  ) -> Bool {
    let step = line.samples(timestamp - line.latest.timestamp)
    let limit = line.limit(max(count, self.count))
    // An older timestamp has an older number.
    if number <= 0 {
      return step <= limit && -step <= Self.longestDelay.samples(at: sampleRate)
    }
    if step <= 0 { return -step <= limit }
    if abs(step - number * Int64(self.count)) <= limit {
      return step <= Self.longestStep.samples(at: sampleRate)
    }
    guard let place = clock.position(at: arrival) else { return step <= Int64(sampleRate) }
    let ahead = line.position(of: timestamp) + Int64(count) - place.samples
    let allowance = allowance(place.uncertainty)
    return ahead <= allowance && (step <= Int64(sampleRate) || -ahead <= allowance)
  }

  /// Follows a packet that came behind one with a higher number.
  mutating func observeOlder(_ end: Int64, at arrival: MonotonicTime) {
    clock.observe(end, at: arrival)
  }

  /// Follows the packet with the highest number.
  ///
  /// - Parameters:
  ///   - line: with this packet.
  ///   - stride: its distance from the number before.
  ///   - count: its samples per channel.
  ///   - isOpening: whether the first packets of the stream are waited for.
  mutating func observe(
    _ line: TimestampLine, stride: Int64, _ count: Int, at arrival: MonotonicTime, isOpening: Bool
  ) -> Finding {
    let pause = elapsed(at: arrival)
    let expected = end + max(stride - 1, 0) * Int64(self.count)
    let begin = line.isFollowed ? line.position(of: line.latest.timestamp) : expected
    let isExpected = abs(begin - expected) <= line.limit(max(count, self.count))
    end = begin + Int64(count)
    if count > 0 { self.count = count }
    self.arrival = arrival
    guard !isOpening, let place = clock.position(at: arrival) else {
      clock.observe(end, at: arrival)
      return .usual
    }
    let finding = watch(place.samples - end, place.uncertainty, behind: pause, at: arrival)
    // A pause that the local clock has not seen is no reading of it.
    if late == nil, isExpected || end <= place.samples { clock.observe(end, at: arrival) }
    return finding
  }

  /// Finds out whether late packets were held back on the way, or sent late.
  ///
  /// - Parameters:
  ///   - lateness: of a packet, in samples per channel.
  ///   - pause: before its arrival, in samples per channel.
  private mutating func watch(
    _ lateness: Int64, _ uncertainty: Int64, behind pause: Int64, at arrival: MonotonicTime
  ) -> Finding {
    let allowance = uncertainty + max(jitter, Self.shortestRest).samples(at: sampleRate)
    let seconds = Double(lateness) / Double(sampleRate)
    guard var late else {
      guard lateness > allowance, pause > allowance else { return .usual }
      self.late = LateStretch(since: arrival, lateness: seconds, jitter: jitter)
      return .isLate
    }
    late.observe(seconds, at: arrival)
    self.late = lateness <= allowance ? nil : late
    return self.late != nil && late.isLasting ? .stoodStill(endLate(uncertainty)) : .usual
  }

  /// Ends a late stretch whose packets did not become earlier.
  ///
  /// - Returns: the gap before it.
  private mutating func endLate(_ uncertainty: Int64) -> ReceptionGap {
    let length = Int64(((late?.least ?? 0) * Double(sampleRate)).rounded())
    late = nil
    end += length
    clock.beginStretch(at: end)
    return ReceptionGap(count: length, uncertainty: uncertainty + Int64(max(count, 1)))
  }

  /// Ends a late stretch because no more packets come.
  ///
  /// - Returns: the gap before it. Nil if its packets became earlier.
  mutating func finish() -> ReceptionGap? {
    defer { late = nil }
    return late.map(\.seemsLasting) ?? false ? endLate(Int64(count)) : nil
  }

  /// Ends a late stretch, of which no more packets can be held.
  mutating func giveUpLate() { late = nil }

  /// Counts positions from another sample.
  mutating func shift(by count: Int64) {
    end += count
    clock.shift(by: count)
  }

  /// The time between the end of the stream and the begin of another one, by the local clock. Zero if it is shorter than its
  /// uncertainty.
  ///
  /// - Parameters:
  ///   - end: of the stream, in samples per channel.
  ///   - stated: the length that the sender's clock states if it goes on. Nil if it does not.
  ///   - arrival: of the first packet of the other stream.
  func gap(behind end: Int64, stated: Int64?, at arrival: MonotonicTime) -> ReceptionGap {
    let place = clock.position(at: arrival) ?? (self.end, 0)
    let length = place.samples - Int64(count) - end
    let uncertainty = place.uncertainty + Int64(max(count, 1))
    if let stated, stated >= 0, abs(stated - length) <= allowance(uncertainty) {
      return ReceptionGap(count: stated)
    }
    return length <= uncertainty
      ? ReceptionGap(count: 0) : ReceptionGap(count: length, uncertainty: uncertainty)
  }

  /// Goes on with another stream.
  mutating func begin(at position: Int64) {
    clock.beginStretch(at: position)
    end = position
    arrival = nil
  }
}
