// SPDX-License-Identifier: Apache-2.0
import CLinux
import Foundation
import Synchronization

/// A process of a test. Its output is read while it runs, so that it never waits for its reader.
///
/// Not Foundation's `Process`: with many descriptors it reads beyond its memory (Swift 6.3.1), and `FileHandle` ends the
/// tests if a signal interrupts it.
package final class TestProcess {
  /// The standard input.
  package enum Input {
    case nothing
    case bytes([UInt8])
    /// The path of a file.
    case file(String)
  }

  /// The receiver of standard output.
  package enum Output {
    /// A pipe; each read takes the available bytes.
    case pipe
    /// A pipe of packets (pipe2(2), `O_DIRECT`): each read takes one write, up to 4,096 bytes.
    case packets
    /// A socket of packets (`SOCK_SEQPACKET`): each read takes one write.
    case socket
  }

  /// The result of a process.
  package struct Outcome {
    /// The status of waitpid(2).
    package var status: Int32
    package var standardOutput: [UInt8]
    /// The bytes in each read of standard output.
    package var readLengths: [Int] = []
    package var standardError: [UInt8]

    /// The exit code; nil if a signal ended the process.
    package var exitCode: Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
  }

  package let processID: Int32
  private let output: PipeReader
  private let error: PipeReader
  private let end = ProcessEnd()

  /// Starts a process in its own process group, without other descriptors than these three, and with the default action
  /// of every signal.
  ///
  /// - Parameters:
  ///   - words: the path of the program, and its arguments.
  ///   - environment: the whole environment; nil for the tests' own.
  ///   - target: the receiver of its standard output.
  ///   - directory: the path of its working directory; nil for the tests' own.
  package init(
    _ words: [String], environment: [String: String]? = nil, input: Input = .nothing,
    output target: Output = .pipe, in directory: String? = nil
  ) throws {
    output = try PipeReader(target)
    error = try PipeReader()
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    var writer: PipeWriter?
    switch input {
    case .nothing: unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    case .file(let path): unsafe posix_spawn_file_actions_addopen(&actions, 0, path, O_RDONLY, 0)
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
    // The threads that run tests block signals, and the tests may ignore some: SIGPIPE, SIGINT in a script's background,
    // SIGHUP under nohup. A new process would inherit both.
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    let words = (directory.map { ["/usr/bin/env", "-C", $0] } ?? []) + words
    let variables = environment ?? ProcessInfo.processInfo.environment
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

  package func send(signal: Int32) {
    kill(processID, signal)
  }

  /// Waits for the end; kills a slower process together with its children.
  package func wait(atMost seconds: Double) -> Outcome {
    let status =
      end.status(atMost: seconds)
      ?? {
        killGroup()
        return end.status(atMost: 60) ?? SIGKILL
      }()
    // Its children may still hold its output; then they end as well.
    if !(output.isComplete(within: 60) && error.isComplete(within: 60)) { killGroup() }
    let bytes = output.bytes(within: 10)
    return Outcome(
      status: status, standardOutput: bytes, readLengths: output.readLengths,
      standardError: error.bytes(within: 10))
  }

  private func killGroup() { kill(-processID, SIGKILL) }
}

/// The end of a process, awaited by its own thread.
private final class ProcessEnd: Sendable {
  private let result = Mutex<Int32?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  func await(_ processID: pid_t) {
    Thread.detachNewThread { [self] in
      var status: Int32 = 0
      while unsafe waitpid(processID, &status, 0) < 0, errno == EINTR {}
      result.withLock { [status] in $0 = status }
      hasEnded.signal()
    }
  }

  /// - Returns: nil if the process still runs after so many seconds.
  func status(atMost seconds: Double) -> Int32? {
    if hasEnded.wait(timeout: .now() + seconds) == .timedOut { return nil }
    hasEnded.signal()
    return result.withLock { $0 }
  }
}
