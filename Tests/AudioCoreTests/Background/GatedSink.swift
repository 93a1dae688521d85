// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Foundation

/// A sink whose writes wait at a gate, and which knows its threads.
final class GatedSink: AudioSink {
  /// Every write takes one signal.
  let gate = DispatchSemaphore(value: 0)
  private(set) var samples: [Double] = []
  private(set) var threads: Set<UInt> = []
  private(set) var stops: [StopReason] = []
  private(set) var disposals = 0

  /// Lets every write through from now on.
  func open() { for _ in 0..<100_000 { gate.signal() } }

  var precision: SamplePrecision { .single }
  var room: Int { .max }

  func initialize(
    proposing proposal: StreamFormat, wakeup: Wakeup
  ) throws(AudioError) -> StreamFormat { proposal }

  func start() throws(AudioError) {}

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    gate.wait()
    threads.insert(UInt(pthread_self()))
    self.samples.append(samples)
    return .accepted
  }

  func stop(_ reason: StopReason) throws(AudioError) {
    threads.insert(UInt(pthread_self()))
    stops.append(reason)
  }

  func dispose() { disposals += 1 }
}
