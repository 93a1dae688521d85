internal import CLinux
import Glibc

extension ChildProcess {
  /// Starts `/bin/sh -c command`.
  ///
  /// It inherits the two given descriptors, standard error and no other; no signal is blocked, SIGPIPE
  /// does what it does by default, other ignored signals stay ignored (nohup). The corresponding C
  /// function is `posix_spawn`.
  ///
  /// - Parameter environment: added to the caller's own; nil removes.
  convenience init(
    command: String, environment: [String: String?], input: PipeEnd, output: PipeEnd
  ) throws(AudioError) {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
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

    let arguments = CStringArray(["/bin/sh", "-c", command])
    let variables = CStringArray(Self.environment(changing: environment))
    var processID: pid_t = 0
    let code = unsafe posix_spawn(
      &processID, "/bin/sh", &actions, &attributes, arguments.pointer, variables.pointer)
    guard code == 0 else { throw AudioError(systemCode: code, cannot: "run", "/bin/sh") }
    self.init(processID: processID)
  }

  private static func environment(changing changes: [String: String?]) -> [String] {
    var variables: [String] = []
    var next = unsafe environ
    while let variable = unsafe next.pointee {
      let text = unsafe String(cString: variable)
      if !changes.keys.contains(String(text.prefix { $0 != "=" })) { variables.append(text) }
      unsafe next += 1
    }
    for (name, value) in changes { if let value { variables.append("\(name)=\(value)") } }
    return variables
  }
}

/// A null-terminated array of C strings.
@safe
private final class CStringArray {
  let pointer: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  private let count: Int

  init(_ strings: [String]) {
    count = strings.count
    unsafe pointer = .allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() {
      unsafe (pointer + index).initialize(to: strdup(string))
    }
    unsafe (pointer + count).initialize(to: nil)
  }

  deinit {
    for index in 0..<count { unsafe free(pointer[index]) }
    unsafe pointer.deallocate()
  }
}
