// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Glibc

/// A pipe with a thread at its other end.
enum Pipe {
  /// Returns the reading end of a pipe into which a thread writes `bytes`, `step` at a time.
  ///
  /// - Parameter inPackets: `true` if each step is a packet, of which the pipe holds 16 at a time (pipe2(2),
  ///   `O_DIRECT`).
  static func delivering(
    _ bytes: [UInt8], step: Int = 4_096, inPackets: Bool = false
  ) -> Int32 {
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    if inPackets { takePackets(ends[1]) }
    let writer = ends[1]
    OtherThread.run {
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + step)
        let written = unsafe bytes[start..<end].withUnsafeBytes {
          unsafe write(writer, $0.baseAddress, $0.count)
        }
        if written <= 0 { break }
        start += written
      }
      close(writer)
    }
    return ends[0]
  }

  /// Makes each write a packet, of which a read returns one.
  private static func takePackets(_ end: Int32) {
    #if arch(arm64)
    let direct: Int32 = 0o200000
    #else
    let direct: Int32 = 0o40000
    #endif
    // Linux 4.5 and later accept the flag afterwards, too.
    _ = fcntl(end, F_SETFL, O_WRONLY | direct)
  }

  /// Calls `body` with the writing end of a pipe and returns the bytes from the other end.
  static func collecting(_ body: (Int32) throws -> Void) throws -> [UInt8] {
    try writes(body, inPackets: false).flatMap { $0 }
  }

  /// Calls `body` with the writing end of a pipe and returns the bytes of each write, at most 4,096 (pipe(7)).
  static func writes(
    _ body: (Int32) throws -> Void, inPackets: Bool = true
  ) throws -> [[UInt8]] {
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    if inPackets { takePackets(ends[1]) }
    let reader = ends[0]
    let result = Collected()
    let thread = OtherThread.run { result.reads = readAll(reader) }
    defer { close(reader) }
    do {
      try body(ends[1])
    } catch {
      close(ends[1])
      thread.wait()
      throw error
    }
    close(ends[1])
    thread.wait()
    return result.reads
  }

  private final class Collected: @unchecked Sendable { var reads: [[UInt8]] = [] }

  private static func readAll(_ reader: Int32) -> [[UInt8]] {
    var reads: [[UInt8]] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe read(reader, &block, block.count)
      if count <= 0 { return reads }
      reads.append(Array(block[..<count]))
    }
  }
}
