// SPDX-License-Identifier: Apache-2.0
import TestSupport
import AudioCore
import Synchronization

/// A push program that records its life and sends from a thread of its own.
final class SendingProgram: CustomSource {
  let format: StreamFormat?
  private let work: @Sendable (PushSender) -> Void
  var initializes = true
  var startFailure: AudioError?
  private(set) var calls: [GivenSource.Call] = []
  private(set) var sender: PushSender?
  private var thread: OtherThread.Running?

  init(_ format: StreamFormat?, work: @escaping @Sendable (PushSender) -> Void = { $0.finish() }) {
    self.format = format
    self.work = work
  }

  func initialize(_ sender: PushSender) -> Bool {
    calls.append(.initialize)
    self.sender = sender
    return initializes
  }

  func start() throws(AudioError) {
    calls.append(.start)
    if let startFailure { throw startFailure }
    guard let sender else { return }
    thread = OtherThread.run { [work] in work(sender) }
  }

  func stop() {
    calls.append(.stop)
    thread?.wait()
  }

  func dispose() { calls.append(.dispose) }
}

/// A sink program that records its life and can be told to fail.
final class CalledProgram<Sample: FrameSample>: CustomSink {
  let format: StreamFormat?
  var initializes = true
  var failures: [CollectingSink.Call: AudioError] = [:]
  var writeFails = false
  private(set) var calls: [CollectingSink.Call] = []
  private(set) var samples: [Sample] = []
  private(set) var settled: StreamFormat?

  init(_ format: StreamFormat? = nil) { self.format = format }

  func initialize(_ format: StreamFormat) -> Bool {
    calls.append(.initialize)
    settled = format
    return initializes
  }

  func start() throws(AudioError) { try record(.start) }

  func write(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    if writeFails { throw .diskFull }
    for index in samples.indices { self.samples.append(samples[index]) }
    return .accepted
  }

  func stop(_ reason: StopReason) throws(AudioError) {
    try record(reason == .finished ? .finish : .abandon)
  }

  func dispose() { calls.append(.dispose) }

  private func record(_ call: CollectingSink.Call) throws(AudioError) {
    calls.append(call)
    if let error = failures[call] { throw error }
  }
}

extension PullReader {
  /// Reads to the end of the stream in blocks of `size` samples per channel, with no silence.
  func readToEnd<Sample: FrameSample>(as type: Sample.Type, size: Int = .max) throws -> [Sample] {
    var samples: [Sample] = []
    while !isEnded {
      guard wait(atMost: .milliseconds(20_000)) else {
        throw AudioError(.inputOutput, cannot: "read", "", because: "nothing came")
      }
      samples += try readAvailable(as: type, atMost: size)
    }
    return samples
  }
}

/// A push source taken out of any session: what is sent is read at once, on one thread.
struct PushBench {
  let microphone: VirtualMicrophone
  let format: StreamFormat
  var sender: PushSender { microphone.sender }

  init(
    rate: Int = 48_000, channels: Int = 1, capacity: Int = 4_096, encoding: SampleEncoding = .f32
  )
    throws
  {
    format = try StreamFormat(sampleRate: rate, channelCount: channels)
    microphone = VirtualMicrophone(
      format: format, options: .init(name: "mic", encoding: encoding, capacity: capacity))
    _ = try microphone.initialize(proposing: nil, wakeup: Wakeup())
    try microphone.start()
  }

  /// Reads until nothing is there; at most `size` samples a call.
  func read(size: Int = 512) throws -> (samples: [Float], status: SourceStatus) {
    var all: [Float] = []
    while true {
      var status = SourceStatus.pending
      all += try [Float](capacity: size) { (output) throws(AudioError) in
        status = try microphone.read(into: &output)
      }
      if status != .ready { return (all, status) }
    }
  }
}

extension Array where Element == Float {
  /// What `fill` appends to an output span of that capacity.
  fileprivate init(
    capacity: Int, _ fill: (inout OutputSpan<Float>) throws(AudioError) -> Void
  ) throws(AudioError) {
    self = []
    let memory = UnsafeMutableBufferPointer<Float>.allocate(capacity: capacity)
    defer { unsafe memory.deallocate() }
    var output = unsafe OutputSpan(buffer: memory, initializedCount: 0)
    try fill(&output)
    let count = unsafe output.finalize(for: memory)
    unsafe append(contentsOf: memory[..<count])
  }
}
