// SPDX-License-Identifier: Apache-2.0
/// The negotiated parameters of a device, every value as the device reports it.
public struct DeviceParameters: Sendable, Hashable {
  /// The rate and the channels of the device and of its stream.
  public var format: StreamFormat
  /// The layout of samples in the device's memory.
  public var layout: SampleLayout
  /// The transfer unit, in samples per channel.
  public var periodSize: Int
  /// The device's own storage, in samples per channel.
  public var bufferSize: Int
  /// Whether the device keeps the samples in its buffer while paused. Some plugins that cannot pause report success.
  package var canPause: Bool

  package init(
    format: StreamFormat, layout: SampleLayout, periodSize: Int, bufferSize: Int,
    canPause: Bool = false
  ) {
    self.format = format
    self.layout = layout
    self.periodSize = periodSize
    self.bufferSize = bufferSize
    self.canPause = canPause
  }

  /// Bytes of one sample of every channel.
  package var sampleFrameSize: Int { format.channelCount * layout.bytesPerSample }
}

extension DeviceParameters: CustomStringConvertible {
  /// For example `44100 Hz, 2 channels, s16, period 441, buffer 22050`.
  public var description: String {
    "\(format), \(layout.encoding.rawValue), period \(periodSize), buffer \(bufferSize)"
  }
}

/// The direction of samples through a device.
public enum DeviceDirection: String, Sendable, Hashable, CaseIterable {
  /// From the device.
  case capture
  /// To the device.
  case playback
}
