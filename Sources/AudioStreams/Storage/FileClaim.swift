// SPDX-License-Identifier: Apache-2.0
package import Glibc
internal import Synchronization

/// The identity of a file under any name: its file system and its inode number.
package struct FileIdentity: Sendable, Hashable {
  package let device: UInt64
  package let number: UInt64

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }

  /// The identity of the regular file at `path`; nil if there is none.
  package init?(ofFileAt path: String) {
    var status = stat()
    guard unsafe stat(Pathname(path).cString, &status) == 0 else { return nil }
    self.init(ofRegular: status)
  }

  /// The identity of an open regular file; nil if it is not regular.
  package init?(ofOpenFile descriptor: Int32) {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else { return nil }
    self.init(ofRegular: status)
  }

  private init?(ofRegular status: stat) {
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    self.init(status)
  }
}

/// The place of a file, even of a future one: its folder, and its name there.
package struct FilePlace: Sendable, Hashable {
  let folder: FileIdentity
  let name: [UInt8]
}

/// The use of a regular file.
package enum FileUse: Sendable {
  case read
  /// Read, and not to be lost: no file may replace it either.
  case kept
  /// Written in place. An old file is emptied when its first byte comes.
  case written
  /// Replaced by another file when that is complete: a reader keeps the old one.
  case replaced
  /// Replaced by a file without sound: an input would lose its samples.
  case replacedByDrawing
  /// Written through a descriptor that was already open, and never emptied.
  case lent
  /// Like ``lent``, but always written at its end, which a reader would never reach.
  case appended

  fileprivate var reads: Bool { self == .read || self == .kept }
}

/// The use of a regular file by this process, for the life of this object.
///
/// It keeps a file from being emptied before it is read, and two outputs from being one file. Any thread.
package final class FileClaim: Sendable {
  private let user: FileUser
  private let keys: [ClaimKey]
  /// Whether another use of the file was refused because of this one.
  package var hasRefused: Bool { user.hasRefused.load(ordering: .relaxed) }

  /// - Parameters:
  ///   - name: the file's name in errors.
  ///   - file: nil if it does not exist yet.
  ///   - place: only of outputs.
  ///   - session: the session of the input or output.
  /// - Throws: `invalidParameter` if the file is already in use, and one of the two uses would be harmed.
  package init(
    _ use: FileUse, _ name: String, file: FileIdentity?, place: FilePlace? = nil,
    of session: Wakeup? = nil
  ) throws(AudioError) {
    let user = FileUser(use, name, session)
    let keys: [ClaimKey] = (file.map { [.file($0)] } ?? []) + (place.map { [.place($0)] } ?? [])
    self.user = user
    self.keys = keys
    let rival: FileUser? = claims.withLock { claims in
      for key in keys {
        if let rival = claims[key]?.rival(of: user) { return rival }
      }
      for key in keys { claims[key, default: FileUsers()].add(user) }
      return nil
    }
    if let rival {
      rival.hasRefused.store(true, ordering: .relaxed)
      throw user.refusal(beside: rival)
    }
  }

  /// Claims a file that is already open; nil if it is not regular.
  ///
  /// - Parameter name: the file's name in errors.
  /// - Throws: `invalidParameter` if the file is already in use, and one of the two uses would be harmed.
  package convenience init?(
    _ use: FileUse, _ name: String, descriptor: Int32
  ) throws(AudioError) {
    guard let file = FileIdentity(ofOpenFile: descriptor) else { return nil }
    try self.init(use, name, file: file)
  }

  deinit {
    claims.withLock { claims in
      for key in keys {
        claims[key]?.remove(user)
        if claims[key]?.isEmpty == true { claims[key] = nil }
      }
    }
  }

  /// Tells that the file is empty now: a later reader reads the new content.
  func begin() { user.hasBegun.store(true, ordering: .releasing) }

  /// Sets the session whose input or output the file is.
  func belong(to session: Wakeup) { user.session.withLock { $0 = ObjectIdentifier(session) } }
}

/// A user of a file, with the use.
private final class FileUser: Sendable {
  let use: FileUse
  private let name: String
  let hasBegun = Atomic(false)
  let hasRefused = Atomic(false)
  /// The session whose input or output the file is; nil if it is unknown.
  let session: Mutex<ObjectIdentifier?>

  init(_ use: FileUse, _ name: String, _ session: Wakeup?) {
    self.use = use
    self.name = name
    self.session = Mutex(session.map { ObjectIdentifier($0) })
  }

  func isHarmful(beside other: FileUser) -> Bool {
    switch (use, other.use) {
    case (.read, .read), (.read, .kept), (.kept, .read), (.kept, .kept): false
    case (.kept, _), (_, .kept): true
    case (.read, .replacedByDrawing), (.replacedByDrawing, .read): true
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
    let isAmongOutputs = !use.reads && !other.use.reads
    let what = isAmongOutputs ? "another output" : use.reads ? "an output" : "an input"
    return AudioError(
      .invalidParameter, cannot: use.reads ? "read" : "write to", name,
      because: other.name == name
        ? "it is \(what), too" : "it is the same file as '\(other.name)', \(what)",
      advice: isAmongOutputs ? "give each output its own" : "write to another file")
  }
}

private enum ClaimKey: Sendable, Hashable {
  case file(FileIdentity)
  case place(FilePlace)
}

/// All users of one file.
private struct FileUsers {
  private var readers: [ObjectIdentifier: FileUser] = [:]
  private var writers: [ObjectIdentifier: FileUser] = [:]

  var isEmpty: Bool { readers.isEmpty && writers.isEmpty }

  mutating func add(_ user: FileUser) {
    if user.use.reads {
      readers[ObjectIdentifier(user)] = user
    } else {
      writers[ObjectIdentifier(user)] = user
    }
  }

  mutating func remove(_ user: FileUser) {
    readers[ObjectIdentifier(user)] = nil
    writers[ObjectIdentifier(user)] = nil
  }

  /// Returns a user that conflicts with a new one. Readers never conflict with each other, and one file may have
  /// thousands.
  func rival(of user: FileUser) -> FileUser? {
    let writer = writers.values.first { user.isHarmful(beside: $0) }
    return writer ?? (user.use.reads ? nil : readers.values.first { user.isHarmful(beside: $0) })
  }
}

/// The claims of the whole process.
private let claims = Mutex<[ClaimKey: FileUsers]>([:])
