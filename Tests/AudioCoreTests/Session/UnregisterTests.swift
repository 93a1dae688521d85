// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Synchronization
import Testing

@Suite struct UnregisterTests {
  /// Stays in its first call until another thread is about to unregister it.
  private final class Lingerer: RecordObserver, @unchecked Sendable {
    let isInside = DispatchSemaphore(value: 0)
    let isUnregistering = DispatchSemaphore(value: 0)
    let finishedCalls = Atomic(0)

    func record(_ frame: inout AudioFrame<Float>) -> Bool {
      if finishedCalls.load(ordering: .relaxed) == 0 {
        isInside.signal()
        isUnregistering.wait()
        // An unregister that does not wait would return too early in this time.
        for _ in 0..<1_000 { sched_yield() }
      }
      finishedCalls.wrappingAdd(1, ordering: .sequentiallyConsistent)
      return true
    }
  }

  @Test func onAnotherThreadWaitsForTheCallInProgress() throws {
    let session = try Session(local: GivenSource(Noise.integers(20_000)))
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
    let session = try Session(local: GivenSource(samples))
    let box = Mutex<ObserverRegistration?>(nil)
    let first = RecordingObserver<Float>(.record) { _ in box.withLock { $0 }?.unregister() }
    let second = RecordingObserver<Float>(.record, FrameParameters(mode: .readWrite)) { span in
      for index in span.indices { span[index] = 0 }
    }
    try session.register(first)
    let registration = try session.register(second)
    box.withLock { $0 = registration }
    let sink = try session.run(collecting: .publish)
    #expect(first.frames.count == 10)
    #expect(second.frames.isEmpty)
    #expect(sink.samples == samples)
  }

  /// Records its calls and its release.
  private final class Witness: RecordObserver {
    private let events: Box<[String]>
    var registration: ObserverRegistration?
    init(_ events: Box<[String]>) { self.events = events }
    func begin(_ stream: ObservedStream) throws(AudioError) { events.value.append("begin") }
    func record(_ frame: inout AudioFrame<Float>) -> Bool {
      events.value.append("frame")
      return true
    }
    func end(_ stream: ObservedStream, _ reason: StopReason) throws(AudioError) {
      events.value.append("end")
    }
    deinit {
      // Harmless here, too.
      registration?.unregister()
      events.value.append("released")
    }
  }

  enum Moment: CaseIterable {
    case beforeTheRun
    case whenFormatsAreSettled
    case inAnotherObserversFrame
    case atTheEndOfTheRun
  }

  /// From then on there is no call, not even `begin` or `end`, and nothing holds the observer.
  @Test(arguments: Moment.allCases)
  func nothingIsCalledOrHeldAfterwards(moment: Moment) throws {
    let events = Box<[String]>([])
    let session = try Session(local: GivenSource(Noise.integers(4_800), pieces: [480]))
    let box = Box<ObserverRegistration?>(nil)
    func unregister() {
      box.value?.unregister()
      events.value.append("unregistered")
    }
    let frames = Box(0)
    let other = RecordingObserver<Float>(.record) { _ in
      frames.value += 1
      if moment == .inAnotherObserversFrame, frames.value == 3 { unregister() }
    }
    try session.register(other)
    do {
      let witness = Witness(events)
      witness.registration = try session.register(witness)
      box.value = witness.registration
    }
    session.onStart = { _ in if moment == .whenFormatsAreSettled { unregister() } }
    if moment == .beforeTheRun { unregister() }
    _ = try session.run()
    if moment == .atTheEndOfTheRun { unregister() }
    let frame = Array(repeating: "frame", count: moment == .atTheEndOfTheRun ? 10 : 2)
    switch moment {
    case .beforeTheRun, .whenFormatsAreSettled:
      #expect(events.value == ["released", "unregistered"])
    case .inAnotherObserversFrame:
      #expect(events.value == ["begin"] + frame + ["released", "unregistered"])
    case .atTheEndOfTheRun:
      #expect(events.value == ["begin"] + frame + ["end", "released", "unregistered"])
    }
    #expect(other.frames.count == 10)
  }

  /// An observer that unregisters itself is released on return from its callback, while the session goes on.
  @Test func fromInsideACallItIsReleasedOnReturn() throws {
    final class Quitter: RecordObserver {
      let registration = Box<ObserverRegistration?>(nil)
      let isReleased: Box<Bool>
      init(_ isReleased: Box<Bool>) { self.isReleased = isReleased }
      func record(_ frame: inout AudioFrame<Float>) -> Bool {
        registration.value?.unregister()
        return true
      }
      deinit { isReleased.value = true }
    }
    let session = try Session(local: GivenSource(Noise.integers(4_800)))
    let isReleased = Box(false)
    do {
      let quitter = Quitter(isReleased)
      quitter.registration.value = try session.register(quitter)
    }
    let seen = Box<[Bool]>([])
    let next = RecordingObserver<Float>(.record) { _ in seen.value.append(isReleased.value) }
    try session.register(next)
    _ = try session.run()
    // A block passes one observer before the next.
    #expect(seen.value == Array(repeating: true, count: 10))
  }

  /// An observer that keeps its registration is still released with its session.
  @Test func aRegistrationDoesNotHoldItsObserver() throws {
    let events = Box<[String]>([])
    do {
      let session = try Session(local: GivenSource(Noise.integers(480)))
      let witness = Witness(events)
      witness.registration = try session.register(witness)
      _ = try session.run()
    }
    #expect(events.value == ["begin", "frame", "end", "released"])
  }

  /// The stream keeps its settled format, and the observer is not called.
  @Test func onceFormatsAreSettledTheStreamKeepsThem() throws {
    let samples = Noise.integers(1_000)
    let session = try Session(local: GivenSource(samples))
    let observer = RecordingObserver<Float>(
      .record, FrameParameters(channelCount: 2, mode: .writeOnly))
    let registration = try session.register(observer)
    session.onStart = { _ in registration.unregister() }
    let sink = try session.run(collecting: .publish)
    #expect(observer.frames.isEmpty)
    #expect(sink.format?.channelCount == 2)
    #expect(sink.samples == samples.flatMap { [$0, $0] })
  }

  @Test func beforeTheRunItIsAsIfItHadNeverBeen() throws {
    let samples = Noise.integers(1_000)
    let session = try Session(local: GivenSource(samples))
    let observer = RecordingObserver<Float>(
      .record, FrameParameters(sampleRate: 8_000, mode: .writeOnly, samplesPerCall: 80))
    try session.register(observer).unregister()
    let sink = try session.run(collecting: .publish)
    #expect(observer.frames.isEmpty)
    #expect(sink.samples == samples)
  }
}
