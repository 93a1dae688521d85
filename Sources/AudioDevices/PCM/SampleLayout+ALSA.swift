// SPDX-License-Identifier: Apache-2.0
internal import CALSA

extension SampleLayout {
  var alsaFormat: snd_pcm_format_t {
    let isLittle = byteOrder == .little
    return switch storage {
    case .s8: SND_PCM_FORMAT_S8
    case .u8: SND_PCM_FORMAT_U8
    case .s16: isLittle ? SND_PCM_FORMAT_S16_LE : SND_PCM_FORMAT_S16_BE
    case .s24: isLittle ? SND_PCM_FORMAT_S24_3LE : SND_PCM_FORMAT_S24_3BE
    case .s24In32: isLittle ? SND_PCM_FORMAT_S24_LE : SND_PCM_FORMAT_S24_BE
    case .s32: isLittle ? SND_PCM_FORMAT_S32_LE : SND_PCM_FORMAT_S32_BE
    case .f32: isLittle ? SND_PCM_FORMAT_FLOAT_LE : SND_PCM_FORMAT_FLOAT_BE
    case .f64: isLittle ? SND_PCM_FORMAT_FLOAT64_LE : SND_PCM_FORMAT_FLOAT64_BE
    case .ulaw: SND_PCM_FORMAT_MU_LAW
    case .alaw: SND_PCM_FORMAT_A_LAW
    }
  }

  /// From narrow to wide; floating point after the integers that fit in it.
  private static let linearStorages: [Storage] = [
    .u8, .s8, .s16, .s24, .s24In32, .s32, .f32, .f64,
  ]

  /// The layouts that hold exactly `encoding`, the machine's own byte order first.
  static func layouts(of encoding: SampleEncoding) -> [SampleLayout] {
    Storage.allCases.flatMap { storage in
      let native = SampleLayout(storage)
      guard native.encoding == encoding else { return [SampleLayout]() }
      let isSingleByte = native.bytesPerSample == 1
      let swapped: ByteOrder = native.byteOrder == .little ? .big : .little
      return isSingleByte ? [native] : [native, SampleLayout(storage, swapped)]
    }
  }

  /// All layouts in the order to try: `encoding` itself, the nearest wider, the nearest narrower, then G.711.
  static func layouts(nearest encoding: SampleEncoding) -> [SampleLayout] {
    let place = linearStorages.firstIndex { SampleLayout($0).encoding == encoding }
    let split = place ?? linearStorages.firstIndex(of: .s16) ?? 0
    let linear = linearStorages[split...] + linearStorages[..<split].reversed()
    var encodings = [encoding]
    for other in linear.map({ SampleLayout($0).encoding }) + [.ulaw, .alaw]
    where !encodings.contains(other) {
      encodings.append(other)
    }
    return encodings.flatMap { layouts(of: $0) }
  }
}
