// SPDX-License-Identifier: Apache-2.0
import Synchronization
@testable import AudioNetwork

/// A network of a test: packets and failures in order, each step when the one before was taken.
final class ScriptedTransport: PacketTransport, Sendable {
  enum Step: Sendable {
    case packets([Sender.Packet])
    case control([UInt8])
    case failure(String)
  }

  private struct State {
    var steps: [Step] = []
    /// The answers to the next attempts to reconnect; nil = success.
    var refusals: [String] = []
    var attempts = 0
  }

  private let event: WakeEvent
  private let state = Mutex(State())

  let formats: PayloadNumbers

  init(_ payload: PayloadFormat? = nil, refusing refusals: [String] = []) throws {
    formats = PayloadNumbers(try payload ?? Sender.payload)
    event = try WakeEvent()
    state.withLock { $0.refusals = refusals }
  }

  var descriptors: [Int32] { [event.descriptor] }
  var deadline: MonotonicTime? { nil }
  var attempts: Int { state.withLock { $0.attempts } }

  func add(_ steps: Step...) {
    state.withLock { $0.steps += steps }
    event.signal()
  }

  func start() {}

  func receive(
    _ isReady: (Int32) -> Bool, _ take: (RawSpan, ReceivedPacket) -> Void
  ) throws(AudioError) {
    guard
      let step = state.withLock({ $0.steps.isEmpty ? nil : $0.steps.removeFirst() })
    else { return }
    switch step {
    case .packets(let packets):
      for packet in packets {
        unsafe take(
          packet.bytes.span.bytes,
          ReceivedPacket(isControl: false, sender: nil, arrival: packet.arrival))
      }
    case .control(let bytes):
      unsafe take(bytes.span.bytes, ReceivedPacket(isControl: true, sender: nil))
    case .failure(let reason):
      throw AudioError(.deviceLost, cannot: "receive", "", because: reason)
    }
  }

  func keep(at now: MonotonicTime) {}

  func reconnect(to payload: PayloadFormat) throws(AudioError) -> Bool {
    let refusal = state.withLock { state in
      state.attempts += 1
      return state.refusals.isEmpty ? nil : state.refusals.removeFirst()
    }
    if let refusal { throw AudioError(.unavailable, cannot: "receive", "", because: refusal) }
    return false
  }

  func close() {}
}

extension Sender.Packet {
  var bytes: [UInt8] { header.header + payload }
}
