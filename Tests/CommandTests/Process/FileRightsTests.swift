// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The permissions that a replacing file takes over.
@Suite struct FileRightsTests {
  let directory = TemporaryDirectory()

  init() throws {
    try directory.run("convert", "tone:440", "-d", "0.1", "-o", "in.wav").requireSuccess()
    try directory.write([1, 2, 3], "x.wav")
  }

  private func status(_ name: String) throws -> stat {
    var status = stat()
    try #require(unsafe lstat(directory.file(name).path, &status) == 0)
    return status
  }

  private func replace() throws {
    try directory.run("convert", "in.wav", "-o", "x.wav", "--force").requireSuccess()
    #expect(directory.names == ["in.wav", "x.wav"])
  }

  @Test(arguments: [0o4755, 0o2755, 0o6711, 0o1644, 0o640, 0o600] as [mode_t])
  func noSpecialBitIsKept(_ mode: mode_t) throws {
    unsafe chmod(directory.file("x.wav").path, mode)
    #expect(try status("x.wav").st_mode & 0o7777 == mode)
    try replace()
    #expect(try status("x.wav").st_mode & 0o7777 == mode & 0o777)
  }

  /// Only root can give files away.
  @Test(.enabled(if: getuid() == 0)) func ownerAndGroupAreKept() throws {
    unsafe chown(directory.file("x.wav").path, 1, 2)
    unsafe chmod(directory.file("x.wav").path, 0o6750)
    try replace()
    let status = try status("x.wav")
    #expect(status.st_uid == 1)
    #expect(status.st_gid == 2)
    #expect(status.st_mode & 0o7777 == 0o750)
  }

  /// A user outside the file's group: the old group's rights must not pass to the user's own group.
  @Test(
    .enabled(if: getuid() == 0),
    arguments: [(0o664, 0o644), (0o660, 0o600), (0o666, 0o666)] as [(mode_t, mode_t)])
  func aGroupThatCannotBeKeptGivesNoRights(_ old: mode_t, _ new: mode_t) throws {
    unsafe chmod(directory.url.path, 0o777)
    unsafe chown(directory.file("x.wav").path, 1, 0)
    unsafe chmod(directory.file("x.wav").path, old)
    try directory.mustRun(
      """
      cp "$(command -v rawaudio)" ./program && chmod 755 program &&
      setpriv --reuid=1 --regid=2 --clear-groups ./program convert in.wav -o x.wav --force
      """)
    let status = try status("x.wav")
    #expect(status.st_uid == 1)
    #expect(status.st_gid == 2)
    #expect(status.st_mode & 0o7777 == new)
  }

  /// The list in the kernel's form (linux/posix_acl_xattr.h): its version, then tag, rights and id of each entry. The
  /// file's group has no right; its mode bits are the mask of the list.
  @Test func anAccessControlListIsKept() throws {
    let script = """
      import os, struct, sys
      entries = [(1, 6, -1), (2, 4, 1), (4, 0, -1), (16, 6, -1), (32, 0, -1)]
      data = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
      name = "system.posix_acl_access"
      if sys.argv[1] == "set":
        try: os.setxattr("x.wav", name, data)
        except OSError: print("none")
      else:
        print(os.getxattr("x.wav", name) == data)
      """
    try Data(script.utf8).write(to: directory.file("in.py"))
    let made = try directory.pipeline("python3 in.py set")
    // Some file systems lack such lists.
    guard made.outputText.isEmpty else { return }
    try directory.run("convert", "in.wav", "-o", "x.wav", "--force").requireSuccess()
    #expect(try directory.pipeline("python3 in.py look").outputText == "True\n")
    #expect(try status("x.wav").st_mode & 0o777 == 0o660)
  }
}
