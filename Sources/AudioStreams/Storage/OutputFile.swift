// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// When a new file takes the place of an old one.
public enum FileReplacement: Sendable, Hashable {
  /// When it is complete: an interrupted run leaves the old file, and no new one. A new file, too, has its name
  /// only when it is complete.
  case onCompletion
  /// With its first sample: what was written before an interruption is kept. For live recording.
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
///
/// To open it changes nothing: an old file is emptied by ``begin()``, or replaced by ``commit(synchronizing:)``.
package final class OutputFile {
  private enum Fate {
    /// It is no regular file, or ours already, and kept whatever happens.
    case kept
    /// A new recording of that name, unlinked where nothing was ever written to it.
    case keptOnceBegun(Pathname)
    /// An old file that is written in its place, but not yet.
    case emptiedOnceBegun
    /// Has its name when it is completed, and is removed otherwise.
    case partial(PartialFile)
  }

  package let descriptor: FileDescriptor
  private var fate: Fate
  /// The file that is replaced: as long as it is open, no other has its identity.
  private var oldFile: FileDescriptor?
  /// Nil where it was open before.
  private let path: Pathname?
  /// Whether the disk knows the file's name.
  private var hasSafeName = false

  /// A descriptor that is already open and is not closed.
  init(_ number: Int32, name: String) throws(AudioError) {
    descriptor = try FileDescriptor(number, name: name, closes: false)
    try descriptor.claim(descriptor.isPatchable ? .lent : .appended)
    fate = .kept
    path = nil
  }

  /// Opens a path to be written.
  ///
  /// - Throws: `alreadyExists`, `notFound` (its directory), `unavailable`; `invalidParameter` where the process
  ///   writes to the file already, or reads what would be emptied.
  init(
    path: String, overwrites: Bool, _ replacement: FileReplacement, isDrawing: Bool = false,
    wakeup: Wakeup? = nil
  ) throws(AudioError) {
    let target = try OutputTarget(path, overwrites: overwrites)
    self.path = target.path
    if target.kind == .special {
      descriptor = try FileDescriptor(
        opening: target.path, flags: O_WRONLY, action: "write to", name: path, wakeup: wakeup)
      fate = .kept
      return
    }
    switch replacement {
    case .onCompletion:
      var old: FileDescriptor?
      if target.kind == .regular {
        old = try FileDescriptor(
          opening: target.path, flags: rawaudio_path_only, action: "write to", name: path)
      }
      let claim = try FileClaim(
        isDrawing ? .replacedByDrawing : .replaced, path, file: old?.identity, place: target.place,
        of: wakeup)
      oldFile = old
      let partial = try PartialFile(
        for: target.path, name: path, replaces: overwrites,
        target.status.map { FilePermissions($0, at: target.path) })
      descriptor = partial.descriptor
      descriptor.claim = claim
      fate = .partial(partial)
    case .inPlace:
      let isNew = target.kind == .new
      descriptor = try FileDescriptor(
        opening: target.opened, flags: O_RDWR | (isNew ? O_CREAT | O_EXCL : 0), action: "write to",
        name: path)
      fate = isNew ? .keptOnceBegun(target.path) : .emptiedOnceBegun
      do throws(AudioError) {
        try descriptor.claim(.written, at: target.place, of: wakeup)
        // Up to its end; who removes old parts asks for it.
        if rawaudio_lock(descriptor.number) == 0 { throw PartialFile.isBusy(path) }
      } catch {
        discard()
        throw error
      }
      if isNew { descriptor.claim?.begin() }
    }
  }

  /// Looks whether a path could be opened so, without doing it.
  ///
  /// - Throws: `alreadyExists`, `notFound` (its directory), `unavailable`.
  static func check(path: String, overwrites: Bool) throws(AudioError) {
    let target = try OutputTarget(path, overwrites: overwrites)
    let isFolder = target.status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    let needed = target.kind == .new ? target.path.directory : target.path
    let code = isFolder ? EISDIR : unsafe access(needed.cString, W_OK) == 0 ? 0 : errno
    if code != 0 { throw AudioError(systemCode: code, cannot: "write to", path) }
  }

  deinit { discard() }

  /// Whether what was written before a failure stays.
  package var keepsIncomplete: Bool {
    if case .kept = fate { true } else { false }
  }

  /// Whether there is something in it that is not ours, until ``begin()``.
  package var holdsOldContent: Bool {
    if case .emptiedOnceBegun = fate { true } else { false }
  }

  /// Samples are about to be written: an old recording is emptied, and what live recording has begun stays.
  package func begin() throws(AudioError) {
    switch fate {
    case .kept, .partial: return
    case .keptOnceBegun: break
    case .emptiedOnceBegun: try descriptor.empty()
    }
    descriptor.claim?.begin()
    fate = .kept
  }

  /// Forces onto the disk what was written, and with it the file's name.
  package func synchronize() throws(AudioError) {
    try descriptor.synchronize()
    guard let path, !hasSafeName else { return }
    if case .partial = fate { return }
    FileDescriptor.synchronizeDirectory(of: path)
    hasSafeName = true
  }

  /// Closes the file and gives it its final name.
  ///
  /// - Parameter isSynchronizing: whether all of it is on the disk before, and the name after.
  package func commit(synchronizing isSynchronizing: Bool = false) throws(AudioError) {
    if isSynchronizing { try synchronize() }
    if case .partial(let partial) = fate {
      try partial.commit()
      if isSynchronizing, let path { FileDescriptor.synchronizeDirectory(of: path) }
    } else {
      try descriptor.close()
    }
    descriptor.claim = nil
    oldFile = nil
    fate = .kept
  }

  /// Removes what is incomplete. Harmless after `commit`.
  package func discard() {
    switch fate {
    case .kept, .emptiedOnceBegun: break
    case .keptOnceBegun(let path): unsafe unlink(path.cString)
    case .partial(let partial): partial.discard()
    }
    descriptor.claim = nil
    oldFile = nil
    fate = .kept
  }
}
