// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// An unnamed temporary file that makes a stream seekable.
package enum SpooledFile {
  /// Makes a file in memory that holds `bytes`.
  package static func holding(_ bytes: [UInt8], named name: String) throws(AudioError)
    -> FileDescriptor
  {
    let file = try inMemory(named: name)
    do {
      try file.write(bytes, at: 0)
    } catch {
      // The file has the stream's name, but our own copy failed.
      var error = error
      error.action = "spool the data of"
      throw error
    }
    return file
  }

  /// Copies `head` and then all remaining bytes of `source`. If storing fails, the part so far of a stream that cannot
  /// be read again is kept; ``FileDescriptor/failure`` of `source` gives the reason.
  ///
  /// - Returns: the temporary file, with the name of `source`; closing removes it.
  /// - Throws: `unsupported` if it would exceed the source's ``FileDescriptor/spoolLimit``.
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
            .unsupported, cannot: "spool to a temporary file the data of", source.name,
            because: "it is more than \(source.spoolLimit) bytes, the spool limit")
        }
        let part = unsafe UnsafeRawBufferPointer(rebasing: queue.bytes.prefix(Int(room)))
        let count = unsafe file.writeSome(part, at: offset)
        guard count > 0 else {
          throw AudioError(
            systemCode: errno, cannot: "spool to a temporary file the data of", source.name)
        }
        queue.consume(count)
        offset += Int64(count)
      }
    } while try unsafe queue.append({ (target) throws(AudioError) in
      try unsafe source.read(into: target)
    }) > 0
  }

  /// Makes an empty file that closing removes.
  package static func empty(named name: String) throws(AudioError) -> FileDescriptor {
    try FileDescriptor(makeUnnamed(), name: name, closes: true)
  }

  /// Makes an empty file in memory, for trials.
  package static func inMemory(named name: String) throws(AudioError) -> FileDescriptor {
    try FileDescriptor(rawaudio_open_in_memory(), name: name, closes: true)
  }

  /// Makes a file in memory of `byteCount` zeros, whose size no writer can change.
  package static func inMemory(ofSize byteCount: Int, named name: String) throws(AudioError)
    -> FileDescriptor
  {
    let number = rawaudio_open_in_bounded_memory(off_t(byteCount))
    guard number >= 0 else { throw AudioError(systemCode: errno, cannot: "spool", name) }
    return try FileDescriptor(number, name: name, closes: true)
  }

  /// Makes an unnamed file and returns its descriptor, open for reading and writing, which the caller closes.
  package static func makeUnnamed() throws(AudioError) -> Int32 {
    let wish = unsafe getenv("TMPDIR").map { unsafe Pathname(cString: $0).text } ?? ""
    var code: Int32 = 0
    for directory in [wish, "/var/tmp", "/tmp"] where !directory.isEmpty {
      let number = unsafe rawaudio_open_unnamed(Pathname(directory).cString)
      if number >= 0 { return number }
      // Some file systems lack O_TMPFILE.
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
