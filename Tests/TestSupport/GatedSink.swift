// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// A sink whose writes wait at a gate, and which records its threads.
package final class GatedSink: PlainSink {
  /// Every write takes one signal.
  package let gate = DispatchSemaphore(value: 0)
  package private(set) var samples: [Double] = []
  package private(set) var threads: Set<UInt> = []
  package private(set) var stops: [StopReason] = []
  package private(set) var disposals = 0

  package init() {}

  /// Lets every write through from now on.
  package func open() { for _ in 0..<100_000 { gate.signal() } }

  package var precision: SamplePrecision { .single }
  package var room: Int { .max }

  package func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus
  {
    gate.wait()
    threads.insert(UInt(pthread_self()))
    self.samples.append(samples)
    return .accepted
  }

  package func stop(_ reason: StopReason) throws(AudioError) {
    threads.insert(UInt(pthread_self()))
    stops.append(reason)
  }

  package func dispose() { disposals += 1 }
}
