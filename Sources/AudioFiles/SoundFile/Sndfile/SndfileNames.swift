// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

extension SF_INFO {
  /// A stream at a rate in hertz.
  init(sampleRate: Int, channelCount: Int, format: Int32) {
    self.init()
    samplerate = Int32(sampleRate)
    channels = Int32(channelCount)
    self.format = format
  }

  /// Whether libsndfile writes such a stream. The corresponding C function is `sf_format_check`.
  var isWritable: Bool {
    var information = self
    return unsafe sf_format_check(&information) != 0
  }
}

extension Container {
  /// libsndfile's major format. 0 for a container unknown to it. Ogg with Opus and Ogg with Vorbis share one.
  var majorFormat: Int32 { Int32(row.major) }

  init?(format: Int32) {
    let major = format & Int32(SF_FORMAT_TYPEMASK)
    let matches = Container.allCases.filter { $0.majorFormat == major }
    let encoding = SampleEncoding(format: format)
    let own = matches.first { $0.row.ownEncoding == encoding && encoding != nil }
    guard let match = own ?? matches.first else { return nil }
    self = match
  }
}

extension SampleEncoding {
  var subtype: Int32 {
    let format: Int =
      switch self {
      case .s8: SF_FORMAT_PCM_S8
      case .u8: SF_FORMAT_PCM_U8
      case .s16: SF_FORMAT_PCM_16
      case .s24: SF_FORMAT_PCM_24
      case .s32: SF_FORMAT_PCM_32
      case .f32: SF_FORMAT_FLOAT
      case .f64: SF_FORMAT_DOUBLE
      case .ulaw: SF_FORMAT_ULAW
      case .alaw: SF_FORMAT_ALAW
      case .imaADPCM: SF_FORMAT_IMA_ADPCM
      case .msADPCM: SF_FORMAT_MS_ADPCM
      case .gsm610: SF_FORMAT_GSM610
      case .voxADPCM: SF_FORMAT_VOX_ADPCM
      case .nmsADPCM16: SF_FORMAT_NMS_ADPCM_16
      case .nmsADPCM24: SF_FORMAT_NMS_ADPCM_24
      case .nmsADPCM32: SF_FORMAT_NMS_ADPCM_32
      case .g721: SF_FORMAT_G721_32
      case .g723At24: SF_FORMAT_G723_24
      case .g723At40: SF_FORMAT_G723_40
      case .dwvw12: SF_FORMAT_DWVW_12
      case .dwvw16: SF_FORMAT_DWVW_16
      case .dwvw24: SF_FORMAT_DWVW_24
      case .dpcm8: SF_FORMAT_DPCM_8
      case .dpcm16: SF_FORMAT_DPCM_16
      case .vorbis: SF_FORMAT_VORBIS
      case .opus: SF_FORMAT_OPUS
      case .alac16: SF_FORMAT_ALAC_16
      case .alac20: SF_FORMAT_ALAC_20
      case .alac24: SF_FORMAT_ALAC_24
      case .alac32: SF_FORMAT_ALAC_32
      case .mpegLayer1: SF_FORMAT_MPEG_LAYER_I
      case .mpegLayer2: SF_FORMAT_MPEG_LAYER_II
      case .mpegLayer3: SF_FORMAT_MPEG_LAYER_III
      }
    return Int32(format)
  }

  init?(format: Int32) {
    let subtype = format & Int32(SF_FORMAT_SUBMASK)
    guard let match = SampleEncoding.allCases.first(where: { $0.subtype == subtype }) else {
      return nil
    }
    self = match
  }
}
