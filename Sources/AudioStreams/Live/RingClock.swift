// SPDX-License-Identifier: Apache-2.0
/// The part of a live end that its own thread uses.
package protocol RingOwner: AnyObject, Sendable {
  var live: LiveRing { get }
}

/// The clock of a live end, as its thread reads it. Session thread only.
package final class RingClock: PacingClock {
  package let name: String
  private let direction: DeviceDirection
  private nonisolated(unsafe) var owner: (any RingOwner)?
  private nonisolated(unsafe) var opened: ClockTiming?
  private nonisolated(unsafe) var latest: ClockReading?

  /// - Parameter name: the identity of the clock, which the ends of one device or server share.
  package init(_ name: String, _ direction: DeviceDirection) {
    self.name = name
    self.direction = direction
  }

  package func open(_ owner: any RingOwner, _ parameters: DeviceParameters) {
    unsafe self.owner = owner
    unsafe opened = ClockTiming(
      sampleRate: parameters.format.sampleRate, periodSize: parameters.periodSize,
      bufferSize: parameters.bufferSize)
  }

  /// Releases the end; its timing stays known.
  package func close() { unsafe owner = nil }

  package var timing: ClockTiming? { unsafe opened }

  package func watch() { unsafe owner?.live.watchClock() }

  package func reading() -> ClockReading? {
    // Several observers may watch one clock.
    unsafe latest = owner?.live.latestClockReading() ?? latest
    return unsafe latest
  }

  package var exchangedSamplesPerChannel: Int64 {
    unsafe Int64(owner?.live.exchanged(direction) ?? 0)
  }
}
