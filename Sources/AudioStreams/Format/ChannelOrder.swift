// SPDX-License-Identifier: Apache-2.0
/// The order in which a file or a device holds the channels of a stream, where that is not the stream's own.
package struct ChannelOrder: Sendable, Hashable {
  /// For each place of a stored sample frame, which channel of the stream stands there, from 0.
  package let channels: [Int]

  /// - Parameter channels: each channel of the stream once.
  /// - Returns: nil where that is the stream's own order, or not one of all its channels.
  package init?(_ channels: [Int]) {
    guard !channels.elementsEqual(channels.indices), channels.sorted() == Array(channels.indices)
    else { return nil }
    self.channels = channels
  }

  /// Which way samples go.
  package enum Direction {
    case fromStorage
    case toStorage
  }

  /// Brings whole sample frames into the other order, in place. Any thread.
  ///
  /// - Parameter bytesPerSample: of one channel.
  package func arrange(
    _ bytes: UnsafeMutableRawBufferPointer, bytesPerSample: Int, _ direction: Direction
  ) {
    switch bytesPerSample {
    case 1: unsafe arrange(bytes, of: UInt8.self, direction)
    case 2: unsafe arrange(bytes, of: UInt16.self, direction)
    case 4: unsafe arrange(bytes, of: UInt32.self, direction)
    case 8: unsafe arrange(bytes, of: UInt64.self, direction)
    default: unsafe arrange(bytes, of: UInt8.self, repeated: bytesPerSample, direction)
    }
  }

  /// - Parameter count: how many units a sample has.
  private func arrange<Unit: FixedWidthInteger>(
    _ bytes: UnsafeMutableRawBufferPointer, of _: Unit.Type, repeated count: Int = 1,
    _ direction: Direction
  ) {
    let size = MemoryLayout<Unit>.size
    let width = channels.count * count
    // For each unit of a frame that is arranged, where it stood.
    var origins = [Int](repeating: 0, count: width)
    for (place, channel) in channels.enumerated() {
      for part in 0..<count {
        switch direction {
        case .fromStorage: origins[channel * count + part] = place * count + part
        case .toStorage: origins[place * count + part] = channel * count + part
        }
      }
    }
    var frame = [Unit](repeating: 0, count: width)
    for start in stride(from: 0, through: bytes.count - width * size, by: width * size) {
      for index in 0..<width {
        frame[index] = unsafe bytes.loadUnaligned(
          fromByteOffset: start + index * size, as: Unit.self)
      }
      for index in 0..<width {
        unsafe bytes.storeBytes(
          of: frame[origins[index]], toByteOffset: start + index * size, as: Unit.self)
      }
    }
  }
}

extension MutableSpan where Element: BitwiseCopyable {
  /// Brings the last interleaved samples into another order of channels, in place.
  ///
  /// - Parameter count: how many of them; whole sample frames.
  package mutating func arrange(
    last count: Int, in order: ChannelOrder, _ direction: ChannelOrder.Direction
  ) {
    let size = MemoryLayout<Element>.stride
    unsafe withUnsafeMutableBytes { bytes in
      unsafe order.arrange(
        UnsafeMutableRawBufferPointer(rebasing: bytes.suffix(count * size)), bytesPerSample: size,
        direction)
    }
  }
}
