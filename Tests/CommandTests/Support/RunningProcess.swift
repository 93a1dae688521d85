import CLinux
import Foundation
import Synchronization

/// A process whose output is read while it runs, so that it never has to wait for its reader.
///
/// Not Foundation's `Process`: with many descriptors that one reads beyond its memory (Swift 6.2), and `FileHandle`
/// ends the tests where a signal interrupts it.
final class RunningProcess {
  private let output: PipeReader
  private let error: PipeReader
  private let end = ProcessEnd()
  private let processID: pid_t

  init(
    _ executable: URL, _ arguments: [String], environment: [String: String] = [:],
    input: StandardInput = .nothing, in directory: URL? = nil
  ) throws {
    output = try PipeReader()
    error = try PipeReader()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var writer: PipeWriter?
    switch input {
    case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    case .file(let url):
      unsafe posix_spawn_file_actions_addopen(&actions, 0, url.path, O_RDONLY, 0)
    case .bytes(let bytes):
      let pipe = try PipeWriter(bytes)
      unsafe posix_spawn_file_actions_adddup2(&actions, pipe.readingEnd, 0)
      writer = pipe
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, output.writingEnd, 1)
    unsafe posix_spawn_file_actions_adddup2(&actions, error.writingEnd, 2)
    unsafe rawaudio_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // The threads that run tests block signals, and a new process would inherit that.
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    let variables = Self.environment.merging(environment) { $1 }
    let place = directory.map { ["/usr/bin/env", "-C", $0.path] } ?? []
    let words = place + [executable.path] + arguments
    var strings = unsafe words.map { unsafe strdup($0) } + [nil]
    var settings = unsafe variables.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer {
      unsafe strings.forEach { unsafe free($0) }
      unsafe settings.forEach { unsafe free($0) }
    }
    var processID: pid_t = 0
    let code = unsafe posix_spawn(
      &processID, words[0], &actions, &attributes, &strings, &settings)
    output.closeWritingEnd()
    error.closeWritingEnd()
    writer?.closeReadingEnd()
    guard code == 0 else { throw CocoaError(.executableNotLoadable) }
    self.processID = processID
    output.start()
    error.start()
    writer?.start()
    end.await(processID)
  }

  func send(signal: Int32) {
    kill(processID, signal)
  }

  /// Waits until the process is stopped, for example by SIGTSTP.
  ///
  /// - Returns: false if it is not within half a minute.
  func awaitStop() -> Bool {
    for _ in 0..<3_000 {
      let status = try? String(contentsOfFile: "/proc/\(processID)/stat", encoding: .utf8)
      // The name may contain spaces; the state follows its closing bracket.
      if status?.split(separator: ")").last?.hasPrefix(" T") == true { return true }
      usleep(10_000)
    }
    return false
  }

  /// Waits for the end; a process that takes longer than a minute is killed.
  func wait() -> ProcessRun {
    let ending =
      end.ending(atMost: 60)
      ?? {
        kill(processID, SIGKILL)
        return end.ending(atMost: 60) ?? .signal(SIGKILL)
      }()
    return ProcessRun(
      ending: ending, standardOutput: output.bytes(),
      standardError: String(decoding: error.bytes(), as: UTF8.self))
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

/// How a process ended, which a thread of its own waits for.
private final class ProcessEnd: Sendable {
  private let result = Mutex<ProcessRun.Ending?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  func await(_ processID: pid_t) {
    Thread.detachNewThread { [self] in
      var status: Int32 = 0
      while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      result.withLock { [status] in $0 = signal == 0 ? .exit(status >> 8 & 0xFF) : .signal(signal) }
      hasEnded.signal()
    }
  }

  /// - Returns: nil where it goes on for so many seconds.
  func ending(atMost seconds: Double) -> ProcessRun.Ending? {
    if hasEnded.wait(timeout: .now() + seconds) == .timedOut { return nil }
    hasEnded.signal()
    return result.withLock { $0 }
  }
}

/// The two ends of a pipe, which no other process inherits.
private func makePipe() throws -> (reading: Int32, writing: Int32) {
  var ends: [Int32] = [-1, -1]
  guard unsafe rawaudio_pipe(&ends) == 0 else { throw CocoaError(.fileReadUnknown) }
  return (ends[0], ends[1])
}

/// Reads all of a pipe, on a thread of its own.
private final class PipeReader: Sendable {
  let writingEnd: Int32
  private let readingEnd: Int32
  private let collected = Mutex<[UInt8]>([])
  private let isComplete = DispatchSemaphore(value: 0)

  init() throws { (readingEnd, writingEnd) = try makePipe() }

  func closeWritingEnd() { close(writingEnd) }

  func start() {
    Thread.detachNewThread { [self] in
      var bytes: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = unsafe read(readingEnd, &block, block.count)
        if count > 0 { bytes += block[..<count] }
        if count == 0 || count < 0 && errno != EINTR { break }
      }
      close(readingEnd)
      collected.withLock { [bytes] in $0 = bytes }
      isComplete.signal()
    }
  }

  /// Everything, once all writers have closed the pipe.
  func bytes() -> [UInt8] {
    isComplete.wait()
    isComplete.signal()
    return collected.withLock { $0 }
  }
}

/// Feeds a pipe on a thread of its own and closes it.
private final class PipeWriter: Sendable {
  let readingEnd: Int32
  private let writingEnd: Int32
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    (readingEnd, writingEnd) = try makePipe()
    // A process that does not read to the end must not end the tests.
    signal(SIGPIPE, SIG_IGN)
  }

  func closeReadingEnd() { close(readingEnd) }

  func start() {
    Thread.detachNewThread { [self] in
      var written = 0
      while written < bytes.count {
        let count = unsafe bytes.withUnsafeBytes { bytes in
          unsafe write(
            writingEnd, bytes.baseAddress.map { unsafe $0 + written }, bytes.count - written)
        }
        if count > 0 { written += count }
        if count < 0, errno != EINTR { break }
      }
      close(writingEnd)
    }
  }
}
