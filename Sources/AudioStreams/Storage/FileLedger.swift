// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
internal import Synchronization

/// The files of a folder that still need work, in a file beside them that survives the process.
///
/// Each change is a line of JSON at its end, written by one call: a kill cuts the last line at most, which is passed
/// over. A run holds its lock (flock(2)), so that a run beside it has a ledger of its own; the next run takes over all
/// whose runs have ended. Any thread.
package final class FileLedger: Sendable {
  package enum State: String, Sendable {
    /// It is being written.
    case begun
    case complete
    /// Work on it has failed.
    case failed
    /// It needs no more work. Only in the file.
    case done
  }

  package struct Entry: Sendable {
    /// The path of the file.
    package var path: String
    package var state: State
    /// Whatever belongs to it.
    package var details: JSONValue?
    fileprivate var number = 0
  }

  private struct Content {
    /// By the path behind the folder.
    var entries: [String: Entry] = [:]
    var count = 0
    /// The open file; -1 if there is none.
    var descriptor: Int32 = -1
    var path: Pathname
    var size = 0
    /// Whether the file lacks something.
    var isBehind = false
    var failure: AudioError?
    var isEnded = false

    var ordered: [Entry] { entries.values.sorted { $0.number < $1.number } }
  }

  /// How many runs may work in one folder with files of the same names.
  private static let mostRuns = 16
  /// A file of this size is written anew once most of its lines have no effect, in bytes.
  private static let largestSize = 1 << 16
  private let content: Mutex<Content>
  private let paths: [Pathname]
  private let folder: Pathname
  /// Whether ``folder`` is in front of paths.
  private let namesFolder: Bool
  private let isSynchronizing: Bool
  /// The entries of earlier runs, the oldest first. Files that were never begun, or that a program is writing, are left
  /// out; a complete one may be gone.
  package let earlier: [Entry]

  /// - Parameters:
  ///   - folder: of the files; ends with a slash.
  ///   - pattern: tells ledgers of other files in the folder.
  ///   - isSynchronizing: whether the beginning of a file is forced onto the disk.
  package init(
    in folder: Pathname, namesFolder: Bool, for pattern: String,
    synchronizing isSynchronizing: Bool
  ) {
    self.folder = folder
    self.namesFolder = namesFolder
    self.isSynchronizing = isSynchronizing
    let name = ".rawaudio-parts-\(Pathname.hash(of: Pathname(pattern).bytes))"
    paths = (0..<Self.mostRuns).map {
      folder.appending(Array(($0 == 0 ? name : "\(name)-\($0)").utf8))
    }
    var content = Content(path: folder.appending(Array(name.utf8)))
    var left: [(path: Pathname, descriptor: Int32)] = []
    for path in paths {
      guard let descriptor = Self.locked(path) else { continue }
      Self.read(descriptor, into: &content)
      if content.descriptor < 0 {
        content.descriptor = descriptor
        content.path = path
      } else {
        left.append((path, descriptor))
        content.isBehind = true
      }
    }
    for (key, entry) in content.entries {
      let path = Self.path(of: key, in: folder, namesFolder)
      content.entries[key]?.path = path
      guard
        entry.state == .done || entry.state == .begun && !Pathname(path).exists
          || Self.isWritten(path)
      else { continue }
      content.entries[key] = nil
      content.isBehind = true
    }
    earlier = content.ordered
    self.content = Mutex(content)
    self.content.withLock { content in
      if content.isBehind || content.descriptor < 0 { rewrite(&content) }
      for (path, descriptor) in left {
        if !content.isBehind { unsafe unlink(path.cString) }
        close(descriptor)
      }
    }
  }

  deinit { end() }

  /// Notes the state of a file.
  ///
  /// - Parameter details: nil keeps them.
  package func put(_ path: String, _ state: State, _ details: JSONValue? = nil) {
    content.withLock { content in
      let key = key(of: path)
      var entry = content.entries[key] ?? Entry(path: path, state: state, number: content.count)
      if content.entries[key] == nil || state == .begun {
        entry.number = content.count
        content.count += 1
      }
      entry.state = state
      entry.details = details ?? entry.details
      content.entries[key] = entry
      append(Self.line(key, state, details), to: &content)
      if state == .begun, isSynchronizing, content.descriptor >= 0 { fdatasync(content.descriptor) }
    }
  }

  /// Notes that a file needs no more work.
  package func remove(_ path: String) {
    content.withLock { content in
      let key = key(of: path)
      guard content.entries.removeValue(forKey: key) != nil else { return }
      append(Self.line(key, .done, nil), to: &content)
    }
  }

  /// The error since the last call by which the file lacks something; nil if there was none.
  package func takeFailure() -> AudioError? { content.withLock { $0.failure.take() } }

  /// Ends the work of this run. The file stays if a file needs work.
  package func end() {
    content.withLock { content in
      guard content.descriptor >= 0 else { return }
      for (key, entry) in content.entries where !Pathname(entry.path).exists {
        content.entries[key] = nil
        content.isBehind = true
      }
      if content.entries.isEmpty {
        unsafe unlink(content.path.cString)
      } else if content.isBehind {
        rewrite(&content)
      }
      close(content.descriptor)
      content.descriptor = -1
      content.isEnded = true
    }
  }

  private func append(_ line: [UInt8], to content: inout Content) {
    if content.isEnded { return }
    guard !content.isBehind, content.descriptor >= 0 else { return rewrite(&content) }
    guard Self.write(line, to: content.descriptor) else { return fail(&content) }
    content.size += line.count
    if content.size > Self.largestSize * (1 + content.entries.count / 64) { rewrite(&content) }
  }

  private func fail(_ content: inout Content) {
    content.failure = AudioError(systemCode: errno, cannot: "write to", content.path.text)
    content.isBehind = true
  }

  /// Replaces the file by one that has only the present entries, or makes it.
  private func rewrite(_ content: inout Content) {
    if content.descriptor < 0 {
      guard let (path, descriptor) = Self.made(paths) else { return fail(&content) }
      (content.path, content.descriptor) = (path, descriptor)
      if content.entries.isEmpty { return }
    }
    let new = content.path.appending(Array(".new".utf8))
    guard let descriptor = Self.locked(new, O_CREAT | O_TRUNC) else { return fail(&content) }
    let lines = content.ordered.flatMap { entry in
      Self.line(key(of: entry.path), entry.state, entry.details)
    }
    guard Self.write(lines, to: descriptor), !isSynchronizing || fdatasync(descriptor) == 0,
      unsafe rename(new.cString, content.path.cString) == 0
    else {
      fail(&content)
      unsafe unlink(new.cString)
      close(descriptor)
      return
    }
    if isSynchronizing { FileDescriptor.synchronizeDirectory(of: content.path) }
    close(content.descriptor)
    content.descriptor = descriptor
    content.size = lines.count
    content.isBehind = false
  }

  private func key(of path: String) -> String {
    guard namesFolder else { return path }
    return Pathname(bytes: Pathname(path).bytes.dropFirst(folder.bytes.count)).text
  }
}

extension FileLedger {
  private static func path(of key: String, in folder: Pathname, _ namesFolder: Bool) -> String {
    namesFolder ? folder.appending(Pathname(key).bytes).text : key
  }

  private static func line(_ key: String, _ state: State, _ details: JSONValue?) -> [UInt8] {
    let members: JSONValue.Members = [
      ("part", .string(Pathname(key).escaped)), ("state", .string(state.rawValue)),
    ]
    let line = JSONValue.object(members + (details.map { [("details", $0)] } ?? []))
    return Array(line.compact.utf8) + [UInt8(ascii: "\n")]
  }

  /// Makes the first file that does not exist; nil if the system refuses, or if there are too many: `errno` says why.
  private static func made(_ paths: [Pathname]) -> (Pathname, Int32)? {
    for path in paths {
      if let descriptor = locked(path, O_CREAT | O_EXCL) { return (path, descriptor) }
      guard errno == EEXIST || errno == EBUSY else { return nil }
    }
    return nil
  }

  /// Opens a ledger and takes its lock; nil if another run has it, or if the system refuses: `errno` says why.
  private static func locked(_ path: Pathname, _ flags: Int32 = 0) -> Int32? {
    let flags = flags | O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = SystemCall.retrying { unsafe open(path.cString, flags, 0o666) }
    guard descriptor >= 0 else { return nil }
    var (opened, named) = (stat(), stat())
    // Between the two calls another run may have replaced or removed it.
    if rawaudio_lock(descriptor) != 0, unsafe fstat(descriptor, &opened) == 0,
      unsafe lstat(path.cString, &named) == 0, FileIdentity(opened) == FileIdentity(named)
    {
      return descriptor
    }
    close(descriptor)
    errno = EBUSY
    return nil
  }

  /// Adds the entries of a file; of two for one path the later one counts.
  private static func read(_ descriptor: Int32, into content: inout Content) {
    guard let file = try? FileDescriptor(descriptor, name: "", closes: false), file.isRegular,
      let size = try? file.size(), let bytes = try? file.bytes(Int(size), at: 0)
    else { return content.isBehind = true }
    if bytes.last.map({ $0 != UInt8(ascii: "\n") }) ?? false { content.isBehind = true }
    content.size = bytes.count
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let value = try? JSONValue(reading: line), let name = value["part"]?.text,
        let state = value["state"]?.text.flatMap(State.init(rawValue:))
      else { continue }
      let key = Pathname(escaped: name).text
      if state == .begun || content.entries[key] == nil {
        content.entries[key] = Entry(path: key, state: state, number: content.count)
        content.count += 1
      }
      content.entries[key]?.state = state
      if let details = value["details"] { content.entries[key]?.details = details }
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    let count = unsafe bytes.withUnsafeBytes { bytes in
      SystemCall.retrying { unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count) }
    }
    if count >= 0, count < bytes.count { errno = ENOSPC }
    return count == bytes.count
  }

  /// Whether a program is writing a file, and so has its lock.
  private static func isWritten(_ path: String) -> Bool {
    let descriptor = unsafe open(
      Pathname(path).cString, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return rawaudio_is_locked(descriptor) != 0
  }
}

extension Pathname {
  /// Whether something has this name. The corresponding C function is `lstat`.
  package var exists: Bool {
    var status = stat()
    return unsafe lstat(cString, &status) == 0
  }
}
