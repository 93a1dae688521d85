// SPDX-License-Identifier: Apache-2.0
import Glibc
internal import Synchronization

/// Which file something is, whatever it is called: the file system and the number there.
struct FileIdentity: Sendable, Hashable {
  let device: UInt64
  let number: UInt64

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }
}

/// Where a file stands, also one that does not exist yet: its folder, and its name there.
struct FilePlace: Sendable, Hashable {
  let folder: FileIdentity
  let name: [UInt8]
}

/// What a regular file is used for.
enum FileUse: Sendable {
  case read
  /// Written where it is. One that was there before is emptied when its first byte comes.
  case written
  /// Replaced by another file when that is complete: who reads it goes on reading the old one.
  case replaced
  /// Written through a descriptor that somebody else opened, and never emptied.
  case lent
  /// The same, always behind its end: who reads it would never come to that.
  case appended
}

/// A regular file that the process reads or writes, as long as somebody holds this.
///
/// No file is emptied that is still to be read, and no two outputs are one file. Any thread.
final class FileClaim: Sendable {
  private let user: FileUser
  private let keys: [ClaimKey]

  /// - Parameters:
  ///   - name: what errors call it.
  ///   - file: nil where it does not exist yet.
  ///   - place: only of outputs.
  ///   - session: whose input or output it is.
  /// - Throws: `invalidParameter` where the file is in use already, so that one of the two would be harmed.
  init(
    _ use: FileUse, _ name: String, file: FileIdentity?, place: FilePlace? = nil,
    of session: Wakeup? = nil
  ) throws(AudioError) {
    let user = FileUser(use, name, session)
    let keys: [ClaimKey] = (file.map { [.file($0)] } ?? []) + (place.map { [.place($0)] } ?? [])
    (self.user, self.keys) = (user, keys)
    let rival: FileUser? = claims.withLock { claims in
      for key in keys {
        if let rival = claims[key]?.rival(of: user) { return rival }
      }
      for key in keys { claims[key, default: FileUsers()].add(user) }
      return nil
    }
    if let rival { throw user.refusal(beside: rival) }
  }

  deinit {
    claims.withLock { claims in
      for key in keys {
        claims[key]?.remove(user)
        if claims[key]?.isEmpty == true { claims[key] = nil }
      }
    }
  }

  /// The file is empty now: whoever opens it from here on reads what is written.
  func begin() { user.hasBegun.store(true, ordering: .releasing) }

  /// Tells whose input or output the file is.
  func belong(to session: Wakeup) { user.session.withLock { $0 = ObjectIdentifier(session) } }
}

/// Who uses a file, and for what.
private final class FileUser: Sendable {
  let use: FileUse
  private let name: String
  let hasBegun = Atomic(false)
  /// Whose input or output it is, as far as that is known.
  let session: Mutex<ObjectIdentifier?>

  init(_ use: FileUse, _ name: String, _ session: Wakeup?) {
    self.use = use
    self.name = name
    self.session = Mutex(session.map { ObjectIdentifier($0) })
  }

  func isHarmful(beside other: FileUser) -> Bool {
    switch (use, other.use) {
    case (.read, .written): other.isHarmful(toReader: self)
    case (.written, .read), (.appended, .read), (.read, .appended): true
    case (.read, _), (_, .read): false
    // As with a shell's `> file 2>&1`.
    case (.lent, .lent), (.lent, .appended), (.appended, .lent), (.appended, .appended): false
    default: true
    }
  }

  /// A recording may be read while it grows, but not by the session that makes it.
  private func isHarmful(toReader reader: FileUser) -> Bool {
    guard hasBegun.load(ordering: .acquiring) else { return true }
    let writing = session.withLock { $0 }
    return writing != nil && writing == reader.session.withLock { $0 }
  }

  func refusal(beside other: FileUser) -> AudioError {
    let isAmongOutputs = use != .read && other.use != .read
    let what = isAmongOutputs ? "another output" : use == .read ? "an output" : "an input"
    return AudioError(
      .invalidParameter, cannot: use == .read ? "read" : "write to", name,
      because: other.name == name
        ? "it is \(what), too" : "it is the same file as '\(other.name)', \(what)",
      advice: isAmongOutputs ? "give each output its own" : "write to another file")
  }
}

private enum ClaimKey: Sendable, Hashable {
  case file(FileIdentity)
  case place(FilePlace)
}

/// Everybody who uses one file.
private struct FileUsers {
  private var readers: [ObjectIdentifier: FileUser] = [:]
  private var writers: [ObjectIdentifier: FileUser] = [:]

  var isEmpty: Bool { readers.isEmpty && writers.isEmpty }

  mutating func add(_ user: FileUser) {
    if user.use == .read {
      readers[ObjectIdentifier(user)] = user
    } else {
      writers[ObjectIdentifier(user)] = user
    }
  }

  mutating func remove(_ user: FileUser) {
    readers[ObjectIdentifier(user)] = nil
    writers[ObjectIdentifier(user)] = nil
  }

  /// Somebody who stands against a new user. Readers do not, and there may be thousands of one file.
  func rival(of user: FileUser) -> FileUser? {
    let writer = writers.values.first { user.isHarmful(beside: $0) }
    return writer ?? (user.use == .read ? nil : readers.values.first { user.isHarmful(beside: $0) })
  }
}

/// Of the whole process, as files are.
private let claims = Mutex<[ClaimKey: FileUsers]>([:])
