// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

/// A slow search in a file stops if the session is abandoned.
@Suite struct FileWindowTests {
  @Test func anAbandonedSessionLooksNoFurther() throws {
    let scratch = ScratchDirectory()
    let path = try scratch.write([UInt8](repeating: 7, count: 200_000), "in")
    let wakeup = Wakeup()
    let window = try FileWindow(
      of: FileDescriptor(reading: path, wakeup: wakeup), blockSize: 4_096)
    #expect(try window.bytes(2, at: 0) == [7, 7])
    wakeup.request(.finish)
    #expect(try window.bytes(2, at: 50_000) == [7, 7])
    wakeup.request(.abandon)
    #expect(errorKind { try window.bytes(2, at: 100_000) } == .interrupted)
  }
}
