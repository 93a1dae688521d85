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

  /// NIST SPHERE.
  public static let nist = Container(
    "nist", .init(major: SF_FORMAT_NIST, title: "NIST SPHERE (sph)", otherNames: ["sph"]))

  /// Berkeley/IRCAM/CARL.
  public static let ircam = Container(
    "ircam", .init(major: SF_FORMAT_IRCAM, title: "Berkeley, IRCAM, CARL (sf)", otherNames: ["sf"]))

  /// GNU Octave 2.0 and MATLAB 4.2.
  public static let mat4 = Container(
    "mat4", .init(major: SF_FORMAT_MAT4, title: "MATLAB 4.2, GNU Octave 2.0", countsIn32Bits: true))

  /// GNU Octave 2.1 and MATLAB 5.
  public static let mat5 = Container(
    "mat5",
    .init(
      major: SF_FORMAT_MAT5, title: "MATLAB 5, GNU Octave 2.1 (mat)", otherNames: ["mat"],
      countsIn32Bits: true))

  /// HMM Tool Kit.
  public static let htk = Container(
    "htk",
    .init(
      major: SF_FORMAT_HTK, title: "HMM Tool Kit", countsIn32Bits: true,
      // A shorter time means a rate that no stream has.
      statableRates: 1_000...714_285, unitsPerSecond: 10_000_000))

  // No program of today needs the following ones as outputs, so they are only read.

  /// Creative Voice.
  public static let voc = Container(
    "voc", .init(major: SF_FORMAT_VOC, title: "Creative Voice", isReadOnly: true))

  /// Amiga IFF 8SVX and 16SV.
  public static let svx = Container(
    "svx",
    .init(
      major: SF_FORMAT_SVX, title: "Amiga IFF (iff, 8svx)", otherNames: ["iff", "8svx"],
      isReadOnly: true, arrangement: .inPlanes, chunksBehindSamples: .iff))

  /// Ensoniq PARIS.
  public static let paf = Container(
    "paf", .init(major: SF_FORMAT_PAF, title: "Ensoniq PARIS", isReadOnly: true, packed: [.s24]))

  /// Portable Voice Format.
  public static let pvf = Container(
    "pvf", .init(major: SF_FORMAT_PVF, title: "Portable Voice Format", isReadOnly: true))

  /// FastTracker 2 extended instrument.
  public static let xi = Container(
    "xi",
    .init(
      major: SF_FORMAT_XI, title: "FastTracker 2 instrument", isReadOnly: true,
      packed: SampleEncoding.allCases))

  /// MIDI Sample Dump Standard.
  public static let sds = Container(
    "sds",
    .init(
      major: SF_FORMAT_SDS, title: "MIDI Sample Dump", isReadOnly: true,
      packed: SampleEncoding.allCases))

  /// Audio Visual Research.
  public static let avr = Container(
    "avr", .init(major: SF_FORMAT_AVR, title: "Audio Visual Research", isReadOnly: true))

  /// Sound Designer II. Its header is a second file, which a descriptor cannot reach.
  public static let sd2 = Container(
    "sd2",
    .init(major: SF_FORMAT_SD2, title: "Sound Designer II", isReadOnly: true))

  /// Akai MPC 2000.
  public static let mpc2k = Container(
    "mpc2k",
    .init(
      major: SF_FORMAT_MPC2K, title: "Akai MPC 2000 (snd2000)", otherNames: ["snd2000"],
      isReadOnly: true))

  /// Psion A-law.
  public static let wve = Container(
    "wve", .init(major: SF_FORMAT_WVE, title: "Psion", isReadOnly: true))

  /// The stream between two processes of sox (`sox -p`).
  public static let sox = Container("sox", .init(major: 0, title: "sox's own", isReadOnly: true))
}
