// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore
internal import CLilv
internal import CLinux
internal import Glibc

/// The three pipes between the session and this process, hidden from plug-ins. Plug-ins read nothing; a file in
/// memory keeps the beginning of their prints.
@safe
struct HostPipes {
  private let input: Int32
  private let output: Int32
  private let reports: Int32
  private let prints: Int32

  private static let longestPrint = 4_096
  /// The first of the three numbers, beyond the usual numbers of a new process.
  private static let first: Int32 = 64

  /// Prepares this process for faulty plug-ins. Called once, before any plug-in is loaded.
  ///
  /// - Parameter memoryLimit: in bytes, of the process's own memory.
  init(memoryLimit: UInt) {
    for descriptor in STDIN_FILENO...STDERR_FILENO {
      dup2(descriptor, Self.first + descriptor)
      _ = fcntl(Self.first + descriptor, F_SETFD, FD_CLOEXEC)
    }
    input = Self.first
    output = Self.first + 1
    reports = Self.first + 2
    // With these pipes open, a child of a plug-in would keep the session waiting for the end of the samples.
    pthread_atfork(nil, nil) { for descriptor in 64...66 { close(Int32(descriptor)) } }
    let nothing = unsafe open("/dev/null", O_RDONLY)
    prints = rawaudio_open_in_bounded_memory(off_t(Self.longestPrint))
    dup2(nothing, STDIN_FILENO)
    dup2(prints, STDOUT_FILENO)
    dup2(prints, STDERR_FILENO)
    close(nothing)
    signal(SIGPIPE, SIG_IGN)
    rawaudio_end_with_parent()
    rawaudio_limit_memory(memoryLimit)
    rawaudio_flush_small_numbers()
  }

  /// The last line that a plug-in or a library printed; nil if there is none.
  var lastPrint: String? {
    var bytes = [UInt8](repeating: 0, count: Self.longestPrint)
    let count = unsafe bytes.withUnsafeMutableBytes {
      unsafe pread(prints, $0.baseAddress, $0.count, 0)
    }
    let line = bytes.prefix(max(0, count)).split(whereSeparator: { $0 < 0x20 }).last
    return line.map { String(String(decoding: $0, as: UTF8.self).prefix(200)) }
  }

  /// Reads the available bytes; waits for the first.
  ///
  /// - Returns: the number of bytes; 0 at the end.
  func read(into bytes: inout [UInt8], from start: Int) -> Int {
    unsafe bytes.withUnsafeMutableBytes { buffer in
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      while true {
        let count = unsafe Glibc.read(input, target.baseAddress, target.count)
        if count >= 0 || errno != EINTR { return max(0, count) }
      }
    }
  }

  /// Writes all bytes. If the reader is gone, the process ends.
  func write(_ bytes: ArraySlice<UInt8>) {
    unsafe bytes.withUnsafeBytes { buffer in
      var rest = unsafe buffer[...]
      while unsafe !rest.isEmpty {
        let part = unsafe UnsafeRawBufferPointer(rebasing: rest)
        let count = unsafe Glibc.write(output, part.baseAddress, part.count)
        if count > 0 {
          unsafe rest = rest.dropFirst(count)
        } else if count == 0 || errno != EINTR {
          _exit(1)
        }
      }
    }
  }

  func print(_ line: JSONValue) { write(Array((line.compact + "\n").utf8)[...]) }

  /// Sends the session a report beside the samples.
  func report(_ line: JSONValue) {
    let bytes = Array((line.compact + "\n").utf8)
    _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(reports, $0.baseAddress, $0.count) }
  }
}
