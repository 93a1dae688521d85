// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// A temporary file without a name that holds a stream which has to be sought in.
package enum SpooledFile {
  /// Holds nothing but `bytes`, in memory.
  package static func holding(_ bytes: [UInt8], named name: String) throws(AudioError)
    -> FileDescriptor
  {
    let file = try inMemory(named: name)
    do {
      try file.write(bytes, at: 0)
    } catch {
      // It is read under this name, but what failed is our own copy.
      var error = error
      error.action = "spool what comes from"
      throw error
    }
    return file
  }

  /// Copies `head` and then everything that `source` still delivers. Of a stream that cannot be had again what was stored
  /// is kept where no more can be; its ``FileDescriptor/failure`` says why.
  ///
  /// - Returns: the temporary file, named as `source` is; it vanishes when it is closed.
  /// - Throws: `unsupported` where it would become larger than the source's ``FileDescriptor/spoolLimit``.
  package static func holding(
    _ head: [UInt8], thenAllOf source: FileDescriptor
  ) throws(AudioError) -> FileDescriptor {
    let file = try empty(named: source.name)
    file.corrections = source.corrections
    do throws(AudioError) {
      try copy(head, thenAllOf: source, to: file)
    } catch {
      guard source.ending == .withWriter, error.kind != .interrupted, try file.size() > 0 else {
        throw error
      }
      source.failure = error
    }
    source.spooledCopy = file
    return file
  }

  private static func copy(
    _ head: [UInt8], thenAllOf source: FileDescriptor, to file: FileDescriptor
  ) throws(AudioError) {
    let queue = ByteQueue(capacity: max(head.count, FileDescriptor.blockSize))
    _ = try unsafe queue.append { target in
      unsafe target.copyBytes(from: head)
      return head.count
    }
    var offset: Int64 = 0
    repeat {
      while queue.count > 0 {
        let room = min(Int64(queue.count), source.spoolLimit - offset)
        guard room > 0 else {
          throw AudioError(
            .unsupported, cannot: "spool to a temporary file what comes from", source.name,
            because: "it is more than \(source.spoolLimit) bytes, the spool limit")
        }
        let part = unsafe UnsafeRawBufferPointer(rebasing: queue.bytes.prefix(Int(room)))
        let count = unsafe file.writeSome(part, at: offset)
        guard count > 0 else {
          throw AudioError(
            systemCode: errno, cannot: "spool to a temporary file what comes from", source.name)
        }
        queue.consume(count)
        offset += Int64(count)
      }
    } while try unsafe queue.append({ (target) throws(AudioError) in
      try unsafe source.read(into: target)
    }) > 0
  }

  /// An empty file that vanishes when it is closed.
  package static func empty(named name: String) throws(AudioError) -> FileDescriptor {
    try FileDescriptor(makeUnnamed(), name: name, closes: true)
  }

  /// An empty file in memory, to try something out.
  package static func inMemory(named name: String) throws(AudioError) -> FileDescriptor {
    try FileDescriptor(rawaudio_open_in_memory(), name: name, closes: true)
  }

  /// A file in memory of `byteCount` zeros that stays as large as it is, whoever writes to it.
  package static func inMemory(ofSize byteCount: Int, named name: String) throws(AudioError)
    -> FileDescriptor
  {
    let number = rawaudio_open_in_bounded_memory(off_t(byteCount))
    guard number >= 0 else { throw AudioError(systemCode: errno, cannot: "spool", name) }
    return try FileDescriptor(number, name: name, closes: true)
  }

  /// A descriptor of a new file without a name, open for reading and writing, which the caller closes.
  package static func makeUnnamed() throws(AudioError) -> Int32 {
    let wish = unsafe getenv("TMPDIR").map { unsafe Pathname(cString: $0).text } ?? ""
    var code: Int32 = 0
    for directory in [wish, "/var/tmp", "/tmp"] where !directory.isEmpty {
      let number = unsafe rawaudio_open_unnamed(Pathname(directory).cString)
      if number >= 0 { return number }
      // Not every file system has O_TMPFILE.
      var template = Pathname("\(directory)/rawaudio-XXXXXX").cString
      let named = unsafe mkstemp(&template)
      if named >= 0 {
        unsafe unlink(template)
        _ = fcntl(named, F_SETFD, FD_CLOEXEC)
        return named
      }
      code = errno
    }
    throw AudioError(
      systemCode: code, cannot: "make a temporary file in", wish.isEmpty ? "/var/tmp" : wish)
  }
}
