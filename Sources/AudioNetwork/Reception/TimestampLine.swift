// SPDX-License-Identifier: Apache-2.0
/// The timestamps of a sender as positions, in samples per channel of the stream.
///
/// Timestamps are unwrapped from 32 bits. A sender whose timestamps fit neither its samples nor the local clock is placed by
/// its numbers alone.
struct TimestampLine {
  /// The largest deviation of a timestamp from the end of the samples before it that still means that end.
  private static let longestDeviation = Duration.milliseconds(40)
  /// The packets that show that timestamps do not fit.
  private static let proof = 3

  private let sampleRate: Int64
  private let clockRate: Int64
  /// A timestamp, and the position that it means.
  private var anchor: (timestamp: Int64, position: Int64)
  /// The timestamp and the number of the packet with the highest number, both unwrapped.
  var latest: (timestamp: Int64, number: Int64)
  /// Packets whose timestamps were where the samples before them ended, and those where neither these nor the local clock
  /// agreed.
  private var fits = 0
  private var misfits = 0
  /// The deviation of the last packet, in samples per channel, and whether there ever was one.
  private var deviation: Int64 = 0
  private var isInexact = false

  /// - Parameter position: of the first packet.
  init(_ payload: PayloadFormat, _ first: RTPPacket, at position: Int64) {
    sampleRate = Int64(payload.format.sampleRate)
    clockRate = Int64(payload.clockRate)
    anchor = (Int64(first.timestamp), position)
    latest = (Int64(first.timestamp), Int64(first.sequence))
  }

  /// Whether positions follow from timestamps.
  var isFollowed: Bool { fits > 0 || misfits < Self.proof }

  /// The unwrapped timestamp that is nearest to the latest one.
  func unwrapped(_ timestamp: UInt32) -> Int64 {
    let last = UInt32(truncatingIfNeeded: latest.timestamp)
    return latest.timestamp + Int64(Int32(bitPattern: timestamp &- last))
  }

  func position(of timestamp: Int64) -> Int64 {
    anchor.position + samples(timestamp - anchor.timestamp)
  }

  /// A length in units of the sender's clock, in samples per channel, rounded down.
  func samples(_ length: Int64) -> Int64 {
    if clockRate == sampleRate { return length }
    let (whole, part) = (length * sampleRate).quotientAndRemainder(dividingBy: clockRate)
    return part < 0 ? whole - 1 : whole
  }

  /// The deviation that is no leap, in samples per channel: a packet, at most 40 ms.
  func limit(_ count: Int) -> Int64 {
    min(Int64(count), Self.longestDeviation.samples(at: Int(sampleRate)))
  }

  mutating func shift(by count: Int64) { anchor.position += count }

  /// Notes how a packet follows the one with the number before.
  ///
  /// - Parameters:
  ///   - step: between their timestamps, in samples per channel.
  ///   - elapsed: between their arrivals, in samples per channel.
  ///   - count: samples per channel of the one before.
  mutating func note(step: Int64, elapsed: Int64, count: Int) {
    let limit = limit(count) / 2
    if abs(step - Int64(count)) <= limit {
      fits += 1
    } else if abs(step - elapsed) > limit {
      misfits += 1
    }
  }

  /// The place of a packet, in samples per channel.
  struct Place: Equatable {
    var position: Int64
    /// Whether timestamps have moved away from the samples over many packets.
    var isCorrection = false
  }

  /// Decides on the place of a packet.
  ///
  /// - Parameters:
  ///   - timestamp: unwrapped.
  ///   - end: of the samples before it.
  ///   - missing: how many packets between did not come.
  ///   - length: samples per channel of the packet before.
  ///   - isSound: whether it has samples.
  mutating func place(
    _ timestamp: Int64, end: Int64, missing: Int64, length: Int, isSound: Bool
  ) -> Place {
    let length = Int64(length)
    guard isFollowed else { return Place(position: isSound ? end + missing * length : end) }
    let position = position(of: timestamp)
    if position == end {
      deviation = 0
      return Place(position: end)
    }
    let limit = limit(Int(length))
    // A sender that is inexact has lost whole packets.
    let lost = isInexact && length > 0 ? (position - end + length / 2) / length : 0
    let expected = end + min(max(lost, 0), missing) * length
    let found = position - expected
    let step = found - deviation
    deviation = 0
    guard missing == 0 || isInexact, abs(found) <= limit else {
      if position < end {
        // Samples that came are not cut: the timestamp means their place from now on.
        anchor.position += end - position
        return Place(position: end, isCorrection: true)
      }
      let isCreeping = missing == 0 && isInexact && abs(step) <= limit
      return Place(position: position, isCorrection: isCreeping)
    }
    isInexact = true
    deviation = found
    return Place(position: expected)
  }
}
