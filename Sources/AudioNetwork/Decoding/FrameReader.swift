// SPDX-License-Identifier: Apache-2.0
/// Reads the frames that ffmpeg decodes: before the samples of each stands a line of its format `framecrc`, with the time
/// and the number of bytes.
struct FrameReader {
  struct Frame: Equatable {
    /// The number of its unit.
    let number: Int64
    /// Samples in 32-bit floating point.
    let samples: [UInt8]
  }

  private static let longestLine = 256
  /// Bytes of a frame: 2,048 samples of 8 channels have 65,536.
  static let longestFrame = 1 << 20

  private let sampleRate: Int64
  private var held: [UInt8] = []
  private var start = 0
  /// The frame whose samples come next.
  private var next: (number: Int64, size: Int)?
  /// Whether bytes came that are no frame. Nothing follows them.
  private(set) var hasFailed = false

  /// - Parameter sampleRate: of the frames, which is that of their times.
  init(sampleRate: Int) { self.sampleRate = Int64(sampleRate) }

  mutating func append(_ bytes: RawSpan) {
    if start > 0 {
      held.removeFirst(start)
      start = 0
    }
    held += [UInt8](bytes)
  }

  /// The next whole frame. Nil if more bytes are needed, and after a fault.
  mutating func nextFrame() -> Frame? {
    while !hasFailed {
      if let (number, size) = next {
        guard held.count - start >= size else { return nil }
        let samples = Array(held[start..<start + size])
        start += size
        next = nil
        return Frame(number: number, samples: samples)
      }
      guard let end = held[start...].prefix(Self.longestLine).firstIndex(of: 0x0A) else {
        hasFailed = held.count - start >= Self.longestLine
        return nil
      }
      let line = held[start..<end]
      start = end + 1
      if line.first == UInt8(ascii: "#") { continue }
      next = read(line)
      hasFailed = next == nil
    }
    return nil
  }

  /// `0, DTS, PTS, DURATION, SIZE, CRC`
  private func read(_ line: ArraySlice<UInt8>) -> (Int64, Int)? {
    let fields = line.split(separator: UInt8(ascii: ",")).map { field in
      String(decoding: field.filter { $0 != UInt8(ascii: " ") }, as: UTF8.self)
    }
    guard fields.count >= 5, let time = Int64(fields[2]), let size = Int(fields[4]),
      (0...Int64(FlashTags.mostUnits) * sampleRate / 1_000 + 1).contains(time),
      (0...Self.longestFrame).contains(size)
    else { return nil }
    // Times count milliseconds on their way in, and samples on their way out.
    return ((time * 1_000 + sampleRate / 2) / sampleRate, size)
  }
}
