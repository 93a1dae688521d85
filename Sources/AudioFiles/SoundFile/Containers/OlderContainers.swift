// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

// Headerless samples, and the containers of old machines and programs: libsndfile reads their metadata.

extension Container {
  /// Samples without a header.
  public static let raw = Container(
    "raw",
    .init(
      major: SF_FORMAT_RAW, title: "Samples without a header (pcm)", otherNames: ["pcm"],
      isUsual: true,
      ownWriting: .headerless,
      // libsndfile 1.2.0 seeks to set up this codec.
      streaming: .all(except: .voxADPCM)))

  /// Creative Voice.
  public static let voc = Container(
    "voc",
    .init(
      major: SF_FORMAT_VOC, title: "Creative Voice", countsIn32Bits: true,
      // The header holds 256 − time in one byte, or 65536 − time in two. The shortest readable time is 2 or 167 units.
      statableRates: { encoding, channelCount in
        guard encoding == .u8 else { return nil }
        return channelCount == 1 ? 3_906...500_000 : 1_954...766_467
      },
      unitsPerSecond: { encoding, channelCount in
        encoding == .u8 ? channelCount == 1 ? 1_000_000 : 128_000_000 : nil
      },
      correctHeader: { (written) throws(AudioError) in
        guard written.encoding == .ulaw || written.encoding == .alaw else { return }
        // libsndfile counts the byte behind the block as a sample; 12 other bytes precede the samples.
        try written.state(
          12 + written.sampleFrames * Int64(written.channelCount), byteCount: 3, at: 27)
      }))

  /// Amiga IFF 8SVX and 16SV.
  public static let svx = Container(
    "svx",
    .init(
      major: SF_FORMAT_SVX, title: "Amiga IFF (iff, 8svx)", otherNames: ["iff", "8svx"],
      arrangement: .inPlanes, countsIn32Bits: true, statableRates: { _, _ in 1_000...65_535 },
      chunksBehindSamples: .iff))

  /// NIST SPHERE.
  public static let nist = Container(
    "nist", .init(major: SF_FORMAT_NIST, title: "NIST SPHERE (sph)", otherNames: ["sph"]))

  /// Berkeley/IRCAM/CARL.
  public static let ircam = Container(
    "ircam", .init(major: SF_FORMAT_IRCAM, title: "Berkeley, IRCAM, CARL (sf)", otherNames: ["sf"]))

  /// Ensoniq PARIS.
  public static let paf = Container(
    "paf", .init(major: SF_FORMAT_PAF, title: "Ensoniq PARIS", packed: [.s24]))

  /// GNU Octave 2.0 and MATLAB 4.2.
  public static let mat4 = Container(
    "mat4", .init(major: SF_FORMAT_MAT4, title: "MATLAB 4.2, GNU Octave 2.0", countsIn32Bits: true))

  /// GNU Octave 2.1 and MATLAB 5.
  public static let mat5 = Container(
    "mat5",
    .init(
      major: SF_FORMAT_MAT5, title: "MATLAB 5, GNU Octave 2.1 (mat)", otherNames: ["mat"],
      countsIn32Bits: true))

  /// Portable Voice Format.
  public static let pvf = Container(
    "pvf",
    .init(major: SF_FORMAT_PVF, title: "Portable Voice Format", streaming: .all(except: nil)))

  /// FastTracker 2 extended instrument.
  public static let xi = Container(
    "xi",
    .init(
      major: SF_FORMAT_XI, title: "FastTracker 2 instrument", packed: SampleEncoding.allCases,
      countsIn32Bits: true, rates: [44_100],
      correctHeader: { (written) throws(AudioError) in
        try written.state(
          written.sampleFrames * (written.encoding == .dpcm16 ? 2 : 1), byteCount: 4,
          at: StatedLength.extendedInstrumentTable)
      }))

  /// HMM Tool Kit.
  public static let htk = Container(
    "htk",
    .init(
      major: SF_FORMAT_HTK, title: "HMM Tool Kit", countsIn32Bits: true,
      // A shorter time means a rate that no stream has.
      statableRates: { _, _ in 1_000...714_285 }, unitsPerSecond: { _, _ in 10_000_000 }))

  /// MIDI Sample Dump Standard.
  public static let sds = Container(
    "sds",
    .init(
      major: SF_FORMAT_SDS, title: "MIDI Sample Dump", packed: SampleEncoding.allCases,
      countsIn32Bits: true,
      statableRates: { _, _ in 1_000...767_459 }, unitsPerSecond: { _, _ in 1_000_000_000 }))

  /// Audio Visual Research.
  public static let avr = Container(
    "avr", .init(major: SF_FORMAT_AVR, title: "Audio Visual Research", countsIn32Bits: true))

  /// Sound Designer II. Its header is a second file, which a descriptor cannot reach.
  public static let sd2 = Container(
    "sd2",
    .init(
      major: SF_FORMAT_SD2, title: "Sound Designer II", isReadOnly: true, countsIn32Bits: true))

  /// Akai MPC 2000.
  public static let mpc2k = Container(
    "mpc2k",
    .init(
      major: SF_FORMAT_MPC2K, title: "Akai MPC 2000 (snd2000)", otherNames: ["snd2000"],
      countsIn32Bits: true, statableRates: { _, _ in 1_000...65_535 }))

  /// Psion A-law.
  public static let wve = Container(
    "wve", .init(major: SF_FORMAT_WVE, title: "Psion", countsIn32Bits: true, rates: [8_000]))

  /// The stream between two processes of sox (`sox -p`), read only.
  public static let sox = Container("sox", .init(major: 0, title: "sox's own", isReadOnly: true))
}
