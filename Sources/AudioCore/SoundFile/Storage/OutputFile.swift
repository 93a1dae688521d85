import Glibc

/// When a new file takes the place of an old one.
public enum FileReplacement: Sendable, Hashable {
  /// When it is complete: an interrupted run leaves the old file, and no new one.
  case onCompletion
  /// At once: what was written before an interruption is kept. For live recording.
  case inPlace
}

/// When what was written to a file is forced onto the disk, so that it outlives a power cut.
///
/// Until then the operating system keeps it in memory, on Linux for half a minute or so. A killed
/// program loses nothing of that; a machine that loses its power does.
public enum FileSynchronization: String, Sendable, Hashable, CaseIterable {
  /// When the system sees fit.
  case never
  /// When the file is complete. An old file is not replaced before.
  case onCompletion
  /// Twice a second while a recording grows, and when it is complete.
  case regularly
}

/// The file that a sink writes, and whether it is kept, renamed or removed in the end.
final class OutputFile {
  private enum Fate {
    /// It was there before us, or is no regular file, or is kept whatever happens.
    case kept
    /// A new recording of that name, unlinked where nothing was ever written to it.
    case keptOnceBegun(String)
    /// A new file of that name, unlinked unless it is completed.
    case removedUnlessCompleted(String)
    /// Renamed from the first name to the second when it is completed, otherwise unlinked.
    case renamed(from: String, to: String)
  }

  let descriptor: FileDescriptor
  private var fate: Fate
  /// Nil where it was open before.
  private let path: String?
  /// Whether the disk knows the file's name.
  private var hasSafeName = false

  /// A descriptor that is already open and is not closed.
  init(_ number: Int32, name: String) throws(AudioError) {
    descriptor = try FileDescriptor(number, name: name, closes: false)
    fate = .kept
    path = nil
  }

  /// Opens a path to be written.
  ///
  /// - Throws: `alreadyExists`, `notFound` (its directory), `unavailable`.
  init(
    path: String, overwrites: Bool, _ replacement: FileReplacement, wakeup: Wakeup? = nil
  ) throws(AudioError) {
    self.path = path
    var status = stat()
    let exists = unsafe stat(path, &status) == 0
    if !exists {
      descriptor = try Self.create(path, overwrites: overwrites)
      let name = Self.resolved(path)
      fate = replacement == .onCompletion ? .removedUnlessCompleted(name) : .keptOnceBegun(name)
    } else if status.st_mode & S_IFMT != S_IFREG {
      descriptor = try FileDescriptor(
        opening: path, flags: O_WRONLY, action: "write to", wakeup: wakeup)
      fate = .kept
    } else {
      guard overwrites else {
        throw AudioError(systemCode: EEXIST, cannot: "write to", path)
      }
      guard unsafe access(path, W_OK) == 0 else {
        throw AudioError(systemCode: errno, cannot: "write to", path)
      }
      if replacement == .inPlace {
        descriptor = try FileDescriptor(
          opening: path, flags: O_RDWR | O_TRUNC, action: "write to")
        fate = .kept
      } else {
        let target = Self.resolved(path)
        let (file, temporary) = try Self.createBeside(
          target, name: path, mode: status.st_mode & 0o7777)
        descriptor = file
        fate = .renamed(from: temporary, to: target)
      }
    }
  }

  /// Looks whether a path could be opened so, without doing it.
  ///
  /// - Throws: `alreadyExists`, `notFound` (its directory), `unavailable`.
  static func check(path: String, overwrites: Bool) throws(AudioError) {
    var status = stat()
    if unsafe stat(path, &status) == 0 {
      let code =
        switch status.st_mode & S_IFMT {
        case S_IFDIR: EISDIR
        case S_IFREG where !overwrites: EEXIST
        default: unsafe access(path, W_OK) == 0 ? 0 : errno
        }
      guard code == 0 else { throw AudioError(systemCode: code, cannot: "write to", path) }
    } else if unsafe access(directory(of: path), F_OK) != 0 {
      throw missingDirectory(path)
    } else if unsafe access(directory(of: path), W_OK) != 0 {
      throw AudioError(systemCode: errno, cannot: "write to", path)
    }
  }

  private static func missingDirectory(_ path: String) -> AudioError {
    AudioError(.notFound, cannot: "write to", path, because: "its directory does not exist")
  }

  deinit { discard() }

  /// Whether what was written before a failure stays.
  var keepsIncomplete: Bool {
    if case .kept = fate { true } else { false }
  }

  /// Samples are about to be written: what live recording has begun stays.
  func begin() {
    if case .keptOnceBegun = fate { fate = .kept }
  }

  /// Forces onto the disk what was written, and with it the file's name.
  func synchronize() throws(AudioError) {
    try descriptor.synchronize()
    guard let path, !hasSafeName else { return }
    FileDescriptor.synchronizeDirectory(of: path)
    hasSafeName = true
  }

  /// Closes the file and gives it its final name.
  ///
  /// - Parameter isSynchronizing: whether all of it is on the disk before, and the name after.
  func commit(synchronizing isSynchronizing: Bool = false) throws(AudioError) {
    if isSynchronizing { try synchronize() }
    try descriptor.close()
    if case .renamed(let temporary, let target) = fate {
      guard unsafe rename(temporary, target) == 0 else {
        throw AudioError(systemCode: errno, cannot: "replace", descriptor.name)
      }
      if isSynchronizing { FileDescriptor.synchronizeDirectory(of: target) }
    }
    fate = .kept
  }

  /// Removes what is incomplete. Harmless after `commit`.
  func discard() {
    switch fate {
    case .kept: break
    case .removedUnlessCompleted(let path), .keptOnceBegun(let path): unsafe unlink(path)
    case .renamed(let temporary, _): unsafe unlink(temporary)
    }
    fate = .kept
  }

  /// A new file; through a link whose target does not exist only where overwriting was asked for.
  private static func create(
    _ path: String, overwrites: Bool
  ) throws(AudioError) -> FileDescriptor {
    do {
      return try FileDescriptor(
        opening: path, flags: O_RDWR | O_CREAT | (overwrites ? O_TRUNC : O_EXCL),
        action: "write to")
    } catch {
      guard error.kind == .notFound, unsafe access(directory(of: path), F_OK) != 0 else {
        throw error
      }
      throw missingDirectory(path)
    }
  }

  /// A new file in the directory of `target`.
  private static func createBeside(
    _ target: String, name: String, mode: mode_t
  ) throws(AudioError) -> (FileDescriptor, String) {
    let end = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
    var template = Array("\(target[..<end]).\(target[end...]).XXXXXX".utf8CString)
    let number = unsafe mkstemp(&template)
    guard number >= 0 else { throw AudioError(systemCode: errno, cannot: "write beside", name) }
    let file = try FileDescriptor(number, name: name, closes: true)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fchmod(number, mode)
    return (
      file, String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    )
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  private static func resolved(_ path: String) -> String {
    guard let text = unsafe realpath(path, nil) else { return path }
    defer { unsafe free(text) }
    return unsafe String(cString: text)
  }
}
