// SPDX-License-Identifier: Apache-2.0
/// Reads samples that lie in several places of a file, in sequence, with silence between them.
final class PartedSampleReader: SampleReader {
  enum Part: Equatable {
    /// Interleaved samples in the file.
    case stored(Range<Int64>)
    case silence(Int64)

    var byteCount: Int64 {
      switch self {
      case .stored(let range): Int64(range.count)
      case .silence(let count): count
      }
    }
  }

  let layout: SampleLayout
  private let file: FileDescriptor
  private let parts: [Part]
  private let bytesPerFrame: Int
  private var index = 0
  /// The bytes already read of the current part.
  private var offset: Int64 = 0

  init(_ file: FileDescriptor, _ layout: SampleLayout, channelCount: Int, _ parts: [Part]) {
    self.file = file
    self.layout = layout
    self.parts = parts
    bytesPerFrame = layout.bytesPerSample * channelCount
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    var total = 0
    while total < bytes.count, index < parts.count {
      let part = parts[index]
      let most = Int(min(Int64(bytes.count - total), part.byteCount - offset))
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[total..<total + most])
      var count = most
      switch part {
      case .stored(let range):
        count = most == 0 ? 0 : try unsafe file.read(into: target, at: range.lowerBound + offset)
      case .silence:
        let zero: UInt8 =
          switch layout.storage {
          case .u8: 0x80
          // Source: ITU-T G.711, tables 1a and 2a: the smallest values.
          case .alaw: 0xD5
          case .ulaw: 0xFF
          default: 0
          }
        for place in 0..<most { unsafe target[place] = zero }
      }
      offset += Int64(count)
      total += count
      // The file may have shrunk.
      if count == 0 || offset == part.byteCount {
        index += 1
        offset = 0
      }
    }
    return total
  }

  func skip(sampleFrames: Int64) throws(AudioError) -> Bool {
    let (product, overflows) = sampleFrames.multipliedReportingOverflow(by: Int64(bytesPerFrame))
    var left = overflows ? Int64.max : product
    while left > 0, index < parts.count {
      let count = min(left, parts[index].byteCount - offset)
      offset += count
      left -= count
      if offset == parts[index].byteCount {
        index += 1
        offset = 0
      }
    }
    return true
  }
}

/// Reads samples stored one whole channel after the other.
final class PlanarSampleReader: SampleReader {
  let layout: SampleLayout
  private let file: FileDescriptor
  private let start: Int64
  private let planeSize: Int64
  private let channelCount: Int
  private let sampleFrames: Int64
  private var position: Int64 = 0

  /// - Parameters:
  ///   - start: the start of the first channel.
  ///   - planeSize: the distance from one channel's start to the next one's, in bytes.
  ///   - sampleFrames: the available samples per channel.
  init(
    _ file: FileDescriptor, _ layout: SampleLayout, channelCount: Int, from start: Int64,
    planeSize: Int64, sampleFrames: Int64
  ) {
    self.file = file
    self.layout = layout
    self.channelCount = channelCount
    self.start = start
    self.planeSize = planeSize
    self.sampleFrames = sampleFrames
  }

  func read(into bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let size = layout.bytesPerSample
    let most = Int64(bytes.count / (size * channelCount))
    let count = Int(min(most, sampleFrames - position))
    guard count > 0 else { return 0 }
    for channel in 0..<channelCount {
      let place = start + Int64(channel) * planeSize + position * Int64(size)
      let plane = try file.bytes(count * size, at: place)
      for index in plane.indices {
        let frame = index / size
        unsafe bytes[(frame * channelCount + channel) * size + index % size] = plane[index]
      }
    }
    position += Int64(count)
    return count * size * channelCount
  }

  func skip(sampleFrames count: Int64) throws(AudioError) -> Bool {
    position += min(count, sampleFrames - position)
    return true
  }
}
