import Foundation
import Synchronization

/// A process whose output is read while it runs, so that it never has to wait for its reader.
final class RunningProcess {
  private let process = Process()
  private let output = PipeReader()
  private let error = PipeReader()
  private let hasEnded = DispatchSemaphore(value: 0)

  init(
    _ executable: URL, _ arguments: [String], environment: [String: String] = [:],
    input: StandardInput = .nothing, in directory: URL? = nil
  ) throws {
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = directory
    process.environment = Self.environment.merging(environment) { $1 }
    process.standardOutput = output.pipe
    process.standardError = error.pipe
    let hasEnded = hasEnded
    process.terminationHandler = { _ in hasEnded.signal() }
    let writer: PipeWriter?
    switch input {
    case .nothing:
      process.standardInput = FileHandle.nullDevice
      writer = nil
    case .file(let url):
      process.standardInput = try FileHandle(forReadingFrom: url)
      writer = nil
    case .bytes(let bytes):
      let pipe = Pipe()
      process.standardInput = pipe
      writer = PipeWriter(bytes, pipe)
    }
    try Self.withoutBlockedSignals { try process.run() }
    output.start()
    error.start()
    writer?.start()
  }

  func send(signal: Int32) {
    kill(process.processIdentifier, signal)
  }

  /// Waits until the process is stopped, for example by SIGTSTP.
  ///
  /// - Returns: false if it is not within half a minute.
  func awaitStop() -> Bool {
    for _ in 0..<3_000 {
      let status = try? String(
        contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)
      // The name may contain spaces; the state follows its closing bracket.
      if status?.split(separator: ")").last?.hasPrefix(" T") == true { return true }
      usleep(10_000)
    }
    return false
  }

  /// Waits for the end; a process that takes longer than a minute is killed.
  func wait() -> ProcessRun {
    if hasEnded.wait(timeout: .now() + 60) == .timedOut {
      kill(process.processIdentifier, SIGKILL)
      hasEnded.wait()
    }
    let status = process.terminationStatus
    return ProcessRun(
      ending: process.terminationReason == .exit ? .exit(status) : .signal(status),
      standardOutput: output.bytes(),
      standardError: String(decoding: error.bytes(), as: UTF8.self))
  }

  /// The threads that run tests block signals, and a new process would inherit that.
  private static func withoutBlockedSignals(_ body: () throws -> Void) rethrows {
    var none = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    try body()
  }

  /// The environment of the tests, without what depends on the terminal, and with `rawaudio` on the path.
  private static let environment: [String: String] = {
    var environment = ProcessInfo.processInfo.environment
    for name in ["COLUMNS", "LINES", "NO_COLOR"] { environment[name] = nil }
    let directory = BuiltProducts.rawaudio.deletingLastPathComponent().path
    environment["PATH"] = directory + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    return environment
  }()
}

/// Reads all of a pipe, on a thread of its own.
private final class PipeReader: Sendable {
  let pipe = Pipe()
  private let collected = Mutex<[UInt8]>([])
  private let isComplete = DispatchSemaphore(value: 0)

  func start() {
    Thread.detachNewThread { [self] in
      let bytes = Array(pipe.fileHandleForReading.readDataToEndOfFile())
      collected.withLock { $0 = bytes }
      isComplete.signal()
    }
  }

  /// Everything, once all writers have closed the pipe.
  func bytes() -> [UInt8] {
    isComplete.wait()
    return collected.withLock { $0 }
  }
}

/// Feeds a pipe on a thread of its own and closes it.
private final class PipeWriter: Sendable {
  private let bytes: [UInt8]
  private let pipe: Pipe

  init(_ bytes: [UInt8], _ pipe: Pipe) {
    self.bytes = bytes
    self.pipe = pipe
    // A process that does not read to the end must not end the tests.
    signal(SIGPIPE, SIG_IGN)
  }

  func start() {
    Thread.detachNewThread { [self] in
      let handle = pipe.fileHandleForWriting
      try? handle.write(contentsOf: Data(bytes))
      try? handle.close()
    }
  }
}
