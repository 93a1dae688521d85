// SPDX-License-Identifier: Apache-2.0
/// What stands before each audio frame that a client observes. 32 bytes, little endian:
///
/// | bytes | |
/// |---|---|
/// | 0…7 | where the frame begins, in samples per channel at the client's rate, from the session's start |
/// | 8…15 | the same in milliseconds, rounded down; signed |
/// | 16…19 | the bytes that follow: samples, or a line of JSON |
/// | 20…23 | the number of the source; 0 = a sum of sources |
/// | 24…27 | flags |
/// | 28…31 | 0 |
struct FrameHeader: Sendable, Equatable {
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt32
    /// The frame is shorter than was asked for.
    static let partial = Flags(rawValue: 1)
    /// It is the first that the client gets of its source.
    static let first = Flags(rawValue: 2)
    /// No frame of its source follows; it may have no samples.
    static let last = Flags(rawValue: 4)
    /// It holds a line of JSON about its source, and no samples.
    static let line = Flags(rawValue: 8)
  }

  static let byteCount = 32

  var samplePosition: Int64
  var renderTime: Int64
  var payload: Int
  var source: UInt32
  var flags: Flags

  /// Appends the header to `bytes`.
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
