// SPDX-License-Identifier: Apache-2.0
/// Opens a stream and lets it begin, on threads of their own: name servers and servers are waited for. Session thread
/// only.
final class StreamOpening {
  /// Opens the way of the packets.
  ///
  /// - Parameter mustEnd: whether a wait is to end.
  typealias Open =
    @Sendable (_ mustEnd: @escaping @Sendable () -> Bool) throws(AudioError) -> OpenedStream

  private typealias Answer = Result<OpenedStream, AudioError>

  private let device: String
  private let stopFlag: StopFlag
  private let open: Open
  private var call: BackgroundCall<Answer>?
  private var opened: OpenedStream?
  private var isReceiving = false

  /// - Parameter device: the name in errors.
  init(_ device: String, _ stopFlag: StopFlag, _ open: @escaping Open) {
    self.device = device
    self.stopFlag = stopFlag
    self.open = open
  }

  /// Begins to open the stream, and lets it begin at once: ``stream(_:)`` and ``receive(_:)`` wait no longer when
  /// ``isRunning`` is false.
  func begin(_ wakeup: Wakeup) {
    // A system without threads is told by the next call.
    call = try? call(wakeup) { (stream) throws(AudioError) in try stream.transport.start() }
    isReceiving = call != nil
  }

  var isRunning: Bool { call.map { $0.result == nil } ?? false }

  /// The stream, which is opened for it if it is not yet.
  func stream(_ wakeup: Wakeup) throws(AudioError) -> OpenedStream {
    if let opened { return opened }
    let begun = call
    call = nil
    let stream =
      if let begun { try finish(begun, wakeup) } else {
        try finish(call(wakeup) { _ in }, wakeup)
      }
    opened = stream
    return stream
  }

  /// Lets the stream begin if it has not. It is lost after an error.
  func receive(_ wakeup: Wakeup) throws(AudioError) {
    guard !isReceiving, let stream = opened else { return }
    opened = nil
    let call = try BackgroundCall(named: "network start") { () -> Answer in
      Self.answer { () throws(AudioError) in
        try stream.transport.start()
        return stream
      }
    }
    opened = try finish(call, wakeup)
    isReceiving = true
  }

  private func call(
    _ wakeup: Wakeup, then body: @escaping @Sendable (OpenedStream) throws(AudioError) -> Void
  ) throws(AudioError) -> BackgroundCall<Answer> {
    let (open, stopFlag) = (open, stopFlag)
    return try BackgroundCall(named: "network opening", signalling: wakeup) {
      Self.answer { () throws(AudioError) in
        let stream = try open { wakeup.request != nil || stopFlag.isSet }
        try body(stream)
        return stream
      }
    }
  }

  private static func answer(
    _ body: () throws(AudioError) -> OpenedStream
  ) -> Answer {
    do throws(AudioError) {
      return .success(try body())
    } catch {
      return .failure(error)
    }
  }

  private func finish(
    _ call: BackgroundCall<Answer>, _ wakeup: Wakeup
  ) throws(AudioError) -> OpenedStream {
    let answer = call.result(atMost: .seconds(1 << 30)) {
      wakeup.request == nil && !stopFlag.isSet
    }
    guard let answer else {
      throw AudioError(
        .interrupted, cannot: "receive", device, because: "the session was asked to end")
    }
    return try answer.get()
  }

  /// Gives the stream up. A call that waits ends by itself.
  func end() {
    stopFlag.set()
    call = nil
    opened = nil
  }
}
