// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Synchronization

/// A program behind a push source. It records its life and sends from a thread of its own.
final class SendingProgram {
  private let format: StreamFormat?
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

  func source(_ options: PushSource.Options = .init()) -> PushSource {
    PushSource(
      format: format, options: options, initialize: initialize, start: start, stop: stop,
      dispose: { self.calls.append(.dispose) })
  }

  private func initialize(_ sender: PushSender) -> Bool {
    calls.append(.initialize)
    self.sender = sender
    return initializes
  }

  private func start() throws {
    calls.append(.start)
    if let startFailure { throw startFailure }
    guard let sender else { return }
    thread = OtherThread.run { [work] in work(sender) }
  }

  private func stop() {
    calls.append(.stop)
    thread?.wait()
  }
}

/// A program behind a custom sink. It records its life and can be told to fail.
final class CalledProgram<Sample: FrameSample> {
  private let format: StreamFormat?
  var initializes = true
  var failures: [CollectingSink.Call: AudioError] = [:]
  var writeFails = false
  private(set) var calls: [CollectingSink.Call] = []
  private(set) var samples: [Sample] = []
  private(set) var settled: StreamFormat?

  init(_ format: StreamFormat? = nil) { self.format = format }

  var sink: CustomSink<Sample> {
    CustomSink(
      format: format, initialize: initialize, start: { try self.record(.start) },
      stop: { try self.record($0 == .finished ? .finish : .abandon) },
      dispose: { self.calls.append(.dispose) }, write: write)
  }

  private func initialize(_ format: StreamFormat) -> Bool {
    calls.append(.initialize)
    settled = format
    return initializes
  }

  private func write(_ samples: Span<Sample>) throws -> SinkStatus {
    if writeFails { throw AudioError.diskFull }
    for index in samples.indices { self.samples.append(samples[index]) }
    return .accepted
  }

  private func record(_ call: CollectingSink.Call) throws(AudioError) {
    calls.append(call)
    if let error = failures[call] { throw error }
  }
}

extension PullReader {
  /// Reads to the end of the stream in blocks of `size` samples per channel, without inserting silence.
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

/// A push source without a session: sent samples are read at once, on one thread.
struct PushBench {
  let microphone: PushSource
  let format: StreamFormat
  var sender: PushSender { microphone.sender }

  init(
    rate: Int = 48_000, channels: Int = 1, capacity: Int = 4_096, encoding: SampleEncoding = .f32
  )
    throws
  {
    format = try StreamFormat(sampleRate: rate, channelCount: channels)
    microphone = PushSource(
      format: format, options: .init(name: "mic", encoding: encoding, capacity: capacity))
    _ = try microphone.initialize(proposing: nil, wakeup: Wakeup())
    try microphone.start()
  }

  /// Reads at most `size` samples per call until nothing is left.
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
  /// The samples that `fill` appends to an output span of that capacity.
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
