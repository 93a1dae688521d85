// SPDX-License-Identifier: Apache-2.0
/// The header of each audio frame for an observing client. 32 bytes, little endian:
///
/// | bytes | |
/// |---|---|
/// | 0…7 | start of the frame, in samples per channel at the client's rate, from the session's start |
/// | 8…15 | this start in milliseconds, rounded down; signed |
/// | 16…19 | number of bytes that follow: samples, or a line of JSON |
/// | 20…23 | number of the source; 0 = a sum of sources |
/// | 24…27 | flags |
/// | 28…31 | 0 |
struct FrameHeader: Sendable, Equatable {
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt32
    /// The frame is shorter than requested.
    static let partial = Flags(rawValue: 1)
    /// The first frame that the client gets of its source.
    static let first = Flags(rawValue: 2)
    /// The last frame of its source; it may have no samples.
    static let last = Flags(rawValue: 4)
    /// A line of JSON about its source, without samples.
    static let line = Flags(rawValue: 8)
  }

  static let byteCount = 32

  var samplePosition: Int64 = 0
  var renderTime: Int64 = 0
  var payload = 0
  var source: UInt32
  var flags: Flags = []

  func append(to bytes: inout [UInt8]) {
    append(UInt64(bitPattern: samplePosition), to: &bytes)
    append(UInt64(bitPattern: renderTime), to: &bytes)
    append(UInt32(payload), to: &bytes)
    append(source, to: &bytes)
    append(flags.rawValue, to: &bytes)
    append(UInt32(0), to: &bytes)
  }

  private func append(_ word: some FixedWidthInteger & UnsignedInteger, to bytes: inout [UInt8]) {
    for shift in stride(from: 0, to: word.bitWidth, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }
}
