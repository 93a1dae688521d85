// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

extension Container {
  /// libsndfile's major format. Ogg with Opus shares that of Ogg with Vorbis.
  var majorFormat: Int32 {
    let format: Int =
      switch self {
      case .wav: SF_FORMAT_WAV
      case .wavex: SF_FORMAT_WAVEX
      case .rf64: SF_FORMAT_RF64
      case .w64: SF_FORMAT_W64
      case .aiff: SF_FORMAT_AIFF
      case .au: SF_FORMAT_AU
      case .caf: SF_FORMAT_CAF
      case .flac: SF_FORMAT_FLAC
      case .ogg, .opus: SF_FORMAT_OGG
      case .mp3: SF_FORMAT_MPEG
      case .raw: SF_FORMAT_RAW
      case .voc: SF_FORMAT_VOC
      case .svx: SF_FORMAT_SVX
      case .nist: SF_FORMAT_NIST
      case .ircam: SF_FORMAT_IRCAM
      case .paf: SF_FORMAT_PAF
      case .mat4: SF_FORMAT_MAT4
      case .mat5: SF_FORMAT_MAT5
      case .pvf: SF_FORMAT_PVF
      case .xi: SF_FORMAT_XI
      case .htk: SF_FORMAT_HTK
      case .sds: SF_FORMAT_SDS
      case .avr: SF_FORMAT_AVR
      case .sd2: SF_FORMAT_SD2
      case .mpc2k: SF_FORMAT_MPC2K
      case .wve: SF_FORMAT_WVE
      // It does not know it.
      case .sox: 0
      }
    return Int32(format)
  }

  /// The container of a format that libsndfile found in a file.
  init?(format: Int32) {
    let major = format & Int32(SF_FORMAT_TYPEMASK)
    if major == SF_FORMAT_OGG {
      self = SampleEncoding(format: format) == .opus ? .opus : .ogg
      return
    }
    guard let match = Container.allCases.first(where: { $0.majorFormat == major }) else {
      return nil
    }
    self = match
  }
}

extension SampleEncoding {
  /// libsndfile's subtype.
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

  /// The encoding of a format that libsndfile found in a file.
  init?(format: Int32) {
    let subtype = format & Int32(SF_FORMAT_SUBMASK)
    guard let match = SampleEncoding.allCases.first(where: { $0.subtype == subtype }) else {
      return nil
    }
    self = match
  }
}
