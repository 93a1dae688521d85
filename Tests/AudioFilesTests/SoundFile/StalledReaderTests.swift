// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import Testing

@testable import AudioFiles
@testable import AudioStreams

/// A reader that takes nothing keeps a session only until it is asked to end.
@Suite(.timeLimit(.minutes(1))) struct StalledReaderTests {
  let scratch = ScratchDirectory()
  init() { signal(SIGPIPE, SIG_IGN) }

  enum Output: CaseIterable {
    case pipe, socket
    /// A descriptor that a program lends: without RWF_NOWAIT.
    case lentNamedPipe
    /// A path that the sink opens.
    case namedPipe

    /// - Returns: the reading end, and a descriptor of the writing one.
    func open(_ path: String) -> (reading: Int32, writing: Int32) {
      var ends: [Int32] = [-1, -1]
      switch self {
      case .pipe: unsafe Glibc.pipe(&ends)
      case .socket: unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
      case .lentNamedPipe, .namedPipe:
        unsafe mkfifo(path, 0o600)
        ends = unsafe [Glibc.open(path, O_RDONLY | O_NONBLOCK), Glibc.open(path, O_WRONLY)]
        _ = fcntl(ends[0], F_SETFL, 0)
      }
      return (ends[0], ends[1])
    }
  }

  private func sink(
    _ output: Output, _ descriptor: Int32, _ container: Container = .raw
  ) throws -> SoundFileSink {
    let format = try FileFormat(container, container == .flac ? .s24 : .s16)
    guard output == .namedPipe else {
      return SoundFileSink(descriptor: descriptor, name: "peer", format: format)
    }
    return SoundFileSink(
      path: scratch.file("fifo"), format: format, overwrite: true, replacement: .inPlace)
  }

  /// Runs a session without an end into `sink`, asks it to end once `writing` takes no more, and then calls `after`.
  private func run(
    into sink: SoundFileSink, _ writing: Int32, _ request: SessionControl.Request,
    after: @escaping @Sendable () -> Void = {}
  ) throws -> SessionReport {
    let session = try Session(local: ToneSource(frequency: 440))
    try session.setSink(sink, at: .publish)
    let control = session.control
    let asking = OtherThread.run {
      var status = pollfd(fd: writing, events: Int16(POLLOUT), revents: 0)
      while unsafe poll(&status, 1, 0) > 0 { usleep(1_000) }
      control.requestStop(request)
      after()
    }
    defer { asking.wait() }
    return try session.run()
  }

  @Test(arguments: Output.allCases, [Container.raw, .wav, .flac])
  func abandoningWaitsForNoReader(output: Output, container: Container) throws {
    let (reading, writing) = output.open(scratch.file("fifo"))
    defer { [reading, writing].forEach { close($0) } }
    let report = try run(into: sink(output, writing, container), writing, .abandon)
    #expect(report.outcome == .abandoned)
  }

  @Test(arguments: Output.allCases)
  func finishingWaitsForAReaderOnlyForAWhile(output: Output) throws {
    let (reading, writing) = output.open(scratch.file("fifo"))
    defer { [reading, writing].forEach { close($0) } }
    let sink = try sink(output, writing)
    sink.destination.stallLimit = .milliseconds(1)
    let error = #expect(throws: AudioError.self) { try run(into: sink, writing, .finish) }
    #expect(error?.kind == .unavailable)
    #expect(error?.action == "finish writing to")
    #expect(error?.subject == (output == .namedPipe ? scratch.file("fifo") : "peer"))
    #expect(error?.reason == "nothing reads it any more")
    var waiting: Int32 = 0
    _ = unsafe ioctl(reading, UInt(FIONREAD), &waiting)
    #expect(
      error?.advice == "the first \(waiting / 2) samples per channel are kept")
  }

  /// A reader that is only late gets everything.
  @Test(arguments: Output.allCases)
  func finishingDeliversEverythingToALateReader(output: Output) throws {
    let (reading, writing) = output.open(scratch.file("fifo"))
    let collected = Box<[UInt8]>([])
    let isRead = DispatchSemaphore(value: 0)
    let sink = try sink(output, writing)
    let report = try run(into: sink, writing, .finish) {
      OtherThread.run {
        var block = [UInt8](repeating: 0, count: 5_000)
        while true {
          let count = unsafe read(reading, &block, block.count)
          if count <= 0 { break }
          collected.value += block.prefix(count)
        }
        isRead.signal()
      }
    }
    sink.dispose()
    close(writing)
    isRead.wait()
    close(reading)
    #expect(report.outcome == .stopped)
    #expect(report.sinks.map(\.samplesPerChannel) == [Int64(collected.value.count / 2)])
    #expect(sink.samplesPerChannel == Int64(collected.value.count / 2))
  }

  /// A named pipe without a reader is opened by no session that is asked to end.
  @Test(arguments: [SessionControl.Request.finish, .abandon])
  func aNamedPipeWithoutAReaderIsNotWaitedFor(request: SessionControl.Request) throws {
    unsafe mkfifo(scratch.file("fifo"), 0o600)
    let session = try Session(local: ToneSource(frequency: 440))
    try session.setSink(sink(.namedPipe, -1), at: .publish)
    session.control.requestStop(request)
    #expect(try session.run().outcome == (request == .finish ? .stopped : .abandoned))
  }
}
