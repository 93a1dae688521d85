// SPDX-License-Identifier: Apache-2.0
// level SOCKET: prints the level of the mix, ten times a second. Needs nothing but the C library:
//     swiftc -O level.swift
import Glibc

func fail(_ reason: String) -> Never {
  fputs("level: \(reason)\n", stderr)
  exit(1)
}

guard CommandLine.arguments.count == 2 else { fail("which socket?") }
let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
var address = sockaddr_un()
address.sun_family = sa_family_t(AF_UNIX)
withUnsafeMutableBytes(of: &address.sun_path) {
  $0.copyBytes(from: CommandLine.arguments[1].utf8.prefix(107))
}
let code = withUnsafePointer(to: &address) {
  $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
    connect(connection, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
  }
}
guard code == 0 else { fail("cannot connect: \(String(cString: strerror(errno)))") }

/// Waits for `count` bytes; nil at the end.
func read(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  var filled = 0
  while filled < count {
    let length = bytes[filled...].withUnsafeMutableBytes {
      recv(connection, $0.baseAddress, $0.count, 0)
    }
    if length <= 0 { return nil }
    filled += length
  }
  return bytes
}

/// The little-endian number in the bytes from `offset` on.
func number<Number: FixedWidthInteger>(_ bytes: [UInt8], _ offset: Int) -> Number {
  bytes.withUnsafeBytes {
    Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

let line =
  #"{"observe":"playback","rate":48000,"channels":1,"samplesPerCall":4800,"encoding":"f32"}"# + "\n"
_ = line.withCString { send(connection, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
var reply = ""
while let byte = read(1), byte != [10] { reply += String(decoding: byte, as: UTF8.self) }
guard reply.contains(#""ok":true"#) else { fail(reply) }

while let header = read(32) {
  let milliseconds: Int64 = number(header, 8)
  let size: UInt32 = number(header, 16)
  let flags: UInt32 = number(header, 24)
  guard let payload = read(Int(size)) else { break }
  // 8: a line about the stream. The last frame may be empty.
  if flags & 8 != 0 || payload.isEmpty { continue }
  var sum = 0.0
  for offset in stride(from: 0, to: payload.count, by: 4) {
    let sample = Double(Float(bitPattern: number(payload, offset)))
    sum += sample * sample
  }
  let level = 10 * log10(max(sum / Double(payload.count / 4), 1e-12))
  print("\(Double(milliseconds) / 1000) s  \((level * 10).rounded() / 10) dBFS")
  fflush(stdout)
}
