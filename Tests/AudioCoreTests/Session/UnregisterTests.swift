import AudioCore
import Foundation
import Synchronization
import Testing

@Suite struct UnregisterTests {
  /// Lingers in its first call until another thread is about to unregister it.
  private final class Lingerer: RecordObserver, @unchecked Sendable {
    let isInside = DispatchSemaphore(value: 0)
    let isUnregistering = DispatchSemaphore(value: 0)
    let finishedCalls = Atomic(0)

    func record(_ frame: inout AudioFrame<Float>) -> Bool {
      if finishedCalls.load(ordering: .relaxed) == 0 {
        isInside.signal()
        isUnregistering.wait()
        // Time for an unregister that does not wait to come back too early.
        for _ in 0..<1_000 { sched_yield() }
      }
      finishedCalls.wrappingAdd(1, ordering: .sequentiallyConsistent)
      return true
    }
  }

  @Test func onAnotherThreadWaitsForTheCallInProgress() throws {
    let session = Session()
    try session.setLocal(try ArraySource(Noise.integers(20_000)))
    let observer = Lingerer()
    let registration = try session.register(observer)
    let calls = Mutex<Int?>(nil)
    let hasReturned = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      observer.isInside.wait()
      observer.isUnregistering.signal()
      registration.unregister()
      calls.withLock { $0 = observer.finishedCalls.load(ordering: .sequentiallyConsistent) }
      hasReturned.signal()
    }
    _ = try session.run()
    hasReturned.wait()
    let atReturn = try #require(calls.withLock { $0 })
    #expect(atReturn >= 1)
    #expect(observer.finishedCalls.load(ordering: .sequentiallyConsistent) == atReturn)
    #expect(registration.statistics[.record]?.calls == atReturn)
  }

  @Test func oneObserverMayUnregisterAnother() throws {
    let samples = Noise.integers(4_800)
    let session = Session()
    try session.setLocal(try ArraySource(samples))
    let box = Mutex<ObserverRegistration?>(nil)
    let first = RecordingObserver<Float>(.record) { _ in box.withLock { $0 }?.unregister() }
    let second = RecordingObserver<Float>(.record, FrameParameters(mode: .readWrite)) { span in
      for index in span.indices { span[index] = 0 }
    }
    try session.register(first)
    let registration = try session.register(second)
    box.withLock { $0 = registration }
    let sink = CollectingSink()
    try session.setSink(.publish, sink)
    _ = try session.run()
    #expect(first.frames.count == 10)
    #expect(second.frames.isEmpty)
    #expect(sink.samples == samples)
  }

  @Test func beforeTheRunItIsAsIfItHadNeverBeen() throws {
    let samples = Noise.integers(1_000)
    let session = Session()
    try session.setLocal(try ArraySource(samples))
    let observer = RecordingObserver<Float>(
      .record, FrameParameters(sampleRate: 8_000, mode: .writeOnly, samplesPerCall: 80))
    try session.register(observer).unregister()
    let sink = CollectingSink()
    try session.setSink(.publish, sink)
    _ = try session.run()
    #expect(observer.frames.isEmpty)
    #expect(sink.samples == samples)
  }
}
