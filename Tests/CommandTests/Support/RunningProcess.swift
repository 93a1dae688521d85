// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess

/// A process whose output is read while it runs, so that it never waits for its reader.
final class RunningProcess {
  private let process: TestProcess

  init(
    _ executable: URL, _ arguments: [String], environment: [String: String] = [:],
    input: StandardInput = .nothing, output: TestProcess.Output = .pipe, in directory: URL? = nil
  ) throws {
    let input: TestProcess.Input =
      switch input {
      case .nothing: .nothing
      case .bytes(let bytes): .bytes(bytes)
      case .file(let url): .file(url.path)
      }
    process = try TestProcess(
      [executable.path] + arguments, environment: Self.environment.merging(environment) { $1 },
      input: input, output: output, in: directory?.path)
  }

  func send(signal: Int32) { process.send(signal: signal) }

  /// The names of its threads.
  var threadNames: [String] {
    let folder = "/proc/\(process.processID)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.compactMap {
      try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8)
        .trimmingCharacters(in: .newlines)
    }
  }

  /// Waits until the process has a file open.
  ///
  /// - Returns: false if it is not open within half a minute.
  func awaitOpen(_ file: URL) -> Bool {
    let folder = "/proc/\(process.processID)/fd"
    let path = file.resolvingSymlinksInPath().path
    for _ in 0..<3_000 {
      let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      let isOpen = numbers.contains {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
      }
      if isOpen { return true }
      usleep(10_000)
    }
    return false
  }

  /// Waits until the process handles a signal.
  ///
  /// - Returns: false if it does not within half a minute.
  func awaitHandler(of signal: Int32) -> Bool {
    for _ in 0..<3_000 {
      let status = try? String(
        contentsOfFile: "/proc/\(process.processID)/status", encoding: .utf8)
      // proc_pid_status(5): the caught signals in hexadecimal digits, the lowest bit for signal 1.
      let line = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
      let caught = line.flatMap { UInt64($0.dropFirst(8), radix: 16) } ?? 0
      if caught >> UInt64(signal - 1) & 1 == 1 { return true }
      usleep(10_000)
    }
    return false
  }

  /// Waits until the process is stopped, for example by SIGTSTP.
  ///
  /// - Returns: false if it is not stopped within half a minute.
  func awaitStop() -> Bool {
    for _ in 0..<3_000 {
      let status = try? String(
        contentsOfFile: "/proc/\(process.processID)/stat", encoding: .utf8)
      // The name may contain spaces; the state follows its closing bracket.
      if status?.split(separator: ")").last?.hasPrefix(" T") == true { return true }
      usleep(10_000)
    }
    return false
  }

  /// Leaves a stopped process alone. The length of the pause is a part of the test's input.
  func stayStopped(for length: Duration) {
    let end = ContinuousClock.now + length
    while ContinuousClock.now < end { usleep(10_000) }
  }

  /// Sends a signal, then waits for the end.
  func wait(sending signal: Int32) -> ProcessRun {
    send(signal: signal)
    return wait()
  }

  /// Waits for the end; kills a process after four minutes, enough even beside many others.
  func wait() -> ProcessRun {
    let outcome = process.wait(atMost: 240)
    return ProcessRun(
      ending: outcome.exitCode.map { .exit($0) } ?? .signal(outcome.status & 0x7F),
      standardOutput: outcome.standardOutput, readLengths: outcome.readLengths,
      standardError: String(decoding: outcome.standardError, as: UTF8.self))
  }

  /// The environment of the tests, without the variables read by the command and by related programs, with a usual
  /// terminal, and with `rawaudio` on the path.
  private static let environment: [String: String] = {
    var environment = ProcessInfo.processInfo.environment.filter { name, _ in
      !removed.contains(name) && !removedFamilies.contains { name.hasPrefix($0) }
    }
    environment["TERM"] = "xterm"
    environment["TZ"] = "UTC"
    let directory = BuiltProducts.rawaudio.deletingLastPathComponent().path
    environment["PATH"] = directory + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    return environment
  }()

  private static let removed: Set<String> = [
    "COLUMNS", "LINES", "NO_COLOR", "TZ", "LANG", "LANGUAGE", "NOTIFY_SOCKET", "WATCHDOG_USEC",
    "WATCHDOG_PID", "BASH_ENV", "CDPATH", "POSIXLY_CORRECT", "GREP_OPTIONS",
  ]
  private static let removedFamilies = ["LC_", "ALSA_", "JACK_", "PIPEWIRE_", "PULSE_"]
}
