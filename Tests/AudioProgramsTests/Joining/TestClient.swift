// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioPrograms

/// A program that joins: a blocking socket, as in any language.
final class TestClient: Sendable {
  private let descriptor: Descriptor

  /// Connects and sends a line, if given.
  init(_ path: String, _ line: String? = nil) throws {
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    descriptor = try Descriptor(socket(AF_UNIX, type, 0), cannot: "make", path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let code = unsafe withUnsafePointer(to: &address) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(code == 0, "cannot connect: \(errno)")
    if let line { try send(Array((line + "\n").utf8)) }
  }

  /// Sends all bytes, waiting while they are not read.
  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      try #require(count > 0, "nobody takes it: \(errno)")
      rest = rest.dropFirst(count)
    }
  }

  /// Waits for `count` bytes, or for the end.
  func read(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var block = [UInt8](repeating: 0, count: min(count - bytes.count, 1 << 16))
      let length = unsafe recv(descriptor.number, &block, block.count, 0)
      if length <= 0 { break }
      bytes += block[..<length]
    }
    return bytes
  }

  /// Waits for a line and returns it without its line break; nil at the end.
  func readLine() -> String? {
    var line: [UInt8] = []
    while let byte = read(1).first {
      if byte == 0x0A { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }

  /// Waits for the answer to the first line, and drops it.
  func answered() -> TestClient {
    _ = readLine()
    return self
  }

  /// Waits for the end and returns the bytes before it.
  func readToEnd() -> [UInt8] { read(.max) }

  /// Ends the sending.
  func finish() { shutdown(descriptor.number, Int32(SHUT_WR)) }
}

/// A frame received by a client.
struct ClientFrame: Equatable {
  var position: Int64
  var renderTime: Int64
  var source: UInt32
  var flags: FrameHeader.Flags
  var payload: [UInt8]

  /// Parses a client's bytes; a remainder is an error.
  static func frames(_ bytes: [UInt8]) throws -> [ClientFrame] {
    var frames: [ClientFrame] = []
    var rest = bytes[...]
    func word<Word: FixedWidthInteger>(_ offset: Int, _ type: Word.Type = Word.self) -> Word {
      let start = rest.startIndex + offset
      return rest[start..<start + MemoryLayout<Word>.size].reversed().reduce(0) {
        $0 << 8 | Word(truncatingIfNeeded: $1)
      }
    }
    while !rest.isEmpty {
      try #require(rest.count >= 32)
      let count = Int(word(16, UInt32.self))
      try #require(rest.count >= 32 + count)
      try #require(word(28, UInt32.self) == 0)
      let start = rest.startIndex + 32
      frames.append(
        ClientFrame(
          position: word(0), renderTime: word(8), source: word(20),
          flags: .init(rawValue: word(24)), payload: Array(rest[start..<start + count])))
      rest = rest[(start + count)...]
    }
    return frames
  }

  var line: String { String(decoding: payload, as: UTF8.self) }
}
