// SPDX-License-Identifier: Apache-2.0
package import Glibc
internal import Synchronization

/// Which file something is, whatever it is called: the file system and the number there.
package struct FileIdentity: Sendable, Hashable {
  package let device: UInt64
  package let number: UInt64

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    number = UInt64(status.st_ino)
  }

  /// Of the regular file that `path` leads to; nil where there is none.
  package init?(ofFileAt path: String) {
    var status = stat()
    guard unsafe stat(Pathname(path).cString, &status) == 0 else { return nil }
    self.init(ofRegular: status)
  }

  /// Of the regular file that is open; nil where it is none.
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

/// Where a file stands, also one that does not exist yet: its folder, and its name there.
package struct FilePlace: Sendable, Hashable {
  let folder: FileIdentity
  let name: [UInt8]
}

/// What a regular file is used for.
package enum FileUse: Sendable {
  case read
  /// Read, and not to be lost: nothing takes its place either.
  case kept
  /// Written where it is. One that was there before is emptied when its first byte comes.
  case written
  /// Replaced by another file when that is complete: who reads it goes on reading the old one.
  case replaced
  /// The same, by what is no sound: of an input nobody would have the samples any more.
  case replacedByDrawing
  /// Written through a descriptor that somebody else opened, and never emptied.
  case lent
  /// The same, always behind its end: who reads it would never come to that.
  case appended

  fileprivate var reads: Bool {
    switch self {
    case .read, .kept: true
    case .written, .replaced, .replacedByDrawing, .lent, .appended: false
    }
  }
}

/// A regular file that the process reads or writes, as long as somebody holds this.
///
/// No file is emptied that is still to be read, and no two outputs are one file. Any thread.
package final class FileClaim: Sendable {
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

  /// Of a file that is open already; nil where it is no regular one.
  ///
  /// - Parameter name: what errors call it.
  /// - Throws: `invalidParameter` where the file is in use already, so that one of the two would be harmed.
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

/// Everybody who uses one file.
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

  /// Somebody who stands against a new user. Readers do not, and there may be thousands of one file.
  func rival(of user: FileUser) -> FileUser? {
    let writer = writers.values.first { user.isHarmful(beside: $0) }
    return writer ?? (user.use.reads ? nil : readers.values.first { user.isHarmful(beside: $0) })
  }
}

/// Of the whole process, as files are.
private let claims = Mutex<[ClaimKey: FileUsers]>([:])
