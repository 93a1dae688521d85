import Glibc

extension FileDescriptor {
  /// Waits until everything written is on the disk. Harmless for what has no disk behind it, as a pipe.
  ///
  /// The corresponding C function is `fdatasync`.
  func synchronize() throws(AudioError) {
    guard isRegular else { return }
    while fdatasync(number) != 0 {
      switch errno {
      case EINTR: continue
      // The file system has nothing to do here (fsync(2)).
      case EINVAL, EROFS, ENOTSUP: return
      default: throw AudioError(systemCode: errno, cannot: "write to", name)
      }
    }
  }

  /// Puts the name of a new file onto the disk: it stands in the directory, not in the file.
  ///
  /// Whoever may write into a directory need not be allowed to open it, so a failure is no error.
  static func synchronizeDirectory(of path: String) {
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = unsafe open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    fsync(number)
    Glibc.close(number)
  }
}
