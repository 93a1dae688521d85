// SPDX-License-Identifier: Apache-2.0
/// The arrival of packets against the sender's clock: the place that an instant of the local clock has in the stream, and
/// the drift of the sender.
///
/// The least delayed packet of the present and the last window tells the place best: a network only adds delays.
struct ReceptionClock {
  /// In this time a clock that is 200 ppm off moves by 1 ms.
  private static let window = 5.0

  private let sampleRate: Double
  private let origin: MonotonicTime
  private var windowBegin = 0.0
  /// The least and the largest of `arrival − position ÷ rate`, in seconds, of this window and of the last one.
  private var present: ClosedRange<Double>?
  private var last: ClosedRange<Double>?
  private var rate: DeviceClock
  /// The position from which ``rate`` counts.
  private var stretchBegin: Int64 = 0

  init(sampleRate: Int, origin: MonotonicTime) {
    self.sampleRate = Double(sampleRate)
    self.origin = origin
    rate = DeviceClock(sampleRate: sampleRate, started: origin, window: 0, isReadAtSteps: true)
  }

  /// Notes the arrival of a packet.
  ///
  /// - Parameter end: the position behind its last sample, in samples per channel: a sender sends it then.
  mutating func observe(_ end: Int64, at arrival: MonotonicTime) {
    let reading = CaptureReading(time: arrival, window: 0, available: 0, isRunning: true)
    rate.observe(reading, samples: end - stretchBegin)
    let time = arrival.seconds(since: origin)
    let delay = time - Double(end) / sampleRate
    if time - windowBegin >= Self.window {
      windowBegin = time
      last = present
      present = nil
    }
    let before = present ?? delay...delay
    present = min(before.lowerBound, delay)...max(before.upperBound, delay)
  }

  /// The position of the end of a packet that arrives at `time`, and its uncertainty, in samples per channel. Nil before
  /// the first packet.
  func position(at time: MonotonicTime) -> (samples: Int64, uncertainty: Int64)? {
    guard let present else { return nil }
    let least = min(present.lowerBound, last?.lowerBound ?? present.lowerBound)
    let most = max(present.upperBound, last?.upperBound ?? present.upperBound)
    let place = (time.seconds(since: origin) - least) * sampleRate
    return (Int64(place.rounded()), Int64(((most - least) * sampleRate).rounded(.up)))
  }

  /// When the end of a packet at a position arrives at the earliest. Nil before the first packet.
  func time(of position: Int64) -> MonotonicTime? {
    guard let present else { return nil }
    let least = min(present.lowerBound, last?.lowerBound ?? present.lowerBound)
    return origin.later(by: .seconds(least + Double(position) / sampleRate))
  }

  /// How much faster than nominal the sender's clock runs. Nil while it is not known to within 100 ppm.
  var drift: ClockDrift? { rate.knownDrift }

  /// Goes on with another clock, from this position on.
  mutating func beginStretch(at position: Int64) {
    rate.endStretch()
    stretchBegin = position
    present = nil
    last = nil
  }

  /// Counts positions from another sample.
  mutating func shift(by count: Int64) {
    stretchBegin += count
    let time = Double(count) / sampleRate
    present = present.map { $0.lowerBound - time...$0.upperBound - time }
    last = last.map { $0.lowerBound - time...$0.upperBound - time }
  }
}
