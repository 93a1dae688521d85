// SPDX-License-Identifier: Apache-2.0
/// The header of each block of a source with packets. 16 bytes, little endian:
///
/// | bytes | |
/// |---|---|
/// | 0…7 | start of the block, in samples per channel at the source's rate; 2⁶⁴ − 1 = right after the last |
/// | 8…11 | number of bytes of samples that follow |
/// | 12…15 | flags, 0 |
struct PacketHeader: Sendable, Equatable {
  static let byteCount = 16
  /// The most bytes of a block.
  static let longestPayload = 1 << 24

  /// Nil = right after the last block.
  var position: UInt64?
  var payload: Int

  /// - Parameters:
  ///   - bytes: ``byteCount`` of them.
  ///   - sampleFrameSize: bytes of one sample of every channel.
  /// - Throws: `malformed` for unknown flags, and for a length that is too large or no multiple of `sampleFrameSize`.
  init(_ bytes: RawSpan, sampleFrameSize: Int) throws(AudioError) {
    let position = UInt64(littleEndian: bytes.word(at: 0))
    let payload = UInt32(littleEndian: bytes.word(at: 8))
    let flags = UInt32(littleEndian: bytes.word(at: 12))
    guard flags == 0 else {
      throw Self.fault("its header has the flags \(flags), which are unknown")
    }
    guard payload <= Self.longestPayload else {
      throw Self.fault("it has \(payload) bytes, and \(Self.longestPayload) is the most")
    }
    guard Int(payload).isMultiple(of: sampleFrameSize) else {
      throw Self.fault(
        "its \(payload) bytes are not a multiple of \(sampleFrameSize), one sample of each channel")
    }
    self.position = position == .max ? nil : position
    self.payload = Int(payload)
  }

  /// The error of a packet that cannot be taken.
  static func fault(_ reason: String) -> AudioError {
    AudioError(.malformed, cannot: "take the packet", "", because: reason)
  }
}

extension RawSpan {
  /// The integer in the bytes from `offset` on, in the machine's order; any alignment.
  fileprivate func word<Word: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Word {
    unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: Word.self)
  }
}

/// Splits a source's bytes into packets, regardless of their cuts on the way. One thread.
struct PacketReader {
  private let sampleFrameSize: Int
  /// The bytes of an incomplete header.
  private var begun: [UInt8] = []
  /// The packet's bytes of samples that are still to come.
  private(set) var remaining = 0

  /// - Parameter sampleFrameSize: bytes of one sample of every channel.
  init(sampleFrameSize: Int) {
    self.sampleFrameSize = sampleFrameSize
    begun.reserveCapacity(PacketHeader.byteCount)
  }

  /// Whether the bytes so far end with a packet.
  var isBetweenPackets: Bool { begun.isEmpty && remaining == 0 }

  /// Reads the next bytes.
  ///
  /// - Parameters:
  ///   - begin: called with each header.
  ///   - append: called with the bytes of samples after the header, in pieces of any length.
  /// - Throws: `malformed` for an invalid header, and the errors of the closures.
  mutating func read(
    _ bytes: RawSpan, begin: (PacketHeader) throws(AudioError) -> Void,
    append: (RawSpan) throws(AudioError) -> Void
  ) throws(AudioError) {
    var rest = bytes
    while rest.byteCount > 0 {
      if remaining > 0 {
        let count = min(remaining, rest.byteCount)
        try append(rest.extracting(first: count))
        remaining -= count
        rest = rest.extracting(droppingFirst: count)
        continue
      }
      let count = min(PacketHeader.byteCount - begun.count, rest.byteCount)
      for index in 0..<count { begun.append(rest.word(at: index)) }
      rest = rest.extracting(droppingFirst: count)
      guard begun.count == PacketHeader.byteCount else { return }
      let header = try unsafe PacketHeader(
        begun.span.bytes, sampleFrameSize: sampleFrameSize)
      begun.removeAll(keepingCapacity: true)
      remaining = header.payload
      try begin(header)
    }
  }
}
