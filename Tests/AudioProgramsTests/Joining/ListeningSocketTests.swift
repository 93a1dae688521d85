// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioPrograms

@Suite struct ListeningSocketTests {
  /// A folder removed at its release; its path is short, because a socket's path may have 107 bytes.
  final class Folder {
    let path: String

    init() throws {
      var name = Array("/tmp/rawaudio.XXXXXX".utf8CString)
      path = try #require(unsafe mkdtemp(&name).map { unsafe String(cString: $0) })
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  private func refusal(_ path: String) -> String? {
    do {
      _ = try ListeningSocket(path: path)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  @Test func onlyItsOwnerMayConnectAndItGoesAtTheEnd() throws {
    let folder = try Folder()
    let path = folder("s")
    do {
      let socket = try ListeningSocket(path: path)
      #expect(try mode(path) == 0o600)
      #expect(socket.accept() == nil)
    }
    #expect(!exists(path))
  }

  /// Creates a bound socket that is never removed and never listened on.
  private func makeStale(_ path: String) throws {
    let stale = try Descriptor(
      Int32(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)), cannot: "make", path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let code = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(stale.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    #expect(code == 0)
  }

  @Test func aStaleOneIsReplaced() throws {
    let folder = try Folder()
    let path = folder("s")
    try makeStale(path)
    let socket = try ListeningSocket(path: path)
    #expect(try mode(path) == 0o600)
    socket.remove()
    #expect(!exists(path))
  }

  /// Any reader of the folder may lock it for ever.
  @Test
  func aFolderThatSomebodyLocks() throws {
    let folder = try Folder()
    let other = try Descriptor(
      unsafe open(folder.path, O_RDONLY | O_DIRECTORY), cannot: "open", folder.path)
    #expect(flock(other.number, LOCK_SH) == 0)
    for path in [folder("new"), folder("stale")] {
      if path.hasSuffix("stale") { try makeStale(path) }
      let socket = try ListeningSocket(path: path)
      #expect(refusal(path)?.contains("a program listens there already") == true)
      socket.remove()
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test func aUsedOneIsAnError() throws {
    let folder = try Folder()
    let path = folder("s")
    let first = try ListeningSocket(path: path)
    #expect(
      refusal(path)
        == "cannot listen at '\(path)': a program listens there already; "
        + "use another path, or end that one")
    #expect(exists(path))
    first.remove()
    #expect(refusal(path) == nil)
  }

  /// A replaced socket does not remove its successor.
  @Test func onlyItsOwnIsRemoved() throws {
    let folder = try Folder()
    let path = folder("s")
    let first = try ListeningSocket(path: path)
    try FileManager.default.removeItem(atPath: path)
    let second = try ListeningSocket(path: path)
    first.remove()
    #expect(exists(path))
    second.remove()
    #expect(!exists(path))
  }

  @Test func whatIsNoSocketIsNeverTouched() throws {
    let folder = try Folder()
    let file = folder("file")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: file))
    #expect(
      refusal(file)
        == "cannot listen at '\(file)': something else is there; "
        + "use another path, or remove it")
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "mine")
    #expect(refusal(folder.path)?.contains("something else is there") == true)
    // A dangling link is not replaced either.
    try FileManager.default.createSymbolicLink(
      atPath: folder("link"), withDestinationPath: folder("nowhere"))
    #expect(refusal(folder("link"))?.contains("something else is there") == true)
  }

  @Test func pathsThatNoSocketCanHave() throws {
    let folder = try Folder()
    let longest = folder(String(repeating: "x", count: 107 - folder.path.utf8.count - 1))
    #expect(refusal(longest) == nil)
    #expect(
      refusal(longest + "x")
        == "cannot listen at '\(longest)x': the path has 108 bytes, and that of a socket has 107 "
        + "at most; use a shorter one, such as one in /tmp or $XDG_RUNTIME_DIR")
    #expect(refusal("") == "cannot listen at: it is no path")
    #expect(refusal("a\0b") != nil)
    #expect(refusal(folder("no/where")) == "cannot listen at '\(folder("no/where"))': no such file")
  }
}
