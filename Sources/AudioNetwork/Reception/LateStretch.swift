// SPDX-License-Identifier: Apache-2.0
/// Packets that came later than their timestamps say. Either the network has held them back, and then they come faster
/// than they were sent until they are in time again; or the sender's clock stood still, and then they stay late.
struct LateStretch {
  /// How long packets are watched at least.
  private static let shortestWatch = Duration.milliseconds(250)

  private let watch: Double
  /// The first packet of the present watch, and its lateness in seconds.
  private var begin: MonotonicTime
  private var first: Double
  private var count = 0
  /// The least lateness so far, in seconds.
  private(set) var least: Double
  /// Whether the packets stay late: in the time of a watch they have made up for less than half of that time.
  private(set) var isLasting = false
  /// Whether the present watch has found no packet that made up for anything.
  private(set) var seemsLasting = true

  /// - Parameters:
  ///   - arrival: of the first late packet.
  ///   - lateness: of that packet, in seconds.
  ///   - jitter: the usual wait for a packet.
  init(since arrival: MonotonicTime, lateness: Double, jitter: Duration) {
    watch = Double(max(jitter, Self.shortestWatch).inNanoseconds) / 1e9
    begin = arrival
    first = lateness
    least = lateness
  }

  mutating func observe(_ lateness: Double, at arrival: MonotonicTime) {
    count += 1
    least = min(least, lateness)
    let time = arrival.seconds(since: begin)
    seemsLasting = first - lateness < max(time, 0) / 2
    if count < 2 || time < watch { return }
    isLasting = seemsLasting
    begin = arrival
    first = lateness
    count = 0
  }
}
