// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// The format of a sound file, around the samples: where its header says what the samples are.
///
/// The raw values are the names that users type and read.
public enum Container: String, Sendable, Hashable, CaseIterable {
  /// RIFF WAVE; becomes RF64 by itself where a file grows past 4 GiB.
  case wav
  /// WAVE whose `fmt` chunk is always WAVE_FORMAT_EXTENSIBLE.
  case wavex
  /// WAVE with 64-bit sizes from the start (EBU Tech 3306).
  case rf64
  /// Sony Wave64.
  case w64
  /// AIFF, and AIFF-C where the encoding or the byte order asks for it.
  case aiff
  /// Sun/NeXT audio.
  case au
  /// Apple Core Audio format.
  case caf
  case flac
  /// Ogg with Vorbis.
  case ogg
  /// Ogg with Opus.
  case opus
  /// MPEG audio without a container.
  case mp3
  /// Samples without a header.
  case raw
  /// Creative Voice.
  case voc
  /// Amiga IFF 8SVX and 16SV.
  case svx
  /// NIST SPHERE.
  case nist
  /// Berkeley/IRCAM/CARL.
  case ircam
  /// Ensoniq PARIS.
  case paf
  /// GNU Octave 2.0 and MATLAB 4.2.
  case mat4
  /// GNU Octave 2.1 and MATLAB 5.
  case mat5
  /// Portable Voice Format.
  case pvf
  /// FastTracker 2 extended instrument.
  case xi
  /// HMM Tool Kit.
  case htk
  /// MIDI Sample Dump Standard.
  case sds
  /// Audio Visual Research.
  case avr
  /// Sound Designer II, whose header is a second file beside the first.
  case sd2
  /// Akai MPC 2000.
  case mpc2k
  /// Psion A-law.
  case wve
  /// What sox hands from one of its own processes to the next (`sox -p`); read only.
  case sox
}

extension Container {
  /// Whether it is WAVE of any kind, whose plain encodings are read and written by our own code.
  var isWave: Bool { [.wav, .wavex, .rf64].contains(self) }
}

extension Container {
  /// The container of a name that a user typed, in any case; other usual names are understood too
  /// (`iff`, `snd`, `aifc`, `bw64`, …).
  public init?(name: String) {
    let name = name.lowercased()
    if let container = Container(rawValue: name) {
      self = container
    } else if let container = Self.otherNames[name] {
      self = container
    } else {
      return nil
    }
  }

  /// The container that the extension of a file's name asks for; nil where it has none or an unknown one.
  public init?(fileName: String) {
    let last = fileName.utf8.split(separator: UInt8(ascii: "/")).last.map { Substring($0) } ?? ""
    let parts = last.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let suffix = parts.last else { return nil }
    self.init(name: String(suffix))
  }

  /// What can be done where the name of an output asks for a container that cannot be written; nil where nothing is
  /// known of it.
  ///
  /// - Parameter film: the only input, where that has moving pictures.
  package static func advice(forOutput path: String, film: String? = nil) -> String? {
    ForeignContainer.advice(forOutput: path, film: film)
  }

  private static let otherNames: [String: Container] = [
    "wave": .wav, "bwf": .wav, "riff": .wav, "bw64": .rf64, "wave64": .w64,
    "aif": .aiff, "aifc": .aiff, "snd": .au, "fla": .flac, "oga": .ogg, "vorbis": .ogg,
    "mp1": .mp3, "mp2": .mp3, "mpeg": .mp3, "pcm": .raw, "iff": .svx, "8svx": .svx, "sph": .nist,
    "sf": .ircam, "mat": .mat5, "snd2000": .mpc2k,
  ]
}

extension Container {
  /// The encodings that a file of this container can be written with, plain ones first.
  public var writableEncodings: [SampleEncoding] {
    SampleEncoding.allCases.filter { canWrite($0) }
  }

  /// Whether libsndfile (or the library's own WAV code) can write `encoding` in this container.
  public func canWrite(_ encoding: SampleEncoding) -> Bool {
    largestChannelCount(for: encoding) > 0
  }

  /// The most channels that a file of this container and encoding can hold; 0 where the encoding
  /// cannot be written.
  func largestChannelCount(for encoding: SampleEncoding) -> Int {
    let most = soundChannelCount(for: encoding)
    return (0...most).last { $0 == 0 || accepts(encoding, channelCount: $0) } ?? 0
  }

  /// The most channels for which libsndfile 1.2.0 keeps what `sf_format_check` promises.
  private func soundChannelCount(for encoding: SampleEncoding) -> Int {
    switch (self, encoding) {
    // Its header is a second file, which a descriptor does not lead to.
    case (.sd2, _): 0
    case (.ogg, .opus), (.opus, .vorbis): 0
    // `sf_open` refuses MPEG in WAV and layers I and II.
    case (.wav, .mpegLayer3), (_, .mpegLayer1), (_, .mpegLayer2): 0
    // It cannot read its own 12-bit DWVW in AIFF, nor its own 32-bit ALAC of noise.
    case (.aiff, .dwvw12), (_, .alac32): 0
    // With more channels, packets grow past 16,383 bytes, noise comes back wrong and
    // `alac_pakt_encode` writes beyond its buffer (libsndfile issue 973).
    case (_, .alac16), (_, .alac20), (_, .alac24): 1
    default: StreamFormat.channelCounts.upperBound
    }
  }

  /// What the library's own WAV code writes with any number of channels, so that libsndfile need not be loaded for it.
  static let plainWaveEncodings: Set<SampleEncoding> = [
    .u8, .s16, .s24, .s32, .f32, .f64, .ulaw, .alaw,
  ]

  /// The corresponding C function is `sf_format_check`.
  private func accepts(_ encoding: SampleEncoding, channelCount: Int) -> Bool {
    if self == .wav, Self.plainWaveEncodings.contains(encoding) { return true }
    var information = SF_INFO()
    information.samplerate = 48_000
    information.channels = Int32(channelCount)
    information.format = majorFormat | encoding.subtype
    return unsafe sf_format_check(&information) != 0
  }

  /// Whether a file can be written where nothing can be changed afterwards: a pipe.
  ///
  /// WAV in its plain encodings only; the others as measured with libsndfile 1.2.0.
  public var canBeStreamed: Bool {
    switch self {
    case .wav, .wavex, .rf64, .au, .raw, .flac, .ogg, .opus, .mp3, .pvf: true
    default: false
    }
  }

  /// Where a file of this container ends, in bytes, because its header counts in 32 bits; nil where
  /// it does not end.
  var largestFileSize: Int64? {
    switch self {
    case .wav, .wavex, .aiff, .svx, .voc, .mat4, .mat5, .avr, .mpc2k, .xi, .htk, .sds, .wve, .sd2:
      Int64(UInt32.max)
    default: nil
    }
  }

  /// The encoding that suits samples which were stored as `wanted` best: the same, else the narrowest
  /// that holds every value, else the widest there is.
  ///
  /// Lossy encodings count as `s16` wherever the container offers a plain one.
  public func defaultEncoding(for wanted: SampleEncoding) -> SampleEncoding {
    let target: SampleEncoding = wanted.isLossy ? .s16 : wanted
    if canWrite(target) { return target }
    let writable = writableEncodings
    let plain = writable.filter { $0.bytesPerSample != nil }
    let candidates = plain.isEmpty ? writable : plain
    // Integers stay integers where they can.
    let holding = candidates.filter { $0.holds(target) }
    let integers = holding.filter { $0 != .f32 && $0 != .f64 }
    if let narrowest = (integers.isEmpty ? holding : integers).min(by: {
      $0.significantBits < $1.significantBits
    }) {
      return narrowest
    }
    let lossless = candidates.filter { !$0.isLossy && $0 != .ulaw && $0 != .alaw }
    return (lossless.isEmpty ? candidates : lossless).max {
      $0.significantBits < $1.significantBits
    } ?? .s16
  }
}
