// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// The time at which a new file replaces an old one.
@nonexhaustive
public enum FileReplacement: Sendable, Hashable {
  /// When it is complete: an interrupted run leaves the old file, and no new one. Without an old file, too, it gets its
  /// name only then.
  case onCompletion
  /// With its first sample: samples written before an interruption are kept. For live recording.
  case inPlace
  /// Never: samples go behind those of the old file. For raw samples, whose file has no header.
  case appended
}

/// The time at which the written bytes of a file are forced onto the disk, so that they survive a power cut.
///
/// Until then the operating system keeps them in memory, on Linux for about half a minute. A killed program loses none
/// of them, but a power cut does.
@nonexhaustive
public enum FileSynchronization: String, Sendable, Hashable, CaseIterable {
  /// Never forced: the system decides.
  case never
  /// When the file is complete. An old file is not replaced earlier.
  case onCompletion
  /// Twice a second while a recording grows, and when it is complete.
  case regularly
}

/// The file of a sink, which is kept, renamed or removed in the end.
///
/// Opening changes nothing: ``begin()`` empties an old file, or ``commit(synchronizing:)`` replaces it.
package final class OutputFile {
  private enum Fate {
    /// Always kept: it is no regular file, was already open, or writing has begun.
    case kept
    /// A new recording of that name, removed if writing never begins.
    case keptOnceBegun(Pathname)
    /// An old file that is emptied when writing begins.
    case emptiedOnceBegun
    /// Gets its name on completion, and is removed otherwise.
    case partial(PartialFile)
  }

  package let descriptor: FileDescriptor
  private var fate: Fate
  /// The replaced file: while it is open, no other file has its identity.
  private var oldFile: FileDescriptor?
  /// Nil if it was already open.
  private let path: Pathname?
  /// Whether this object made the file, under its own name.
  private var isNew = false
  /// Whether the file's name is on the disk.
  private var hasSafeName = false

  /// Writes to a descriptor that is already open, and does not close it.
  init(_ number: Int32, name: String) throws(AudioError) {
    descriptor = try FileDescriptor(number, name: name, closes: false)
    try descriptor.claim(descriptor.isPatchable ? .lent : .appended)
    fate = .kept
    path = nil
  }

  /// Opens a path for writing.
  ///
  /// - Throws: `alreadyExists`, `notFound` (its directory), `unavailable`; `invalidParameter` if the process already
  ///   writes to the file, or reads a file that would be emptied.
  init(
    path: String, overwrites: Bool, _ replacement: FileReplacement, isDrawing: Bool = false,
    isNameGenerated: Bool = false, wakeup: Wakeup? = nil
  ) throws(AudioError) {
    let target = try OutputTarget(
      path, overwrites: overwrites, isNameGenerated: isNameGenerated)
    // A pipe or a link that another program put there since then neither blocks nor is followed.
    let guarding = isNameGenerated ? O_NOFOLLOW | O_NONBLOCK : 0
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
      isNew = target.kind == .new
      descriptor = try FileDescriptor(
        opening: target.opened, flags: O_RDWR | (isNew ? O_CREAT | O_EXCL : guarding),
        action: "write to", name: path)
      fate = isNew ? .keptOnceBegun(target.path) : .emptiedOnceBegun
      do throws(AudioError) {
        if isNameGenerated { try descriptor.requireRegular() }
        try descriptor.claim(.written, at: target.place, of: wakeup)
        // The lock lasts until the file is closed; the removal of old parts checks it.
        guard descriptor.lock() else { throw PartialFile.isBusy(path) }
      } catch {
        discard()
        throw error
      }
      if isNew { descriptor.claim?.begin() }
    case .appended:
      descriptor = try FileDescriptor(
        opening: target.opened, flags: O_RDWR | O_APPEND | O_CREAT | guarding,
        action: "write to", name: path)
      fate = .kept
      if isNameGenerated { try descriptor.requireRegular() }
      try descriptor.claim(.appended, at: target.place, of: wakeup)
    }
  }

  /// Checks whether a path can be opened for writing, without opening it.
  ///
  /// - Throws: `alreadyExists`, `notFound` (its directory), `unavailable`.
  static func check(
    path: String, overwrites: Bool, isNameGenerated: Bool = false
  ) throws(AudioError) {
    let target = try OutputTarget(
      path, overwrites: overwrites, isNameGenerated: isNameGenerated)
    let isFolder = target.status.map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    let needed = target.kind == .new ? target.path.directory : target.path
    let code = isFolder ? EISDIR : unsafe access(needed.cString, W_OK) == 0 ? 0 : errno
    if code != 0 { throw AudioError(systemCode: code, cannot: "write to", path) }
  }

  deinit { discard() }

  /// Whether bytes written before a failure stay.
  package var keepsIncomplete: Bool {
    if case .kept = fate { true } else { false }
  }

  /// Whether it holds old content until ``begin()``.
  package var holdsOldContent: Bool {
    if case .emptiedOnceBegun = fate { true } else { false }
  }

  /// Prepares for the first samples: empties an old recording. A recording in place stays from then on, even if it is
  /// abandoned.
  package func begin() throws(AudioError) {
    switch fate {
    case .kept, .partial: return
    case .keptOnceBegun: break
    case .emptiedOnceBegun: try descriptor.empty()
    }
    descriptor.claim?.begin()
    fate = .kept
  }

  /// Makes a new recording that got no sample go again: ``discard()`` removes it.
  package func withdraw() { if let path, isNew { fate = .keptOnceBegun(path) } }

  /// Forces the written bytes and the file's name onto the disk.
  package func synchronize() throws(AudioError) {
    try descriptor.synchronize()
    guard let path, !hasSafeName else { return }
    if case .partial = fate { return }
    FileDescriptor.synchronizeDirectory(of: path)
    hasSafeName = true
  }

  /// Closes the file and gives it its final name.
  ///
  /// - Parameter isSynchronizing: whether all bytes are forced onto the disk before, and the name after.
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

  /// Removes an incomplete file. Does nothing after `commit`.
  package func discard() {
    switch fate {
    case .kept, .emptiedOnceBegun: break
    case .keptOnceBegun(let path): unsafe unlink(path.cString)
    case .partial(let partial): partial.discard()
    }
    // Another thread may hold the descriptor a little longer.
    descriptor.unlock()
    descriptor.claim = nil
    oldFile = nil
    fate = .kept
  }
}
