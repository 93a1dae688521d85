// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
internal import Synchronization

/// A running program that leads a process group of its own. Session thread only.
///
/// Releasing the object before the program has ended kills the group: no process and no zombie stays behind.
package final class ChildProcess {
  /// How long a process may take to end once it was asked to.
  package static let patience = Duration.seconds(1)

  private let processID: pid_t
  /// A moment at which its group existed.
  private let started = MonotonicTime.now
  /// The ending of the process; nil before it has ended.
  private(set) var ending: ChildEnding?
  private var mayHaveMembers = true
  /// When it was asked to end, and whether it was killed.
  private var asked: MonotonicTime?
  private var isForced = false

  init(processID: pid_t) { self.processID = processID }

  deinit { terminate() }

  package func check() -> ChildEnding? {
    if let ending { return ending }
    var status: Int32 = 0
    let result = unsafe waitpid(processID, &status, WNOHANG)
    if result == processID {
      ending = ChildEnding(waitStatus: status)
    } else if result < 0, errno == ECHILD {
      ending = .unknown
    }
    return ending
  }

  package func wait(_ limit: Duration) -> ChildEnding? {
    let begin = MonotonicTime.now
    while check() == nil, MonotonicTime.now.elapsed(since: begin) < limit { pause() }
    return ending
  }

  /// Waits until it has ended or `isDone`, for `limit` at most.
  package func wait(_ limit: Duration, until isDone: () -> Bool) {
    let begin = MonotonicTime.now
    while !isDone(), check() == nil, MonotonicTime.now.elapsed(since: begin) < limit { pause() }
  }

  /// Leaves its background processes alone after it has ended in order.
  package func release() { if ending != nil { mayHaveMembers = false } }

  /// Asks it and everything in its group to end, and does not wait for that.
  package func beginTermination() {
    guard mayHaveMembers, asked == nil else { return }
    asked = .now
    signalGroup(SIGTERM)
    // A stopped process sees SIGTERM only once it goes on.
    signalGroup(SIGCONT)
  }

  /// Whether the whole group has ended after ``beginTermination()``. Processes that remain after ``patience`` get
  /// SIGKILL. A process that remains in a driver after twice that time is left there.
  package func isTerminated() -> Bool {
    guard mayHaveMembers else { return true }
    guard let asked else { return false }
    if isGroupAlive {
      let elapsed = MonotonicTime.now.elapsed(since: asked)
      if elapsed <= Self.patience { return false }
      if !isForced { signalGroup(SIGKILL) }
      isForced = true
      if check() == nil, elapsed <= Self.patience * 2 { return false }
    }
    mayHaveMembers = false
    return true
  }

  /// Ends it and everything in its group.
  package func terminate() {
    beginTermination()
    while !isTerminated() { pause() }
  }

  /// Ends it and everything in its group without asking: it is stuck.
  package func kill() {
    guard mayHaveMembers else { return }
    asked = asked ?? .now
    isForced = true
    signalGroup(SIGKILL)
    while !isTerminated() { pause() }
  }

  private var isGroupAlive: Bool {
    check() == nil
      || Glibc.kill(-processID, 0) == 0 && ProcessGroups.isAlive(processID, since: started)
  }

  private func signalGroup(_ signal: Int32) { _ = Glibc.kill(-processID, signal) }

  /// Linux reports a child's end by SIGCHLD, which belongs to the whole program: poll instead.
  private func pause() { usleep(1_000) }
}

extension ChildProcess {
  /// Starts `/bin/sh -c command`.
  ///
  /// It inherits only the two given descriptors and standard error. No signal is blocked, SIGPIPE has its default
  /// action, other ignored signals stay ignored (nohup). The corresponding C function is `posix_spawnp`.
  ///
  /// - Parameter environment: added to the caller's own; nil removes.
  package convenience init(
    command: String, environment: [String: String?], input: PipeEnd, output: PipeEnd
  ) throws(AudioError) {
    try self.init(
      program: "/bin/sh", ["-c", command].map { Pathname($0) }, environment: environment,
      input: input, output: output)
  }

  /// Starts a program in the same way, without a shell.
  ///
  /// - Parameters:
  ///   - program: looked up on the PATH if it holds no slash.
  ///   - errors: its standard error; nil = the caller's own.
  /// - Throws: `notFound`, with `program` as the subject.
  package convenience init(
    program: String, _ arguments: [Pathname], environment: [String: String?] = [:],
    input: PipeEnd, output: PipeEnd, errors: FileDescriptor? = nil
  ) throws(AudioError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    // First, because it may have the number of another standard stream.
    if let errors {
      unsafe posix_spawn_file_actions_adddup2(&actions, errors.number, STDERR_FILENO)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, input.number, STDIN_FILENO)
    unsafe posix_spawn_file_actions_adddup2(&actions, output.number, STDOUT_FILENO)
    unsafe rawaudio_close_from(&actions, STDERR_FILENO + 1)

    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    unsafe posix_spawnattr_setpgroup(&attributes, 0)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    unsafe posix_spawnattr_setsigmask(&attributes, &signals)
    unsafe sigaddset(&signals, SIGPIPE)
    unsafe posix_spawnattr_setsigdefault(&attributes, &signals)

    let arguments = CStringArray([Pathname(program)] + arguments)
    let variables = CStringArray(Self.environment(changing: environment))
    var processID: pid_t = 0
    let code = unsafe posix_spawnp(
      &processID, program, &actions, &attributes, arguments.pointer, variables.pointer)
    guard code == 0 else { throw AudioError(systemCode: code, cannot: "run", program) }
    self.init(processID: processID)
  }

  /// Variables may hold any bytes, like file names.
  private static func environment(changing changes: [String: String?]) -> [Pathname] {
    let changed = Set(changes.keys.map { Array($0.utf8) })
    var variables: [Pathname] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      let text = unsafe Pathname(cString: variable)
      let name = Array(text.bytes.prefix { $0 != UInt8(ascii: "=") })
      if !changed.contains(name) { variables.append(text) }
      unsafe next += 1
    }
    for (name, value) in changes { if let value { variables.append(Pathname("\(name)=\(value)")) } }
    return variables
  }
}

/// A null-terminated array of C strings.
@safe
private final class CStringArray {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [Pathname]) {
    count = strings.count
    unsafe pointer = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointer + index).initialize(to: strdup(string.cString))
    }
    unsafe (pointer + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointer[index]) }
    unsafe pointer.deallocate()
  }
}

/// How a process ended.
package enum ChildEnding: Equatable {
  case exited(Int32)
  case killed(signal: Int32)
  /// The status was taken elsewhere, or the system keeps none because SIGCHLD is ignored.
  case unknown

  /// - Parameter status: the status from `waitpid` (wait(2), "WIFEXITED").
  init(waitStatus status: Int32) {
    let signal = status & 0x7F
    self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
  }

  package var isSuccess: Bool { self == .exited(0) || self == .unknown }
}

extension ChildEnding: CustomStringConvertible {
  /// For example `it exited with status 3`.
  package var description: String {
    switch self {
    case .exited(let status) where status > 128 && status <= 128 + 64:
      // A shell reports in this way that its program was killed.
      "it was killed by signal \(status - 128) (\(Self.name(status - 128)))"
    case .exited(let status): "it exited with status \(status)"
    case .killed(let signal): "it was killed by signal \(signal) (\(Self.name(signal)))"
    case .unknown: "it ended"
    }
  }

  private static func name(_ signal: Int32) -> String {
    guard let text = unsafe strsignal(signal) else { return "unknown" }
    return unsafe String(cString: text).lowercased()
  }
}

/// Finds the process groups with a running member.
///
/// kill(2) finds zombies, too. A program's orphans go to the system's first process, which in many containers never
/// collects their status.
enum ProcessGroups {
  /// The result of a scan of all processes.
  private struct Scan {
    var living: Set<pid_t> = []
    var begin = MonotonicTime(nanoseconds: 0)
    var expiry = MonotonicTime(nanoseconds: 0)
  }

  /// The last scan, which serves several groups: it takes longer the more processes there are.
  private static let last = Mutex(Scan())

  /// Whether `group` has a running member, or had one a moment ago. Any thread.
  ///
  /// - Parameter start: of the group. An older scan knows nothing of it.
  static func isAlive(_ group: pid_t, since start: MonotonicTime) -> Bool {
    last.withLock { last in
      let now = MonotonicTime.now
      if now >= last.expiry || last.begin < start {
        last.living = living()
        last.begin = now
        let end = MonotonicTime.now
        last.expiry = MonotonicTime(nanoseconds: end.nanoseconds + 10 * end.nanoseconds(since: now))
      }
      return last.living.contains(group)
    }
  }

  private static func living() -> Set<pid_t> {
    let processes = FolderEntries.names(in: "/proc").filter { pid_t($0) != nil }
    return Set(processes.compactMap(livingGroup))
  }

  /// proc_pid_stat(5): the state, the parent and the group follow the name, which stands in parentheses and may contain
  /// some.
  private static func livingGroup(ofProcess name: String) -> pid_t? {
    guard let file = unsafe fopen("/proc/\(name)/stat", "re") else { return nil }
    defer { unsafe _ = fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    guard let end = bytes.prefix(count).lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(end + 1)..<count].split(separator: UInt8(ascii: " "))
    guard fields.count > 2, !fields[0].elementsEqual("Z".utf8), !fields[0].elementsEqual("X".utf8)
    else { return nil }
    return pid_t(String(decoding: fields[2], as: UTF8.self))
  }
}
