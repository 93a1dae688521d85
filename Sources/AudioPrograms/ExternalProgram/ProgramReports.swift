// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The reports of a program of this package: lines of JSON on its standard error, a file in memory. The program never
/// waits for a reader; lines that do not fit are lost.
///
/// Any thread may read.
final class ProgramReports: Sendable {
  private let number: Int32
  private let name: String

  private static let length = 16_384
  /// The time limit for a program of this package to become ready or to answer.
  static let patience = Duration.seconds(20)

  init(of name: String) throws(AudioError) {
    self.name = name
    number = rawaudio_open_in_bounded_memory(off_t(Self.length))
    guard number >= 0 else { throw AudioError(systemCode: errno, cannot: "run", name) }
  }

  deinit { close(number) }

  var descriptor: FileDescriptor {
    get throws(AudioError) { try FileDescriptor(number, name: name, closes: false) }
  }

  /// The reports so far, in order.
  var lines: [JSONValue] {
    guard let bytes = try? descriptor.bytes(Self.length, at: 0) else { return [] }
    return bytes.split(whereSeparator: { $0 == 0 || $0 == 0x0A })
      .compactMap { try? JSONValue(reading: $0) }
  }

  /// Whether the program has reported that it is ready for samples.
  var isReady: Bool { lines.contains { $0["event"]?.text == "ready" } }

  /// The program's own reason for its failure; nil if it reported none.
  func failure(of subject: String) -> AudioError? {
    let line = lines.first { $0["event"]?.text == "failed" }
    guard let line, let reason = line["reason"]?.text else { return nil }
    return AudioError(
      .unsupported, cannot: "run", line["subject"]?.text ?? subject, because: reason,
      advice: line["advice"]?.text)
  }
}
