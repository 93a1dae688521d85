// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Glibc
internal import SwiftOverlayShims
internal import Synchronization

/// Decides about outputs that are there already, from an earlier run or from this one.
///
/// What this run has written is known by its time: nothing is kept for each item. The time is the file system's own,
/// taken from the first outputs, because that of a server may differ from this machine's. Any thread.
final class OutputGuard: Sendable {
  enum Decision {
    case write(replacing: Bool)
    case skip
  }

  private let policy: ExistingOutput
  /// When the earliest output of this run was complete, in nanoseconds of the file system's clock.
  private let earliest = Mutex(Int64.max)

  init(_ policy: ExistingOutput) { self.policy = policy }

  /// - Throws: `alreadyExists`, where it must not be there, or was written since this run began: by another item of
  ///   it, or by a run beside it, such as that of a machine which was only out of reach.
  func decide(on output: String) throws(AudioError) -> Decision {
    guard let time = Self.changeTime(of: output) else { return .write(replacing: false) }
    guard time < earliest.withLock({ $0 }) else {
      throw AudioError(
        .alreadyExists, cannot: "write to", output,
        because: "it is the output of another source of this list, too, or of another run",
        advice: "tell them apart with {path}, {id} or {n}")
    }
    switch policy {
    case .skip: return .skip
    case .replace: return .write(replacing: true)
    case .fail:
      throw AudioError(
        .alreadyExists, cannot: "write to", output, because: "it already exists",
        advice: "use --existing skip or --existing replace")
    }
  }

  /// To be called when an output is complete.
  func note(_ output: String) {
    guard let time = Self.changeTime(of: output) else { return }
    earliest.withLock { $0 = min($0, time) }
  }

  /// When what the name stands for was last changed; nil where it is free, or no file.
  private static func changeTime(of path: String) -> Int64? {
    var status = stat()
    guard unsafe stat(Pathname(path).cString, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else { return nil }
    return Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
  }
}

/// Makes the folders that the output at `path` is to be in.
func makeFolders(for path: String) throws(AudioError) {
  // Without the slash at the end.
  let folder = Pathname(bytes: Pathname(path).directory.bytes.dropLast())
  guard !folder.bytes.isEmpty else { return }
  if unsafe mkdir(folder.cString, 0o777) == 0 || errno == EEXIST { return }
  guard errno == ENOENT else {
    throw AudioError(systemCode: errno, cannot: "make the folder", folder.text)
  }
  try makeFolders(for: folder.text)
  // Another worker may make it at the same time.
  guard unsafe mkdir(folder.cString, 0o777) == 0 || errno == EEXIST else {
    throw AudioError(systemCode: errno, cannot: "make the folder", folder.text)
  }
}
