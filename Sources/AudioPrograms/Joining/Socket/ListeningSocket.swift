// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// A Unix stream socket at a path; only its owner may connect.
///
/// It exists until ``remove()`` or the end of this object. Anything else at the path is never touched, nor is a
/// socket with a listener. Any thread.
final class ListeningSocket: Sendable {
  let path: String
  let descriptor: Descriptor
  private let name: Pathname
  private let identity: FileIdentity

  /// - Throws: `invalidParameter` for a path that no socket can have; `alreadyExists` if the path is in use, by a
  ///   listener or another file; the system's error if the socket cannot be made.
  init(path: String) throws(AudioError) {
    let longest = Int(rawaudio_longest_socket_path)
    let name = Pathname(path)
    guard !path.isEmpty, !name.bytes.contains(0) else {
      throw Self.failure(.invalidParameter, path, "it is no path")
    }
    guard name.bytes.count <= longest else {
      throw Self.failure(
        .invalidParameter, path,
        "the path has \(name.bytes.count) bytes, and that of a socket has \(longest) at most",
        "use a shorter one, such as one in /tmp or $XDG_RUNTIME_DIR")
    }
    self.path = path
    self.name = name
    descriptor = try Descriptor(rawaudio_unix_socket(), cannot: "listen at", path)
    // A socket's own mode becomes its file's, from the first moment on (Linux, unix_bind): a change of mode by name
    // could reach another file.
    guard fchmod(descriptor.number, 0o600) == 0 else {
      throw AudioError(systemCode: errno, cannot: "listen at", path)
    }
    // Until it listens, another program takes it for a dead socket. The lock makes that program wait.
    let folder = try? Descriptor(
      unsafe open(name.directory.cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC), cannot: "open", path)
    if let folder { Self.lock(folder) }
    defer { withExtendedLifetime(folder) {} }
    try Self.bind(descriptor, path)
    guard let identity = FoundFile(name)?.identity else {
      throw AudioError(systemCode: errno, cannot: "listen at", path)
    }
    self.identity = identity
    guard Glibc.listen(descriptor.number, SOMAXCONN) == 0 else {
      let error = AudioError(systemCode: errno, cannot: "listen at", path)
      remove()
      throw error
    }
  }

  deinit { remove() }

  /// Removes the socket from its path if it is still there. Harmless a second time.
  func remove() {
    if FoundFile(name)?.identity == identity { unsafe unlink(name.cString) }
  }

  /// The next client of this user or of root; nil if there is none, or if it is another's.
  func accept() -> Descriptor? {
    let number = SystemCall.retrying { rawaudio_accept(descriptor.number) }
    guard let client = try? Descriptor(number, cannot: "accept", path) else { return nil }
    let user = rawaudio_peer_user(client.number)
    return user == geteuid() || user == 0 ? client : nil
  }

  /// Binds the socket to its path; replaces a dead socket there. The caller has locked the folder.
  private static func bind(_ descriptor: Descriptor, _ path: String) throws(AudioError) {
    let name = Pathname(path)
    if unsafe rawaudio_bind(descriptor.number, name.cString) == 0 { return }
    guard errno == EADDRINUSE else {
      throw AudioError(systemCode: errno, cannot: "listen at", path)
    }
    let found = FoundFile(name)
    guard found?.isSocket ?? true else {
      throw failure(
        .alreadyExists, path, "something else is there", "use another path, or remove it"
      )
    }
    let client = try Descriptor(rawaudio_unix_socket(), cannot: "listen at", path)
    guard unsafe rawaudio_connect(client.number, name.cString) != 0, errno == ECONNREFUSED else {
      throw failure(
        .alreadyExists, path, "a program listens there already", "use another path, or end that one"
      )
    }
    if let found { try remove(found, at: path, beside: descriptor) }
    guard unsafe rawaudio_bind(descriptor.number, name.cString) == 0 else {
      throw AudioError(systemCode: errno, cannot: "listen at", path)
    }
  }

  /// Waits for the lock of a folder, but not long: any reader of the folder can hold it for ever.
  private static func lock(_ folder: Descriptor) {
    for _ in 0..<50 {
      if flock(folder.number, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK && errno != EINTR {
        return
      }
      usleep(10_000)
    }
  }

  /// Removes a dead socket, but not another that has replaced it meanwhile.
  ///
  /// - Parameter descriptor: of the new socket, unique in this process.
  private static func remove(
    _ dead: FoundFile, at path: String, beside descriptor: Descriptor
  ) throws(AudioError) {
    let name = Pathname(path)
    let ending = ".rawaudio-\(getpid())-\(descriptor.number)"
    let aside = Pathname(bytes: name.bytes + Array(ending.utf8))
    guard unsafe rawaudio_rename_to_new(name.cString, aside.cString) == 0 else {
      // The file system may lack this call, or the socket may be gone.
      if errno == EINVAL { unsafe unlink(name.cString) }
      return
    }
    guard FoundFile(aside) != dead else {
      unsafe unlink(aside.cString)
      return
    }
    _ = unsafe rawaudio_rename_to_new(aside.cString, name.cString)
    throw failure(
      .alreadyExists, path, "a program listens there already", "use another path, or end that one")
  }

  private static func failure(
    _ kind: AudioError.Kind, _ path: String, _ reason: String, _ advice: String? = nil
  ) -> AudioError {
    AudioError(kind, cannot: "listen at", path, because: reason, advice: advice)
  }
}

/// The identity of a file, independent of its name.
private struct FoundFile: Equatable {
  let identity: FileIdentity
  let isSocket: Bool

  /// Nil if there is none.
  init?(_ path: Pathname) {
    var status = stat()
    guard unsafe lstat(path.cString, &status) == 0 else { return nil }
    identity = FileIdentity(status)
    isSocket = status.st_mode & S_IFMT == S_IFSOCK
  }
}
