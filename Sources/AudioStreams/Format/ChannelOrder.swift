// SPDX-License-Identifier: Apache-2.0
/// The order of channels in a file or a device, if it differs from the stream's.
package struct ChannelOrder: Sendable, Hashable {
  /// The stream's channel, from 0, at each place of a stored sample frame.
  package let channels: [Int]

  /// - Parameter channels: each channel of the stream once.
  /// - Returns: nil if `channels` is the stream's own order, or lacks or repeats a channel.
  package init?(_ channels: [Int]) {
    guard !channels.elementsEqual(channels.indices), channels.sorted() == Array(channels.indices)
    else { return nil }
    self.channels = channels
  }

  /// The way of the samples.
  package enum Direction {
    case fromStorage
    case toStorage
  }

  /// Brings whole sample frames into the other order, in place. Any thread.
  ///
  /// - Parameter bytesPerSample: the size of one channel's sample.
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

  /// - Parameter count: the units in a sample.
  private func arrange<Unit: FixedWidthInteger>(
    _ bytes: UnsafeMutableRawBufferPointer, of _: Unit.Type, repeated count: Int = 1,
    _ direction: Direction
  ) {
    let size = MemoryLayout<Unit>.size
    let width = channels.count * count
    // The former place of each unit of an arranged frame.
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
  /// - Parameter count: the number of samples; whole sample frames.
  @_lifetime(self: copy self)
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
