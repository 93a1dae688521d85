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
