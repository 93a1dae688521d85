// SPDX-License-Identifier: Apache-2.0
/// The order of a sample's bytes in memory or in a file.
public enum ByteOrder: Sendable, Hashable {
  case little
  case big

  /// The order of the machine that runs this code.
  public static var native: ByteOrder { 1.littleEndian == 1 ? .little : .big }
}

/// The byte layout of interleaved samples in a raw file, a WAV `data` chunk or an ALSA device.
public struct SampleLayout: Sendable, Hashable {
  public typealias Storage = SampleStorage

  public var storage: Storage
  public var byteOrder: ByteOrder

  public init(_ storage: Storage, _ byteOrder: ByteOrder = .native) {
    self.storage = storage
    self.byteOrder = byteOrder
  }

  /// The packed layout of `encoding`; nil for codecs that do not store samples one by one.
  public init?(_ encoding: SampleEncoding, _ byteOrder: ByteOrder = .native) {
    let storage: Storage? =
      switch encoding {
      case .s8: .s8
      case .u8: .u8
      case .s16: .s16
      case .s24: .s24
      case .s32: .s32
      case .f32: .f32
      case .f64: .f64
      case .ulaw: .ulaw
      case .alaw: .alaw
      default: nil
      }
    guard let storage else { return nil }
    self.init(storage, byteOrder)
  }

  /// Bytes per sample.
  public var bytesPerSample: Int {
    switch storage {
    case .s8, .u8, .ulaw, .alaw: 1
    case .s16: 2
    case .s24: 3
    case .s24In32, .s32, .f32: 4
    case .f64: 8
    }
  }

  /// The encoding whose values this layout holds.
  public var encoding: SampleEncoding {
    switch storage {
    case .s8: .s8
    case .u8: .u8
    case .s16: .s16
    case .s24, .s24In32: .s24
    case .s32: .s32
    case .f32: .f32
    case .f64: .f64
    case .ulaw: .ulaw
    case .alaw: .alaw
    }
  }
}
